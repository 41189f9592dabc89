"""Examples of packets, generated from the schema. They are valid and deterministic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from games.wire.schema import REFERENCE, Schema


def example(defs: Mapping[str, Schema], name: str) -> Any:
    """Return an example of the type with this name in `$defs`."""
    return _Maker(defs).of(defs[name])


class _Maker:
    """Generates one example. If a type lists several example values, they are used in turn."""

    def __init__(self, defs: Mapping[str, Schema]) -> None:
        self._defs = defs
        self._taken: Counter[str] = Counter()

    def of(self, schema: Schema) -> Any:
        if "$ref" in schema:
            return self.of(self._defs[schema["$ref"].removeprefix(REFERENCE)])
        if schema.get("default"):
            return schema["default"]
        for key in ("const", "examples", "enum", "anyOf", "type"):
            if key in schema:
                return getattr(self, f"_by_{key}")(schema)
        return {}

    def _by_const(self, schema: Schema) -> Any:
        return schema["const"]

    def _by_examples(self, schema: Schema) -> Any:
        values = schema["examples"]
        self._taken[str(values)] += 1
        return values[(self._taken[str(values)] - 1) % len(values)]

    def _by_enum(self, schema: Schema) -> Any:
        return schema["enum"][0]

    def _by_anyOf(self, schema: Schema) -> Any:  # noqa: N802  (the word of JSON Schema)
        return self.of(schema["anyOf"][0])

    def _by_type(self, schema: Schema) -> Any:
        kinds = schema["type"]
        kind = kinds if isinstance(kinds, str) else kinds[0]
        match kind:
            case "object":
                return self._object(schema)
            case "array":
                return [self.of(schema["items"]) for _ in range(schema.get("minItems", 1))]
            case "string":
                return "…"
            case "integer":
                return max(schema.get("minimum", 1), 1)
            case "number":
                return 12.5
            case "boolean":
                return True
        return None

    def _object(self, schema: Schema) -> Any:
        if "properties" in schema:
            required = schema["required"]
            fields = schema["properties"].items()
            shown = {name: of for name, of in fields if name in required or _tells(of)}
            made = {name: self.of(of) for name, of in shown.items()}
            doubts = {name: False for name in made if name.startswith("is")}  # isBot, isSkipped
            return {**made, **doubts}
        if not schema["additionalProperties"]:
            return {}
        names = schema.get("propertyNames")
        key = self.of(names) if names else "0"
        return {key: self.of(schema["additionalProperties"])}


def _tells(schema: Schema) -> bool:
    """Whether examples include this optional field."""
    return "description" in schema or "$ref" in schema or bool(schema.get("default"))
