"""Programs of 2016 to 2020 with Keras, TensorFlow, albumentations and Pillow, repaired and run with today's packages.

Values named as those of Keras 2.2 were read from the same programs in Keras 2.2.5 with TensorFlow 1.15.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from modernizer.environment.installed import Installed
from modernizer.repair.recipes import all_recipes

# The first use also builds the environment.
pytestmark = pytest.mark.timeout(600)

DATA = """
import numpy as np
from keras.models import Sequential
from keras.layers import Dense
X = np.linspace(-1, 1, 40).reshape(20, 2)
y = (X.sum(1) > 0).astype(int)
"""
MODEL = f"""{DATA}
model = Sequential()
model.add(Dense(1, input_dim=2, activation='sigmoid'))
model.compile('sgd', 'binary_crossentropy', metrics=['accuracy'])
model.set_weights([np.array([[1.], [2.]]), np.array([0.5])])
"""


def test_models_train_on_generators_and_tell_classes(repair_network: Callable[..., Any]) -> None:
    repaired = repair_network(f"""{MODEL}
def batches():
    while True:
        for start in range(0, 20, 5):
            yield X[start:start + 5], y[start:start + 5]
history = model.fit_generator(batches(), steps_per_epoch=4, epochs=2, verbose=0, workers=1, max_queue_size=10)
score = model.evaluate_generator(batches(), 4, workers=1)
given = model.predict_generator(batches(), steps=4).shape
classes = model.predict_classes(X)
kind = str(classes.dtype)
shares = model.predict_proba(X, verbose=0)
model.fit(X, y, nb_epoch=1, verbose=0, workers=2, use_multiprocessing=True)
""")
    assert repaired.value("given") == [20, 1]
    assert repaired.value("(kind, classes.shape)") == ["int32", [20, 1]]
    assert repaired.value("len(history.history['loss'])") == 2
    assert repaired.value("bool(((shares > 0.5) == classes).all())") is True


@pytest.mark.parametrize(
    ("layer", "classes"),
    [
        # Keras 2.2 takes the largest of several sigmoids, and the half of a single one whatever stands before it.
        ("Dense(4, input_dim=2, activation='sigmoid')", [0, 0, 3, 3, 3, 3]),
        ("Dense(4, input_dim=2, activation='softmax')", [0, 0, 3, 3, 3, 3]),
        ("Dense(3, input_dim=2, activation='sigmoid'), Dense(1, activation='sigmoid')", [0, 0, 0, 0, 0, 0]),
    ],
)
def test_a_class_is_the_one_that_keras_2_told(repair_network: Callable[..., Any], layer: str, classes: list[int]) -> None:
    repaired = repair_network(f"""{DATA}
model = Sequential([{layer}])
model.set_weights([np.linspace(-1, 1, w.size).reshape(w.shape) for w in model.get_weights()])
classes = model.predict_classes(np.linspace(-3, 3, 12).reshape(6, 2))
""")
    assert repaired.value("classes.ravel()") == classes


def test_histories_callbacks_and_files_keep_their_names(repair_network: Callable[..., Any]) -> None:
    repaired = repair_network(
        [
            MODEL,
            """
from keras.callbacks import EarlyStopping, ModelCheckpoint, ReduceLROnPlateau
from keras.models import load_model
path = 'best-{epoch:02d}-{val_acc:.2f}.hdf5'
calls = [
    ModelCheckpoint(path, monitor='val_acc', save_best_only=True, period=1),
    ModelCheckpoint('weights.h5', monitor='val_loss', save_weights_only=True),
    ModelCheckpoint(filepath='model_%d.hdf5' % 1, monitor='val_loss'),
    EarlyStopping('val_acc', patience=5),
    ReduceLROnPlateau(monitor='val_acc', patience=1, epsilon=0.01),
]
history = model.fit(X, y, validation_split=0.5, epochs=2, verbose=0, callbacks=calls)
""",
            """
model.save_weights('last_{}.h5'.format('all'))
model.load_weights('last_{}.h5'.format('all'))
model.load_weights('weights.h5')
again = load_model('model_%d.hdf5' % 1)
model.save('whole')
again = load_model('whole')
import os
files = sorted(os.listdir('.'))
curve = history.history['acc'], history.history['val_acc']
""",
        ]
    )
    assert len(repaired.value("curve")[1]) == 2
    files = repaired.value("files")
    assert {"last_all.weights.h5", "weights.weights.h5", "model_1.keras", "whole.keras"} <= set(files)
    assert any(name.startswith("best-01-") and name.endswith(".keras") for name in files)
    assert "metrics=['acc']" in repaired.source


def test_part_of_a_batch_is_a_batch_and_stored_models_are_read_back(repair_network: Callable[..., Any]) -> None:
    repaired = repair_network(f"""{MODEL}
from keras.layers import Lambda
from keras.models import load_model
model = Sequential([Lambda(lambda x: x * 2, input_shape=(2,)), Dense(1)])
model.compile('sgd', 'mse', metrics=['mae'])
def batches():
    while True:
        yield X[:6], y[:6]
steps = len(X) / 6
model.fit_generator(batches(), steps_per_epoch=steps, epochs=1, verbose=0)
count = model.predict_generator(batches(), steps=len(X) / 6).shape[0]
model.save('own.h5')
again = load_model('own.h5')
same = bool(np.allclose(model.predict(X), again.predict(X)))
""")
    assert repaired.value("(count, same, int(model.optimizer.iterations.numpy()))") == [24, True, 4]


@pytest.mark.parametrize(
    ("optimizer", "weights"),
    [
        # Five steps by hand: rate / (1 + decay * step), as tf.keras had it.
        ("SGD(lr=0.01, decay=0.1)", [-0.1038, 0.5949]),
        ("SGD(0.01, decay=0.1)", [-0.1038, 0.5949]),
        ("Adam(lr=0.01, beta_1=0.9, beta_2=0.999, epsilon=None, decay=0.0, amsgrad=False)", [0.95, 1.95]),
        ("adam(lr=0.01)", [0.95, 1.95]),
        # The values of Keras 2.2.
        ("RMSprop(lr=0.01, rho=0.9, epsilon=1e-8, decay=0.01)", [0.8968, 1.8968]),
        ("Adadelta(lr=1.0, rho=0.95, epsilon=None, decay=0.0)", [0.9928, 1.9928]),
    ],
)
def test_optimizers_take_the_steps_that_they_took(
    repair_network: Callable[..., Any], optimizer: str, weights: list[float]
) -> None:
    repaired = repair_network(f"""{DATA}
from keras.optimizers import {optimizer.partition("(")[0]}
model = Sequential()
model.add(Dense(1, input_dim=2))
model.compile(loss='mse', optimizer={optimizer})
model.set_weights([np.array([[1.], [2.]]), np.array([0.5])])
X, y = np.array([[1., 2.], [3., 4.], [5., 6.]]), np.array([1., 2., 3.])
model.fit(X, y, batch_size=3, nb_epoch=5, verbose=0)
""")
    assert repaired.value("model.get_weights()[0].ravel()") == pytest.approx(weights, abs=1e-3)


def test_a_rate_that_is_set_later_keeps_its_plain_start(repair_network: Callable[..., Any]) -> None:
    repaired = repair_network(f"""{MODEL}
from keras import backend as K
from keras.callbacks import LearningRateScheduler
from keras.optimizers import Adam
model.compile(Adam(lr=0.01, decay=1e-5), 'binary_crossentropy')
model.fit(X, y, epochs=1, verbose=0, callbacks=[LearningRateScheduler(lambda epoch: 0.02)])
K.set_value(model.optimizer.lr, 0.5)
rate = float(K.get_value(model.optimizer.lr))
""")
    assert repaired.value("rate") == 0.5


def test_names_are_found_where_they_live_now(repair_network: Callable[..., Any]) -> None:
    repaired = repair_network("""
import numpy as np
import keras
from keras import backend as K
from keras.callbacks import EarlyStopping
from keras.constraints import maxnorm
from keras.engine.topology import Layer, InputSpec
from keras.initializers import normal
from keras.layers.advanced_activations import LeakyReLU, PReLU, ThresholdedReLU
from keras.layers.convolutional import Conv2D, MaxPooling2D
from keras.layers.core import Dense, Dropout, Flatten
from keras.layers import CuDNNLSTM
from keras.layers.embeddings import Embedding
from keras.layers.merge import concatenate
from keras.layers.noise import GaussianNoise
from keras.layers.normalization import BatchNormalization
from keras.layers.pooling import GlobalMaxPooling1D
from keras.layers.recurrent import LSTM
from keras.layers.wrappers import TimeDistributed
from keras.losses import mse, kullback_leibler_divergence
from keras.objectives import categorical_crossentropy
from keras.preprocessing import sequence, text
from keras.preprocessing.image import ImageDataGenerator, img_to_array
from keras.regularizers import l2, activity_l2
from keras.utils import np_utils
from keras.utils.generic_utils import get_custom_objects
from keras.utils.np_utils import to_categorical
used = [EarlyStopping, maxnorm, Layer, InputSpec, normal, LeakyReLU, PReLU, ThresholdedReLU, Conv2D, MaxPooling2D, Dense, Dropout,
        Flatten, CuDNNLSTM, Embedding, concatenate, GaussianNoise, BatchNormalization, GlobalMaxPooling1D, LSTM, TimeDistributed,
        mse, kullback_leibler_divergence, categorical_crossentropy, img_to_array, l2, activity_l2, get_custom_objects]
tokens = text.Tokenizer(num_words=4)
tokens.fit_on_texts(['The cat sat', 'the dog sat down'])
padded = sequence.pad_sequences(tokens.texts_to_sequences(['the sat']), maxlen=4)
flow = ImageDataGenerator(rescale=0.5).flow(np.ones((4, 2, 2, 1)), np.arange(4), batch_size=2, shuffle=False)
first = next(flow)[0].ravel()[:2]
same = bool((np_utils.to_categorical([0, 1], 2) == to_categorical([0, 1])).all())
error = float(K.mean(K.square(K.constant([1., 3.]) - 1), axis=-1))
""")
    assert repaired.value("(padded, first, same, error)") == [[[0, 0, 1, 2]], [0.5, 0.5], True, 2.0]


@pytest.mark.parametrize(
    ("layers", "shape", "parameters", "strides"),
    [
        # The numbers of parameters and strides are those of Keras 2.2, which took these names for its own.
        (
            (
                "Convolution2D(4, 3, 3, border_mode='same', input_shape=(8, 8, 1), init='he_normal', dim_ordering='tf')\n"
                "Convolution2D(4, 3, 3, subsample=(2, 2), bias=True)\nMaxPooling2D(pool_size=(2, 2), border_mode='valid')\n"
                "Dropout(p=0.2)\nFlatten()\nDense(output_dim=3, init='uniform', W_constraint=maxnorm(m=3))"
            ),
            [None, 3],
            [40, 148, 0, 0, 0, 15],
            [[1, 1], [2, 2]],
        ),
        (
            (
                "Convolution2D(n, k, k, border_mode='valid', input_shape=(8, 8, 1))\n"
                "Convolution2D(nb_filter=2, nb_row=3, nb_col=2)\nFlatten()\nDense(1)"
            ),
            [None, 1],
            [40, 50, 0, 41],
            [[1, 1], [1, 1]],
        ),
        (
            (
                "LSTM(4, input_dim=3, input_length=5, return_sequences=True, inner_init='orthogonal', forget_bias_init='one')\n"
                "GaussianNoise(sigma=0.1)\nLSTM(output_dim=2, dropout_W=0.1, dropout_U=0.1, consume_less='cpu')\n"
                "BatchNormalization(mode=0)\nDense(1)"
            ),
            [None, 1],
            [128, 0, 56, 8, 3],
            [],
        ),
        ("LSTM(4, batch_input_shape=(2, 3, 1), stateful=True)\nDense(1)", [2, 1], [96, 5], []),
    ],
)
def test_layers_of_keras_1_are_built_as_they_were(
    repair_network: Callable[..., Any], layers: str, shape: list[object], parameters: list[int], strides: list[object]
) -> None:
    adds = "\n".join(f"model.add({layer})" for layer in layers.splitlines())
    repaired = repair_network(f"""
from keras.constraints import maxnorm
from keras.models import Sequential
from keras.layers import *
from keras.layers.convolutional import Convolution2D, MaxPooling2D
n, k = 4, 3
model = Sequential()
{adds}
strides = [layer.strides for layer in model.layers if type(layer).__name__ == 'Conv2D']
""")
    assert repaired.value("model.output_shape") == shape
    assert repaired.value("[layer.count_params() for layer in model.layers]") == parameters
    assert repaired.value("strides") == strides


def test_models_of_keras_1_are_merged_as_they_were(repair_network: Callable[..., Any]) -> None:
    repaired = repair_network("""
from keras import backend as K
from keras.layers import Dense, Input, merge
from keras.models import Model
shape = (3,) if K.image_dim_ordering() == 'tf' else (4,)
a, b = Input(shape=shape), Input(shape=shape)
c = merge([merge([a, b], mode='sum'), a], mode='concat', concat_axis=-1)
model = Model(input=[a, b], output=Dense(2)(c))
""")
    assert repaired.value("(model.count_params(), model.output_shape)") == [14, [None, 2]]


def test_names_of_tensorflow_1_give_what_they_gave(repair_network: Callable[..., Any]) -> None:
    repaired = repair_network("""
import numpy as np
import tensorflow as tf
from keras import backend as K
from keras.layers import Dense
config = tf.ConfigProto(intra_op_parallelism_threads=1)
K.set_session(tf.Session(graph=tf.get_default_graph(), config=config))
tf.logging.set_verbosity(tf.logging.ERROR)
tf.set_random_seed(1)
tf.keras.mixed_precision.experimental.set_policy(tf.keras.mixed_precision.experimental.Policy('float32'))
x = tf.reshape(tf.range(16.), (1, 4, 4, 1))
values = [
    tf.log(1.0), tf.div(5, 2), tf.to_float(1), tf.mod(5, 3), tf.reduce_sum(tf.ones((2, 3)), axis=1, keep_dims=True),
    tf.argmax([[1, 2]], dimension=1), tf.matrix_inverse(tf.eye(1)), tf.image.resize_images(x, (2, 2)),
    tf.confusion_matrix([0], [0]),
]
shapes = [tf.random_normal([2]).shape, tf.truncated_normal([3]).shape, tf.FixedLenFeature([], tf.string).shape]
values = [value.numpy().ravel().tolist() for value in values]
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer=tf.train.AdamOptimizer(0.1), loss='mse')
model.fit(np.ones((2, 2)), np.ones(2), verbose=0)
epsilon = float(model.optimizer.epsilon)
""")
    first = [[0.0], [2], [1.0], [2], [3.0, 3.0], [1], [1.0], [0.0, 2.0, 8.0, 10.0], [1]]
    assert repaired.value("values") == first
    assert repaired.value("epsilon") == pytest.approx(1e-8)


def test_programs_of_sessions_run_through_the_first_interface(
    rewrite: Callable[..., Any],
    network_packages: Installed,
) -> None:
    # Run by hand: the switch holds for the whole process.
    cells = ["import tensorflow as tf", "a = tf.placeholder(tf.float32)\nwith tf.Session() as s:\n    s.run(a, {a: 1})"]
    after = ["import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()", cells[1]]
    assert rewrite(cells, packages=network_packages) == after
    assert rewrite(after, packages=network_packages) == after
    keras = ["import tensorflow as tf\nimport keras", cells[1]]
    assert rewrite(keras, packages=network_packages)[0] == keras[0]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "from keras.optimizers import SGD, schedules\nSGD(learning_rate=0.1, decay=1e-3)",
            (
                "from keras.optimizers import SGD, schedules\n"
                "SGD(learning_rate=schedules.InverseTimeDecay(0.1, decay_steps=1, decay_rate=1e-3))"
            ),
        ),
        (
            "model.compile('sgd', metrics=['accuracy'])\nkeras.callbacks.EarlyStopping('val_acc', mode='max')",
            "model.compile('sgd', metrics=['acc'])\nkeras.callbacks.EarlyStopping('val_acc', mode='max')",
        ),
        (
            "from keras.layers import Convolution2D\nConvolution2D(4, 3, 3)",
            "from keras.layers import Convolution2D\nConvolution2D(4, (3, 3))",
        ),
        ("import albumentations as A\nA.Resize(8, 8, always_apply=True)", "import albumentations as A\nA.Resize(8, 8, p=1.0)"),
        ("import keras\nmodel.optimizer.lr = 0.1", "import keras\nmodel.optimizer.learning_rate = 0.1"),
        (
            "import tensorflow as tf\nwith tf.Session() as s:\n    s.run(tf.log(1.0))",
            "import tensorflow.compat.v1 as tf\ntf.disable_v2_behavior()\nwith tf.Session() as s:\n    s.run(tf.log(1.0))",
        ),
    ],
)
def test_what_runs_with_another_meaning_is_changed_without_an_error(
    rewrite: Callable[..., Any], network_packages: Installed, before: str, after: str
) -> None:
    # Minimising a repair starts from what the installed packages confirm, and drops what the run can do without.
    source = before
    for recipe in all_recipes():
        if recipe.confirmed:
            source = rewrite(source, recipe=recipe, packages=network_packages)
    assert source == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("RandomResizedCrop(16, 24)", "RandomResizedCrop(size=(16, 24))"),
        ("RandomResizedCrop(height=16, width=24, scale=(0.5, 1))", "RandomResizedCrop(size=(16, 24), scale=(0.5, 1))"),
        ("RandomSizedCrop((8, 16), 16, 24)", "RandomSizedCrop(min_max_height=(8, 16), size=(16, 24))"),
        (
            "Cutout(num_holes=4, max_h_size=6, fill_value=0)",
            "CoarseDropout(num_holes_range=(4, 4), hole_height_range=(6, 6), hole_width_range=(8, 8), fill=0)",
        ),
        (
            "Flip(p=0.3)",
            "OneOf([HorizontalFlip(p=1), VerticalFlip(p=1), Compose([HorizontalFlip(p=1), VerticalFlip(p=1)])], p=0.3)",
        ),
        ("RandomBrightness(limit=0.1)", "RandomBrightnessContrast(brightness_limit=0.1, contrast_limit=0)"),
        ("RandomContrast(limit=0.1, p=1)", "RandomBrightnessContrast(brightness_limit=0, contrast_limit=0.1, p=1)"),
        ("JpegCompression(quality_lower=50)", "ImageCompression(quality_range=(50, 100))"),
        ("IAASharpen(p=1)", "Sharpen(p=1)"),
        ("IAAFliplr()", "HorizontalFlip()"),
        # These run as they are, with a warning that the argument is ignored; they change with what doesn't run.
        ("GaussNoise(var_limit=(10, 50))", "GaussNoise(std_range=(10 ** 0.5 / 255, 50 ** 0.5 / 255))"),
        ("CoarseDropout(max_holes=8, min_holes=4)", "CoarseDropout(num_holes_range=(4, 8))"),
        ("Resize(8, 8, always_apply=True)", "Resize(8, 8, p=1.0)"),
        ("HorizontalFlip(always_apply=False, p=0.2)", "HorizontalFlip(p=0.2)"),
        ("PadIfNeeded(64, 64, border_mode=0, value=0)", "PadIfNeeded(64, 64, border_mode=0, fill=0)"),
        ("HorizontalFlip(p=0.2)", "HorizontalFlip(p=0.2)"),
        ("RandomResizedCrop((16, 24), (0.5, 1))", "RandomResizedCrop((16, 24), (0.5, 1))"),
        ("CoarseDropout(num_holes_range=(1, 2))", "CoarseDropout(num_holes_range=(1, 2))"),
    ],
)
def test_augmentations_keep_their_sizes_and_ranges(repair_network: Callable[..., Any], before: str, after: str) -> None:
    start = "import numpy as np\nimport albumentations as A\n"
    rest = "\nA.Flip(p=0)\nimage = A.Compose([augment])(image=np.full((32, 32, 3), 7, np.uint8))['image']"

    def spelled(text: str) -> str:
        return re.sub(r"\b(?=[A-Z]\w+\()", "A.", text)

    repaired = repair_network(f"{start}augment = {spelled(before)}{rest}")
    flip = "OneOf([HorizontalFlip(p=1), VerticalFlip(p=1), Compose([HorizontalFlip(p=1), VerticalFlip(p=1)])], p=0)"
    assert repaired.source == f"{start}augment = {spelled(after)}{rest}".replace("A.Flip(p=0)", spelled(flip))
    assert repaired.value("image.ndim") == 3


def test_images_are_read_and_drawn_with_pillow_as_it_is_now(repair_network: Callable[..., Any]) -> None:
    repaired = repair_network("""
import PIL
import numpy as np
from PIL import Image, ImageDraw, ImageFont
small = Image.fromarray(np.arange(64, dtype=np.uint8).reshape(8, 8)).resize((2, 2), Image.ANTIALIAS)
data = small.tostring()
font = ImageFont.load_default(size=10)
draw = ImageDraw.Draw(Image.new('L', (40, 20)))
width = draw.textsize('abc', font=font)[0]
version = PIL.PILLOW_VERSION
""")
    assert repaired.value("(len(data), width > 5, version == PIL.__version__)") == [4, True, True]
