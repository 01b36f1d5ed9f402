"""PyTorch, torchvision and transformers, too large for the tests: messages and signatures are recorded.

They are those of torch 2.14.1, torchvision 0.29.1 and transformers 5.24.0, with which the repaired programs were run by hand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

_NAMES = """
    torch.load torch.save torch.Tensor torch.optim.AdamW torch.linalg.qr torch.linalg.eigh torch.linalg.solve
    torch.linalg.cholesky torch.linalg.matrix_rank torch.linalg.lu_factor torch.qr torch.symeig
    torch.solve torch.cholesky torch.matrix_rank
    torch.hub.load_state_dict_from_url torchvision.transforms.Resize torchvision.transforms.RandomResizedCrop
    torchvision.transforms.InterpolationMode.BILINEAR torchvision.transforms.InterpolationMode.NEAREST math.inf collections.abc
    transformers.BertModel.from_pretrained transformers.BertForSequenceClassification transformers.ElectraTokenizer
    transformers.models.bert.modeling_bert.BertModel transformers.models.auto.modeling_auto.AutoModel
"""
_SIGNATURES = {
    "torchvision.transforms.RandomAffine": ("degrees", "translate", "scale", "shear", "interpolation", "fill", "center"),
    "torchvision.transforms.RandomRotation": ("degrees", "interpolation", "expand", "center", "fill"),
    "torch.optim.lr_scheduler.StepLR": ("optimizer", "step_size", "gamma", "last_epoch"),
    "torch.optim.lr_scheduler.ReduceLROnPlateau": ("optimizer", "mode", "factor", "patience"),
    "transformers.TrainingArguments": ("output_dir", "eval_strategy", "per_device_train_batch_size", "use_cpu"),
}
_REMOVED = "This function was deprecated since version 1.9 and is now removed. "
_MESSAGES = {
    "qr": f"{_REMOVED}`torch.qr` is deprecated in favor of `torch.linalg.qr` and the boolean parameter `some` has been replaced",
    "symeig": f"{_REMOVED}The default behavior has changed.\n\nL, _ = torch.symeig(A, upper=upper) should be replaced with:",
    "solve": f"{_REMOVED}`torch.solve` is deprecated in favor of `torch.linalg.solve`.",
    "cholesky": f"{_REMOVED}`torch.cholesky` is deprecated in favor of `torch.linalg.cholesky`.",
    "matrix_rank": f"{_REMOVED}\nPlease use the `torch.linalg.matrix_rank` function instead.",
}


@pytest.fixture
def torch(rewrite: Callable[..., Any], surface: Callable[..., Any]) -> Callable[..., Any]:
    packages = surface(_NAMES, signatures=_SIGNATURES, torch="2.14.1", torchvision="0.29.1", transformers="5.24.0")

    def apply(source: str, **given: object) -> str:
        return str(rewrite(source, packages=packages, **given))

    return apply


@pytest.mark.parametrize(
    ("before", "after", "about"),
    [
        ("q, r = torch.qr(a)", "q, r = torch.linalg.qr(a)", "qr"),
        ("e, v = torch.symeig(a + b, eigenvectors=True)", "e, v = torch.linalg.eigh(a + b, UPLO='U')", "symeig"),
        ("x, _ = torch.solve(b, a)", "x, _ = (torch.linalg.solve(a, b), torch.linalg.lu_factor(a)[0])", "solve"),
        ("torch.cholesky(a)", "torch.linalg.cholesky(a)", "cholesky"),
        ("torch.matrix_rank(a)", "torch.linalg.matrix_rank(a)", "matrix_rank"),
        # No other way gives both results, and another function's error says nothing about this one.
        ("e, v = torch.symeig(a)", "e, v = torch.symeig(a)", "symeig"),
        ("torch.cholesky(a, upper=True)", "torch.cholesky(a, upper=True)", "cholesky"),
        ("torch.qr(a)", "torch.qr(a)", "cholesky"),
    ],
)
def test_linear_algebra_is_called_as_the_error_says(
    torch: Callable[..., Any], failure: Callable[..., Any], before: str, after: str, about: str
) -> None:
    start = "import torch\n"
    assert torch(start + before, failure=failure("RuntimeError", _MESSAGES[about], line=2)) == start + after


def test_files_with_more_than_tensors_are_read_as_before(torch: Callable[..., Any], failure: Callable[..., Any]) -> None:
    refused = failure("UnpicklingError", "Weights only load failed. This file can still be loaded, to do so", line=2)
    assert torch("import torch\nm = torch.load('m.pth')", failure=refused).endswith("torch.load('m.pth', weights_only=False)")
    told = "import torch\nm = torch.load('m.pth', weights_only=True)"
    assert torch(told, failure=refused) == told


@pytest.mark.parametrize(
    ("before", "after"), [("1 - mask", "~mask"), ("x[1 - (a > b)]", "x[~(a > b)]"), ("2 - mask", "2 - mask")]
)
def test_masks_are_turned_round(torch: Callable[..., Any], failure: Callable[..., Any], before: str, after: str) -> None:
    message = (
        "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~`"
    )
    assert torch(f"y = 1 - z\n{before}", failure=failure("RuntimeError", message, line=2)) == f"y = 1 - z\n{after}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from torchvision.transforms import Scale", "from torchvision.transforms import Resize"),
        (
            "from torchvision import transforms as T\nT.RandomAffine(9, fillcolor=0, resample=2)",
            "from torchvision import transforms as T\nT.RandomAffine(9, fill=0, interpolation=T.InterpolationMode.BILINEAR)",
        ),
        (
            "from torchvision import transforms as T\nT.RandomRotation(9, resample=False)",
            "from torchvision import transforms as T\nT.RandomRotation(9, interpolation=T.InterpolationMode.NEAREST)",
        ),
        (
            "from torch.optim import lr_scheduler\nlr_scheduler.StepLR(o, 1, verbose=True)",
            "from torch.optim import lr_scheduler\nlr_scheduler.StepLR(o, 1)",
        ),
        ("from torch._six import inf\nx = inf", "from math import inf\nx = inf"),
        (
            "from torchvision.models.utils import load_state_dict_from_url",
            "from torch.hub import load_state_dict_from_url",
        ),
        (
            "from transformers.modeling_bert import BertModel",
            "from transformers.models.bert.modeling_bert import BertModel",
        ),
        ("from transformers.modeling_auto import AutoModel", "from transformers.models.auto.modeling_auto import AutoModel"),
        ("from transformers.tokenization_electra import ElectraTokenizer", "from transformers import ElectraTokenizer"),
        (
            "from transformers import TrainingArguments as T\nT('x', evaluation_strategy='epoch', no_cuda=True)",
            "from transformers import TrainingArguments as T\nT('x', eval_strategy='epoch', use_cpu=True)",
        ),
        (
            "from transformers import TrainingArguments as T\nT('x', evaluate_during_training=True, overwrite_output_dir=True)",
            "from transformers import TrainingArguments as T\nT('x', eval_strategy='steps')",
        ),
    ],
)
def test_names_and_settings_are_the_present_ones(torch: Callable[..., Any], before: str, after: str) -> None:
    assert torch(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a, b = bert(ids)", "a, b = bert(ids, return_dict=False)"),
        ("_, pooled = bert(ids, mask)", "_, pooled = bert(ids, mask, return_dict=False)"),
        ("a, b = bert(ids, return_dict=True)", "a, b = bert(ids, return_dict=True)"),
        ("out = bert(ids)", "out = bert(ids)"),
        ("a, b = other(ids)", "a, b = other(ids)"),
    ],
)
def test_outputs_that_are_unpacked_are_tuples(
    torch: Callable[..., Any], failure: Callable[..., Any], before: str, after: str
) -> None:
    start = "from transformers import BertModel\nbert = BertModel.from_pretrained('x')\n"
    broken = failure("TypeError", "dropout(): argument 'input' (position 1) must be Tensor, not str", line=3)
    assert torch(start + before, failure=broken) == start + after
