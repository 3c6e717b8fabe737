"""The public surface of the installed package, as docs/stability.md lists it, and that of the last release.

    python -m tests.surface             # write tests/surface.json, before a release
    python tests/surface.py --check     # compare the package that this Python has installed with it

It needs neither pytest nor the source tree, only the folder `schemas/` beside its own.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

FILE = Path(__file__).with_name("surface.json")
MADE = ("Action", "Card", "Case", "Game", "GameRecord", "IdentitySet", "Measure", "Options", "Sampling")
"""Classes that users make instances of; those of other classes come from functions."""


def parameters(function: Any) -> dict[str, str]:
    """Return the parameters of a function in order, each with how it is given."""
    found = {}
    for one in inspect.signature(function).parameters.values():
        kind = {one.KEYWORD_ONLY: "keyword", one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(
            one.kind, "positional"
        )
        found[one.name] = kind + (" optional" if one.default is not one.empty else "")
    return {name: how for name, how in found.items() if name != "self" and not name.startswith("_")}


def described(value: Any) -> Any:
    """Return a public value as the parts of it that stay: parameters, members, keys."""
    if inspect.isclass(value):
        own = [base for base in value.__mro__ if base.__module__.startswith("hanalyze")]
        names = {name for base in own for name in (*vars(base), *getattr(base, "__annotations__", {}))}
        members: dict[str, Any] = {}
        for name in sorted(name for name in names if not name.startswith("_")):
            member = inspect.getattr_static(value, name, None)
            plain = getattr(member, "__func__", member)
            members[name] = {"parameters": parameters(plain)} if inspect.isfunction(plain) else "value"
        made = {"parameters": parameters(value)} if value.__name__ in MADE else {}
        return {"members": members} | made
    if inspect.isfunction(value):
        return {"parameters": parameters(value)}
    if isinstance(value, Mapping):
        return {"keys": dict.fromkeys(map(str, value), "key")}
    return type(value).__name__


def of_module(module: ModuleType) -> dict[str, Any]:
    """Return the functions and classes of a public module."""
    return {
        name: described(value)
        for name, value in sorted(vars(module).items())
        if not name.startswith("_")
        and (inspect.isclass(value) or inspect.isfunction(value))
        and value.__module__.startswith(module.__name__)
    }


def of_command(name: str) -> dict[str, Any]:
    """Return arguments and options of a command, each with how its value is given."""
    from hanalyze.cli.app import command

    found = command(name)
    context = found.make_context(name, [], resilient_parsing=True)
    arguments, options = {}, {}
    for one in found.params:
        shown = (one.get_help_record(context) or ("",))[0]
        kind = "flag" if getattr(one, "is_flag", False) else "value"
        if getattr(one, "multiple", False) or one.nargs == -1:
            kind += ", repeatable"
        values = re.findall(r"[\w-]+", shown.partition(" ")[2]) if "|" in shown else []
        about = {"kind": kind, "values": dict.fromkeys(values, "value")}
        if one.param_type_name == "argument":
            arguments[one.metavar or one.name] = about
        else:
            options |= dict.fromkeys(one.opts, about)
    return {"arguments": arguments, "options": options}


def of_schema(part: Any) -> Any:
    """Return the types of the fields that a JSON schema describes; fields that may be missing have a `?`.

    >>> of_schema({"type": "object", "required": ["x"], "properties": {"x": {"type": ["integer", "null"]}}})
    {'x': 'integer, null'}
    """
    if isinstance(part, list):
        return {str(number): of_schema(one) for number, one in enumerate(part)}
    if "properties" in part:
        needed = part.get("required", ())
        fields = part["properties"].items()
        return {name if name in needed else f"{name}?": of_schema(value) for name, value in fields}
    for name in ("prefixItems", "anyOf", "items", "additionalProperties"):
        if isinstance(part.get(name), (dict, list)):
            return {name: of_schema(part[name])}
    if "$ref" in part:
        return part["$ref"]
    kind = part.get("type", "one of" if "enum" in part else "any")
    return kind if isinstance(kind, str) else ", ".join(kind)


def schemas() -> dict[str, Any]:
    """Return the fields of each definition of each file in `schemas/`."""
    found = {}
    for path in sorted(FILE.parents[1].joinpath("schemas").glob("*.schema.json")):
        whole = json.loads(path.read_text(encoding="utf-8"))
        parts = whole["$defs"] | ({"page": whole} if "properties" in whole else {})
        of = path.name.partition(".")[0]
        found |= {f"{of}: {name}": of_schema(part) for name, part in parts.items()}
    return found


def surface() -> dict[str, Any]:
    """Return all that stays until the next major version."""
    import hanalyze as hz
    from hanalyze.analysis.columns import FRAMES, GROUPS, dtype
    from hanalyze.cli import exits
    from hanalyze.cli.app import command_groups
    from hanalyze.game.meanings import Convention
    from hanalyze.logs.formats.registry import formats
    from hanalyze.store.definitions import definitions
    from hanalyze.store.mistakes import SEVERITIES
    from hanalyze.store.schema import VIEWS, sql_type
    from hanalyze.tables.store import TABLES

    replay = hz.replay(hz.GameRecord(players=("Alice", "Bob"), seed="p2v0s1"))
    objects = {
        "replay": replay,
        "position": replay.state(0),
        "variant": replay.variant,
        "database": hz.connect(),
    }
    public = {name: getattr(hz, name) for name in sorted(hz.__all__)}
    return {
        "python": {
            name: of_module(value) if isinstance(value, ModuleType) else described(value)
            for name, value in public.items()
        },
        "objects": {
            name: {one: "member" for one in dir(value) if not one.startswith("_")}
            for name, value in objects.items()
        },
        "commands": {name: of_command(name) for names in command_groups().values() for name in names},
        "exit codes": {
            name.lower(): getattr(exits, name) for name in ("BROKEN_RULE", "FAILED", "INTERRUPTED")
        },
        "tables": {table: {one.name: sql_type(one) for one in columns} for table, columns in TABLES.items()},
        "views": dict.fromkeys(sorted(VIEWS), "view"),
        "frames": {
            frame: {one.name: str(dtype(one)) for one in columns} for frame, columns in FRAMES.items()
        },
        "groups": {name: str(dtype(one)) for name, one in GROUPS.items()},
        "words": {
            "formats": {one.name: "format" for one in formats()},
            "mistakes": dict.fromkeys(definitions(), "kind"),
            "severities": dict.fromkeys(SEVERITIES, "severity"),
            "conventions": {one.label: one.level for one in Convention},
        },
        "schemas": schemas(),
    }


def broken(then: Any, now: Any, place: str = "") -> Iterator[str]:
    """Yield what the later surface lacks or has otherwise; what it has in addition is allowed.

    >>> list(broken({"parameters": {}}, {"parameters": {"b": "positional"}}))
    ['parameters: b is new and not optional']
    >>> list(broken({"x": {"y": 1}}, {"x": {}, "z": 2}))
    ['x: y is gone']
    """
    if not isinstance(then, dict) or not isinstance(now, dict):
        if then != now:
            yield f"{place}: {then} is now {now}"
        return
    for name, part in then.items():
        if name not in now:
            yield f"{place}: {name} is gone"
        else:
            yield from broken(part, now[name], f"{place}.{name}".lstrip("."))
    if place.endswith(("parameters", "arguments")):
        kept = [name for name in now if name in then]
        if kept != [name for name in then if name in now]:
            yield f"{place}: the order is now {', '.join(kept)}"
        for name in now.keys() - then.keys():
            if place.endswith("parameters") and "optional" not in now[name] and "*" not in now[name]:
                yield f"{place}: {name} is new and not optional"


def main() -> None:
    """Write the surface, or compare the installed package with it."""
    now = json.loads(json.dumps(surface()))
    if "--check" not in sys.argv:
        sections = []
        for title, part in now.items():  # a line for each name
            lines = (f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in part.items())
            sections.append(f" {json.dumps(title)}: {{\n" + ",\n".join(lines) + "\n }")
        FILE.write_text("{\n" + ",\n".join(sections) + "\n}\n", encoding="utf-8")
        return
    found = list(broken(json.loads(FILE.read_text(encoding="utf-8")), now))
    print(*found, sep="\n", end="\n" if found else "")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
