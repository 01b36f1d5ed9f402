"""Renders the prompts: versioned templates, with everything that comes from a notebook redacted and fenced."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

import jinja2

from modernizer.repair.model.context import Context
from modernizer.repair.model.redact import Redactor, delimiter
from modernizer.repair.model.text_form import header, text_form
from modernizer.repair.outcome import FixKind

VERSION = "v1"
# What no path of a module needs: its name stands outside the fence, where blanks would make sentences of it.
_NO_PATH = re.compile(r"[^\w./-]")
_LONGEST_PATH = 120


def messages_for(kind: FixKind, context: Context, redactor: Redactor) -> list[dict[str, str]]:
    """Return the system's and the user's message for one kind of fix."""
    data: dict[str, str] = {
        "error": context.error,
        "symbols": context.symbols,
        "objects": context.objects,
        "drift": context.drift,
        "code": text_form(context.shown).rstrip("\n"),
    }
    hidden = {name: redactor.hide(text) for name, text in data.items()}
    tried = [{"edit": redactor.hide(one.edit).rstrip("\n"), "why": redactor.hide(one.why)} for one in context.tried]
    fence = delimiter([*hidden.values(), *(text for one in tried for text in one.values())])
    values: dict[str, object] = {
        **hidden,
        "tried": tried,
        "versions": context.versions,
        "failing": _where(context),
        "partial": bool(context.in_part),
        "fence": fence,
    }
    return [{"role": role, "content": _block(f"{kind}.{VERSION}.j2", role, values)} for role in ("system", "user")]


def _where(context: Context) -> str:
    """Say where the error was raised, and which cell led there."""
    unit = context.failing if isinstance(context.failing, int) else _NO_PATH.sub("_", context.failing)[:_LONGEST_PATH]
    raised = header(unit).removeprefix("# %% ")
    if context.caller is None:
        return raised
    cell, line = context.caller
    return f"{raised}, called from {header(cell).removeprefix('# %% ')}{f', line {line}' if line else ''}"


def asking_again(messages: list[dict[str, str]], answer: str, reason: str) -> list[dict[str, str]]:
    """Return the conversation with an unusable answer and the reason why it is one."""
    text = _templates().get_template(f"ask-again.{VERSION}.j2").render(reason=reason).strip()
    return [*messages, {"role": "assistant", "content": answer}, {"role": "user", "content": text}]


def _block(name: str, block: str, values: Mapping[str, object]) -> str:
    template = _templates().get_template(name)
    return "".join(template.blocks[block](template.new_context(dict(values)))).strip()


@cache
def _templates() -> jinja2.Environment:
    # Prompts are plain text: escaping is the fence's and the redactor's business.
    return jinja2.Environment(
        loader=jinja2.PackageLoader("modernizer.repair.model", "prompts"),
        autoescape=jinja2.select_autoescape(()),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
