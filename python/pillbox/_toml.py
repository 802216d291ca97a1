"""Writing scenes as TOML."""

from __future__ import annotations

import json
import re
from typing import Any, Dict, Iterator, List, Mapping, Tuple

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")

# Keys whose tables are values: they are written inline.
_INLINE = frozenset(["background", "ambient", "checker", "step"])

# Top-level keys whose tables contain only named tables, so that they need no header.
_NAMESPACES = frozenset(["material", "part"])


class Digits(float):
    """A float that keeps all digits of the scene file. They decide whether solids overlap."""

    text: str

    def __new__(cls, text: str) -> "Digits":
        number = super().__new__(cls, text)
        number.text = text
        return number

    def __reduce__(self) -> Tuple[Any, ...]:
        return Digits, (self.text,)


def number(text: str) -> float:
    """Returns the value of a decimal number. It is a Digits if a float has too few digits for it."""
    value = float(text)
    if len(text) <= 15 and "e" not in text and "E" not in text:
        return value
    from decimal import Decimal

    return value if Decimal(repr(value)) == Decimal(text) else Digits(text)


def plain(value: Any) -> Any:
    """Returns a value in Python's own types: arrays and their numbers become tuples and numbers."""
    if value is None or type(value) in (bool, int, float, str, Digits):
        return value
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple, range)):
        return tuple(map(plain, value))
    if isinstance(value, Mapping):
        return {str(key): plain(v) for key, v in value.items()}
    return value


def dumps(root: Mapping[str, Any]) -> str:
    """Returns a TOML file with the given tables."""
    return "".join(_table("", root))


def _table(path: str, table: Mapping[str, Any]) -> Iterator[str]:
    later: List[Tuple[str, Any]] = []
    for key, value in table.items():
        if value is None:
            continue
        if isinstance(value, dict) and key not in _INLINE or _is_tables(value):
            later.append((key, value))
        else:
            yield f"{_key(key)} = {_value(value)}\n"
    for key, value in later:
        inner = f"{path}.{_key(key)}" if path else _key(key)
        for one in [value] if isinstance(value, dict) else value:
            if not isinstance(value, dict):
                yield f"\n[[{inner}]]\n"
            elif path or key not in _NAMESPACES:
                yield f"\n[{inner}]\n"
            yield from _table(inner, one)


def _is_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(v, dict) for v in value)


def _key(key: str) -> str:
    return key if _BARE.match(key) else _text(key)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Digits):
        return value.text
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items() if v is not None) + " }"
    raise TypeError(f"a scene cannot contain a value of type {type(value).__name__}: {value!r:.60}")


def loads(text: bytes) -> Dict[str, Any]:
    """Returns the JSON that ``render dump`` prints, with all digits of its numbers."""
    result: Dict[str, Any] = json.loads(text, parse_float=number)
    return result
