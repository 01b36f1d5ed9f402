"""Keras and TensorFlow notebooks as Keras 3 has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_KERAS = """
    layers.Dense layers.LSTM layers.BatchNormalization layers.Layer models.Sequential models.Model Sequential Model losses.mse
    models.Sequential.fit models.Sequential.predict utils.to_categorical utils.plot_model utils.pad_sequences
    callbacks.EarlyStopping callbacks.ModelCheckpoint optimizers.Adam optimizers.SGD optimizers.schedules.InverseTimeDecay
    mixed_precision.set_global_policy
"""
_NAMES = " ".join(f"{prefix}.{name}" for prefix in ("keras", "tensorflow.keras") for name in _KERAS.split())
_NAMES += """
    tensorflow.keras.preprocessing.image.ImageDataGenerator tensorflow.keras.preprocessing.text.Tokenizer tensorflow.math.log
    tensorflow.random.set_seed tensorflow.random.normal tensorflow.io.gfile.exists tensorflow.data.Dataset numpy.argmax
"""
_OPTIMIZER = ("learning_rate", "epsilon", "name")
_SIGNATURES = {f"{prefix}.optimizers.{name}": _OPTIMIZER for prefix in ("keras", "tensorflow.keras") for name in ("Adam", "SGD")}


@pytest.fixture
def keras(rewrite: Callable[..., Any], surface: Callable[..., Any]) -> Callable[..., Any]:
    packages = surface(_NAMES, signatures=_SIGNATURES, keras="3.12", tensorflow="2.20")

    def apply(source: str | list[str], **given: object) -> Any:  # noqa: ANN401 (as many cells as were given)
        return rewrite(source, packages=packages, **given)

    return apply


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "from keras.utils import np_utils\nnp_utils.to_categorical(y)",
            "from keras import utils as np_utils\nnp_utils.to_categorical(y)",
        ),
        ("from keras.utils.np_utils import to_categorical", "from keras.utils import to_categorical"),
        ("from keras.layers.recurrent import LSTM", "from keras.layers import LSTM"),
        ("from keras.layers.core import Dense", "from keras.layers import Dense"),
        ("from keras.layers.normalization import BatchNormalization", "from keras.layers import BatchNormalization"),
        ("from keras.layers import CuDNNLSTM\nCuDNNLSTM(8)", "from keras.layers import LSTM\nLSTM(8)"),
        ("from keras.engine.topology import Layer", "from keras.layers import Layer"),
        (
            "from keras.preprocessing.image import ImageDataGenerator",
            "from tensorflow.keras.preprocessing.image import ImageDataGenerator",
        ),
        ("from keras.preprocessing.text import Tokenizer", "from tensorflow.keras.preprocessing.text import Tokenizer"),
        ("from keras.preprocessing.sequence import pad_sequences", "from keras.utils import pad_sequences"),
        ("import tensorflow as tf\ntf.set_random_seed(1)", "import tensorflow as tf\ntf.random.set_seed(1)"),
        ("import tensorflow as tf\ntf.log(x)", "import tensorflow as tf\ntf.math.log(x)"),
        ("import tensorflow as tf\ntf.gfile.Exists(x)", "import tensorflow as tf\ntf.io.gfile.exists(x)"),
        (
            "from tensorflow.keras.mixed_precision import experimental as m\nm.set_policy('x')",
            "from tensorflow.keras import mixed_precision as m\nm.set_global_policy('x')",
        ),
        ("import tensorflow as tf\ntf.placeholder(tf.float32)", "import tensorflow as tf\ntf.placeholder(tf.float32)"),
        ("from keras.layers import Dense", "from keras.layers import Dense"),
    ],
)
def test_names_are_found_at_their_new_places(keras: Callable[..., Any], before: str, after: str) -> None:
    assert keras(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Adam(lr=0.01)", "Adam(learning_rate=0.01)"),
        ("Adam(lr=0.01, decay=0.0)", "Adam(learning_rate=0.01)"),
        ("Adam(lr=0.01, epsilon=None)", "Adam(learning_rate=0.01, epsilon=1e-07)"),
        (
            "Adam(lr=0.01, decay=1e-6, name='a')",
            "Adam(learning_rate=keras.optimizers.schedules.InverseTimeDecay(0.01, decay_steps=1, decay_rate=1e-6), name='a')",
        ),
        ("Adam(learning_rate=0.01)", "Adam(learning_rate=0.01)"),
        ("model.fit(x, y, epochs=2, workers=4, use_multiprocessing=True)", "model.fit(x, y, epochs=2)"),
        ("model.fit(x, y, nb_epoch=2)", "model.fit(x, y, epochs=2)"),
        ("forest.fit(x, y)", "forest.fit(x, y)"),
    ],
)
def test_arguments_have_their_present_names(keras: Callable[..., Any], before: str, after: str) -> None:
    imports = "import keras\nfrom keras.optimizers import Adam\n"
    assert keras(imports + before) == imports + after


MODEL = "from keras.models import Sequential\nfrom keras.layers import Dense\nimport numpy as np\nmodel = Sequential()\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("model.fit_generator(flow, 10, 5, verbose=0)", "model.fit(flow, steps_per_epoch=10, epochs=5, verbose=0)"),
        ("model.fit_generator(generator=flow, workers=4)", "model.fit(x=flow)"),
        ("p = model.predict_generator(flow, 10)", "p = model.predict(flow, steps=10)"),
        ("s = model.evaluate_generator(flow, steps=10)", "s = model.evaluate(flow, steps=10)"),
        ("p = model.predict_proba(x)", "p = model.predict(x)"),
        (
            "model.add(Dense(3, activation='softmax'))\nc = model.predict_classes(x)",
            "model.add(Dense(3, activation='softmax'))\nc = np.argmax(model.predict(x), axis=-1)",
        ),
        (
            "model.add(Dense(1, activation='sigmoid'))\nc = model.predict_classes(x)",
            "model.add(Dense(1, activation='sigmoid'))\nc = (model.predict(x) > 0.5).astype('int32')",
        ),
        # How many outputs there are is only known when it runs.
        (
            "model.add(Dense(n, activation='sigmoid'))\nc = model.predict_classes(x)",
            (
                "model.add(Dense(n, activation='sigmoid'))\n"
                "c = (lambda p: p.argmax(axis=-1) if p.shape[-1] > 1 else (p > 0.5).astype('int32'))(model.predict(x))"
            ),
        ),
        # The size of a batch of any generator can't be told.
        ("model.fit_generator(flow, samples_per_epoch=10)", "model.fit_generator(flow, samples_per_epoch=10)"),
        ("forest.predict_proba(x)", "forest.predict_proba(x)"),
    ],
)
def test_models_train_and_predict_as_they_did(keras: Callable[..., Any], before: str, after: str) -> None:
    assert keras(MODEL + before) == MODEL + after


def test_a_history_names_accuracies_as_they_are_recorded(keras: Callable[..., Any], failure: Callable[..., Any]) -> None:
    cells = ["plot(history.history['acc'])\nplot(history.history['val_acc'])", "scores['acc'] = 1"]
    after = ["plot(history.history['accuracy'])\nplot(history.history['val_accuracy'])", "scores['acc'] = 1"]
    assert keras(cells, failure=failure("KeyError", "'acc'", traceback="KeyError: 'acc'")) == after


@pytest.mark.parametrize(
    ("told", "rest", "after"),
    [
        ("metrics=['accuracy']", "EarlyStopping(monitor='val_acc')", "metrics=['acc']"),
        ("metrics=['accuracy', 'mse']", "EarlyStopping('val_acc')", "metrics=['acc', 'mse']"),
        ('metrics="accuracy"', "ModelCheckpoint('{epoch}-{val_acc:.2f}.keras')", 'metrics="acc"'),
        ("metrics=['mae']", "EarlyStopping(monitor='val_mean_absolute_error')", "metrics=['mean_absolute_error']"),
        ("metrics=['acc']", "EarlyStopping(monitor='val_acc')", "metrics=['acc']"),
        ("metrics=['accuracy']", "EarlyStopping(monitor='val_accuracy')\nprint('val_acc')", "metrics=['accuracy']"),
        ("metrics=['accuracy']", "EarlyStopping(monitor='val_loss')", "metrics=['accuracy']"),
    ],
)
def test_a_metric_is_recorded_under_the_name_that_the_program_uses(
    keras: Callable[..., Any], told: str, rest: str, after: str
) -> None:
    start = "from keras.callbacks import EarlyStopping, ModelCheckpoint\nmodel.compile('adam', 'mse', {})\n{}"
    assert keras(start.format(told, rest)) == start.format(after, rest)


def test_a_checkpoint_gets_the_ending_that_its_format_asks_for(keras: Callable[..., Any], failure: Callable[..., Any]) -> None:
    cells = ["ModelCheckpoint('best.hdf5', save_best_only=True)", "model = load_model('best.hdf5')", "print('best.hdf5.txt')"]
    message = "The filepath provided must end in `.keras` (Keras model format). Received: filepath=best.hdf5"
    assert keras(cells, failure=failure("ValueError", message)) == [
        "ModelCheckpoint('best.keras', save_best_only=True)",
        "model = load_model('best.keras')",
        "print('best.hdf5.txt')",
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from torchvision import transforms\ntransforms.Scale(2)", "from torchvision import transforms\ntransforms.Resize(2)"),
        (
            "from transformers import *\nAdamW(p, lr=1e-5)",
            "import torch.optim\nfrom transformers import *\ntorch.optim.AdamW(p, lr=1e-5, weight_decay=0.0, eps=1e-6)",
        ),
        (
            "from transformers import AdamW\nAdamW(p, lr=1e-5)",
            "from torch.optim import AdamW\nAdamW(p, lr=1e-5, weight_decay=0.0, eps=1e-6)",
        ),
        ("from plotly import plotly as py", "from chart_studio import plotly as py"),
        ("import plotly.plotly as py", "import chart_studio.plotly as py"),
        ("from mlxtend.evaluate import plot_decision_regions", "from mlxtend.plotting import plot_decision_regions"),
        ("from PIL import Image\nx.resize((2, 2), Image.ANTIALIAS)", "from PIL import Image\nx.resize((2, 2), Image.LANCZOS)"),
        ("import Image\nImage.open('a')", "import PIL.Image as Image\nImage.open('a')"),
    ],
)
def test_other_packages_are_followed_too(
    rewrite: Callable[..., Any], surface: Callable[..., Any], before: str, after: str
) -> None:
    names = """
        torchvision.transforms.Resize torch.optim.AdamW transformers.BertModel
        mlxtend.plotting.plot_decision_regions mlxtend.evaluate.lift_score chart_studio.plotly.iplot plotly.offline.iplot
        PIL.Image.LANCZOS PIL.Image.open
    """
    assert rewrite(before, packages=surface(names, transformers="5.1", torch="2.9", pillow="12.0", plotly="6.0")) == after


def test_plotly_without_chart_studio_is_left_alone(rewrite: Callable[..., Any], surface: Callable[..., Any]) -> None:
    assert (
        rewrite("import plotly.plotly as py", packages=surface("plotly.offline.iplot", plotly="6.0"))
        == "import plotly.plotly as py"
    )


def test_a_loss_gives_its_number(rewrite: Callable[..., Any], surface: Callable[..., Any], failure: Callable[..., Any]) -> None:
    message = "invalid index of a 0-dim tensor. Use `tensor.item()` in Python"
    cells = ["total += loss.data[0]", "x = frame.data[0]"]
    after = rewrite(cells, packages=surface("torch.Tensor", torch="2.9"), failure=failure("IndexError", message))
    assert after == ["total += loss.item()", "x = frame.data[0]"]
