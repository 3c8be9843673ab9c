"""What is shown of a setting, and of a text that may quote one: everything but secrets.

`dbt debug`, errors, warnings and logs all ask here. A secret is told by the name of its setting, by
its place in a URL or in a pair such as `password=…`, or by its value, where that is known: from the
profile, or from an environment variable DBT_ENV_SECRET_….
"""

from __future__ import annotations

import os
import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote

MASK = "*****"
ENVIRONMENT = "DBT_ENV_SECRET_"
"""How dbt calls environment variables that it never shows."""

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
FOR_SPARK = (
    "(?i)secret|password|token|access[.]?key|account[.]key|[.]sas[.]|(private|encryption)[.]key"
)
"""Spark's own rule for its UI and event logs, with the cloud stores' keys that it leaves out."""
KEYS_OF_DOORS = "access|account|api|auth|client|encryption|master|private|secret|shared|signing"
SAYS_SECRET = re.compile(
    r"secret|passw|passphrase|pwd$|token(?!iz)|credential|^sas$|^sig$|signature|bearer"
    rf"|({KEYS_OF_DOORS}) ?keys?$"
)
"""A word, or two of them with a blank."""
KEYS = ("key", "keys")
KEYS_OF_ROWS = re.compile(
    "|by|cluster|clustering|column|distinct|duplicate|foreign|group|grouping|hash|index|join|map"
    "|merge|natural|order|partition|primary|public|record|row|sort|surrogate|unique"
)
"""What stands before `key`, or does not, where it means columns, or what everybody may see."""
ABOUT_IT = re.compile(
    "algorithm|alias|bits|class|enabled?|file|impl|interval|length|manager|path|policy|provider"
    "|ratio|ring|size|store|timeout|type"
)
"""What stands after a word for a secret where the setting only says something about it."""
OF_SPARK = re.compile(r"(spark|fs|hive|hadoop|javax|parquet)\.")
ENDS_IN_ACCOUNT = re.compile(r"fs\.azure\..*\b(key|sas|secret|token|password)\.", re.IGNORECASE)
"""Whose last words are the name of a storage account, and so can be any."""

QUOTES = "\"'{}"
NAME = r"(?<![\w.-])(?P<name>[\w.-]+)"
VALUE = r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\{[^}]*\}"""
PAIR = re.compile(rf"{NAME}=(?P<secret>{VALUE}|[^\s&;\"']+)")
PAIR_OF_URL = re.compile(rf"{NAME}=(?P<secret>{VALUE}|[^&;]+)")
"""The value of a setting is known to be one: a blank does not end the password in it."""
ENTRY = re.compile(rf"""(?<!\w)(['"])(?P<name>[\w.-]+)\1\s*[:=]\s*(?P<secret>{VALUE}|[^\s,}}]+)""")
"""An item of a dictionary as Python, YAML or JSON writes it."""
CONF = re.compile(
    rf"(?<![\w.-])(?P<name>(?:spark|fs|hive|hadoop|javax)\.[\w.-]+)"
    rf"(?:\s+=\s+|\s*:\s+)(?P<secret>{VALUE}|\S+)"
)
"""One whose name has to be of Spark or Hadoop: `a.token = b.token` is SQL."""
PLACES = (
    re.compile(r"//[^\s/:@]*:(?!\d+(?:[/,;?\s]|$))(?P<secret>\S+)(?=@)"),
    re.compile(r"https?://(?P<secret>[^\s/:@]+)(?=@)", re.IGNORECASE),
    re.compile(r"jdbc:oracle:\w+:[^/\s@]*/(?P<secret>\S+)(?=@)", re.IGNORECASE),
    re.compile(
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----(?P<secret>.+?)(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
        re.DOTALL,
    ),
)
"""Where a secret has no name: before the @ of a URL, in a private key."""
SHORT = 8
"""A shorter value can be a word of other texts, as `hive` is: masked where it stands alone."""


def is_secret(name: str) -> bool:
    """Whether a setting of this name holds a secret."""
    return _is_secret(name, _says_key)


def _is_secret_in_text(name: str) -> bool:
    """The same of a name in a running text, where `customer_key=7` is a row or a condition."""
    return _is_secret(name, _says_key if OF_SPARK.match(name) else _says_secret)


def _is_secret(name: str, says_so: Callable[[str, str], bool]) -> bool:
    if ENDS_IN_ACCOUNT.search(name):
        return True
    words = [word.lower() for word in WORD.findall(name)]
    pairs = enumerate(zip(["", *words], words, strict=False))
    telling = [place for place, (before, word) in pairs if says_so(before, word)]
    return bool(telling) and not any(map(ABOUT_IT.fullmatch, words[telling[-1] + 1 :]))


def _says_secret(before: str, word: str) -> bool:
    return SAYS_SECRET.search(word) is not None or (
        word in KEYS and SAYS_SECRET.search(f"{before} {word}") is not None
    )


def _says_key(before: str, word: str) -> bool:
    """As a setting's name does, also where it does not say what the key opens."""
    is_key = word in KEYS and KEYS_OF_ROWS.fullmatch(before) is None
    return is_key or _says_secret(before, word)


def shown(name: str, value: Any) -> Any:
    """The value of a setting, with a mask for the secrets in it."""
    return _shown(name, value, environment_secrets())


def _shown(name: str, value: Any, hidden: tuple[str, ...]) -> Any:
    if isinstance(value, Mapping):
        return {key: _shown(str(key), each, hidden) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_shown(name, each, hidden) for each in value]
    if value is None or str(value).lower() in ("", "true", "false"):
        return value
    if is_secret(name):
        return MASK
    if not isinstance(value, str):
        return value
    return _without(_masked(value, PAIR_OF_URL), hidden)


def masked(text: str, known: Iterable[str] = ()) -> str:
    """The text of an error or a log, with a mask for the secrets in it and for the known ones."""
    return _masked(_without(text, environment_secrets(), tuple(known)), PAIR)


def known_secrets(settings: Iterable[tuple[str, Any]]) -> tuple[str, ...]:
    """The secrets that these settings hold, to be masked wherever a text has them."""
    found = {secret for name, value in settings for secret in _secrets_of(name, value)}
    return tuple(sorted({*found, *map(unquote, found)} - {""}))


def environment_secrets() -> tuple[str, ...]:
    variables = os.environ.items()
    return tuple(text for name, text in variables if name.startswith(ENVIRONMENT) and text.strip())


def cause(error: BaseException, known: Iterable[str] = ()) -> BaseException | None:
    """The error, to be raised from; None where its text, which tracebacks print, has a secret."""
    text = "".join(line for each in _chain(error) for line in traceback.format_exception_only(each))
    return error if masked(text, known) == text else None


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _secrets_of(name: str, value: Any) -> Iterator[str]:
    if shown(name, value) == value:
        return
    if is_secret(name):
        yield str(value)
        return
    for pattern in (*PLACES, PAIR_OF_URL):
        for match in pattern.finditer(value):
            if _is_meant(match):
                yield match["secret"].strip(QUOTES)


def _without(text: str, secrets: Iterable[str], known: Iterable[str] = ()) -> str:
    """The text without the secrets, and without the known ones where they are no part of a word."""
    everywhere = {*secrets, *(each for each in known if len(each) >= SHORT)}
    for secret in sorted(everywhere, key=len, reverse=True):
        text = text.replace(secret, MASK)
    for secret in set(known) - everywhere:
        text = re.sub(rf"(?<!\w)(?<!\w\.){re.escape(secret)}(?!\w|\.\w)", MASK, text)
    return text


def _masked(text: str, pair: re.Pattern[str]) -> str:
    for pattern in (*PLACES, pair, ENTRY, CONF):
        text = pattern.sub(_with_mask, text)
    return text


def _with_mask(match: re.Match[str]) -> str:
    if not _is_meant(match) or match["secret"].strip(QUOTES).startswith(MASK):
        return match[0]
    start, end = (place - match.start() for place in match.span("secret"))
    return match[0][:start] + MASK + match[0][end:]


def _is_meant(match: re.Match[str]) -> bool:
    """Whether the name says that it is a secret; where a text has no name, its place does."""
    name = match.groupdict().get("name")
    return name is None or _is_secret_in_text(name)
