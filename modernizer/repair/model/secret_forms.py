"""How secrets look in code, shell lines, addresses and messages: by the form of a key, the name beside them, or chance letters.

The forms of keys are those that their providers document.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

_KEYS = r"""
    \b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}        # OpenAI and those who follow it, Stripe
    | \bgh[pousr]_[A-Za-z0-9]{20,} | \bgithub_pat_[A-Za-z0-9_]{20,}
    | \bgl(?:pat|dt|rt)-[A-Za-z0-9_-]{16,}
    | \b(?:AKIA|ASIA)[0-9A-Z]{16}\b              # AWS: the name of a key
    | \bAIza[0-9A-Za-z_-]{30,} | \bya29\.[0-9A-Za-z_-]{20,} | \bGOCSPX-[0-9A-Za-z_-]{10,}   # Google
    | \bhf_[A-Za-z0-9]{20,} | \bdapi[0-9a-f]{32}\b | \bnpm_[A-Za-z0-9]{30,} | \bpypi-[A-Za-z0-9_-]{20,}
    | \bxox[abeprs]-[A-Za-z0-9-]{10,} | \bxapp-[A-Za-z0-9-]{10,}   # Slack
    | \bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}
    | \b\d{8,10}:AA[A-Za-z0-9_-]{30,}            # Telegram
    | \b(?:[sp]k\.)?eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}(?:\.[A-Za-z0-9_-]{5,})?   # JSON web tokens, Mapbox
    | -----BEGIN[ ][A-Z ]{0,30}PRIVATE[ ]KEY(?:[ ]BLOCK)?-----.*?(?:-----END[ ][A-Z ]{0,30}PRIVATE[ ]KEY(?:[ ]BLOCK)?-----|\Z)
"""
_HOOKS = (
    r"(?:hooks\.slack\.com/(?:services|workflows)|discord(?:app)?\.com/api/webhooks|webhook\.office\.com)/(?P<value>[\w/@-]{12,})"
)
# The last word of names whose value is a secret whatever it is, and of names whose value is one when it looks like it.
_SURE = (
    r"pass(?:w(?:or)?d|phrase|code)?|pwd|secret|credentials?|authorization|cookies?|session_?id"
    r"|(?:secret|private|account|consumer|client|access|api)[_-]?(?:key|secret|token)"
)
_LIKELY = r"keys?|tokens?|auth|sig|signature|appid|app[_-]id"
_NAME = rf"(?:(?<![A-Za-z])(?:(?P<sure>{_SURE})|{_LIKELY})|(?-i:(?<=[a-z])(?:(?P<inner>Password|Secret)|Key|Token)))(?!\w)"
_BLANKS = r"\s{0,20}"
_QUOTE = r"\\?(?:\"\"\"|'''|[\"'])"
_TEXT = rf"[rbufRBUF]{{0,2}}(?P<quote>{_QUOTE})(?P<value>(?:(?!(?P=quote))(?:\\[^\n]|[^\\\n])){{4,300}})(?=(?P=quote))"
_OTHER = r"[\"'][^\"'\n]{0,200}[\"']"
# name = 'value', 'name': 'value', name: str = 'value', ['name'] = 'value', f('name', 'value')
_QUOTED = rf"{_NAME}(?:{_QUOTE})?[\])]?{_BLANKS}(?::{_BLANKS}\w{{1,20}}{_BLANKS}=|[=:]){_BLANKS}[(\[]?{_BLANKS}{_TEXT}"
_CALLED = rf"\(\s?[\"'][\w.-]{{0,60}}?{_NAME}[\"']{_BLANKS},{_BLANKS}{_TEXT}"
# name = 'value' + 'value', ('value' 'value'), ['value', 'value'], and user, name = 'value', 'value'
_SECOND = rf"{_NAME}{_BLANKS}={_BLANKS}[(\[]?{_BLANKS}{_OTHER}{_BLANKS}[+\\,]?{_BLANKS}{_TEXT}"
# NAME=value in shells, addresses and connection strings; name: value; "password value" in messages and .netrc
_PLAIN = (
    rf"{_NAME}(?:{_QUOTE})?(?:=|:[ \t]{{0,9}}|[ \t]{{1,9}}=[ \t]{{0,9}}|[ \t]{{1,9}})"
    r"(?P<value>[^\s\"'&;,()\[\]{}<>\\]{6,300})(?![(\[.\w])"
)
_AUTHORIZATION = r"\b(?:Bearer|Basic|Digest|Token)\s{1,9}(?P<value>[A-Za-z0-9._~+/=-]{12,})"
_ADDRESS = r"\b[A-Za-z][A-Za-z0-9+.-]{0,20}://[^\s:/@\"']{0,64}:(?P<value>[^\s/\"']{3,200})(?=@)"
_PAIR = (
    rf"(?:\bauth{_BLANKS}={_BLANKS}\(|\blogin\(|\bHTTPBasicAuth\(){_BLANKS}(?:user\w{{0,9}}=)?{_OTHER}{_BLANKS},{_BLANKS}"
    rf"(?:\w{{1,20}}=)?{_TEXT}"
)
_OPTION = r"\s(?:-u|--user)[ =]?[\"']?[^\s:\"']{1,64}:(?P<value>[^\s\"']{4,200})"
_SHORT_OPTION = r"\b(?:mysql\w*|sshpass)\b[^\n]{0,200}?\s-p ?[\"']?(?P<value>[^\s\"']{4,100})"
_STRING = r"[\"'](?P<value>[A-Za-z0-9+/=_~-]{16,300})(?=[\"'])"
_AWS = r"(?<![A-Za-z0-9/+=])(?P<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"
_ENCODED = r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{160,}+={0,2}"
# Encoded data in several lines, as strings beside each other or in one.
_WRAPPED = (
    r"(?<![A-Za-z0-9+/_-])(?:[A-Za-z0-9+/_-]{48,}+={0,2}(?:\\n)?[\"']?[ \t]{0,9}[\\+,]?\n[ \t]{0,80}b?[\"']?){2,}"
    r"[A-Za-z0-9+/_-]{4,}={0,2}"
)
_SHORTEST = 8
_KEY_LENGTH = 16


@dataclass(frozen=True)
class Form:
    """A pattern of what must not be sent; its group ``value``, else all of it, when ``holds`` says so of the match."""

    pattern: re.Pattern[str]
    kind: str = "secret"
    holds: Callable[[re.Match[str]], bool] = lambda _: True

    def replaced(self, text: str, mark: Callable[[str, str], str]) -> str:
        """Return the text with each such part given to ``mark`` with its kind."""

        def one(found: re.Match[str]) -> str:
            if not self.holds(found):
                return found[0]
            start, end = found.span("value") if "value" in self.pattern.groupindex else found.span()
            return text[found.start() : start] + mark(text[start:end], self.kind) + text[end : found.end()]

        return self.pattern.sub(one, text)


def _looks_secret(found: re.Match[str]) -> bool:
    value = found["value"]
    if found["sure"] or found["inner"]:
        return bool(value.strip()) and not re.fullmatch(r"<[\w|-]+>|[A-Z_]+|.*: ?", value)
    return " " not in value and _random(value)


def _is_value(found: re.Match[str]) -> bool:
    """Tell whether an unquoted word is a value and no name of the code."""
    value = found["value"]
    if (found["sure"] or found["inner"]) and not value.isidentifier():
        return any(map(str.isdigit, value)) and value[0].isalnum()
    return _random(value)


def _random(text: str) -> bool:
    """Tell whether a part of a text has letters and digits as no word has them."""
    return any(len(run) >= _SHORTEST and _changes(run) > 1 for run in re.split(r"[^A-Za-z0-9]", text))


def _changes(text: str) -> int:
    """Count how often letters and digits take turns."""
    return sum(one.isdigit() != other.isdigit() for one, other in pairwise(text))


def _is_key(found: re.Match[str]) -> bool:
    """Tell whether a string is hexadecimal of a key's length, or has a long run of characters as chance gives them."""
    value = found["value"]
    if re.fullmatch(r"[0-9a-fA-F]{32,}", value):
        return True
    long = [run for run in re.split(r"[^A-Za-z0-9]", value) if len(run) >= _KEY_LENGTH]
    return any(_changes(run) >= (3 if _mixed(run) else 6) for run in long)


def _mixed(text: str) -> bool:
    return all(any(map(test, text)) for test in (str.isupper, str.islower, str.isdigit))


FORMS = (
    Form(re.compile(_KEYS, re.VERBOSE | re.DOTALL)),
    Form(re.compile(_HOOKS)),
    Form(re.compile(_WRAPPED), "data"),
    Form(re.compile(_ENCODED), "data"),
    Form(re.compile(_SECOND, re.IGNORECASE), holds=_looks_secret),
    Form(re.compile(_QUOTED, re.IGNORECASE), holds=_looks_secret),
    Form(re.compile(_CALLED, re.IGNORECASE), holds=_looks_secret),
    Form(re.compile(_AUTHORIZATION, re.IGNORECASE)),
    Form(re.compile(_ADDRESS)),
    Form(re.compile(_PAIR)),
    Form(re.compile(_OPTION)),
    Form(re.compile(_SHORT_OPTION)),
    Form(re.compile(_PLAIN, re.IGNORECASE), holds=_is_value),
    Form(re.compile(_AWS), holds=lambda found: _mixed(found["value"]) and "//" not in found["value"]),
    Form(re.compile(_STRING), holds=_is_key),
)
