"""One declared grammar per game: it reads actions, writes them and publishes its JSON Schema.

Reading and schema come from the same declaration, so they agree on every JSON value. What does not fit comes back as
a `Refusal`, the sentence that teaches; it is a value and not an exception, because it is one of a game's answers.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Generic, Literal, TypeVar

from engines.kit.json import Json, JsonObject, described, guess, integer, quoted

A = TypeVar("A")


def listed(words: Iterable[str]) -> str:
    """Words in quotes, with commas."""
    return ", ".join(map(quoted, words))


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action was not taken: the rule, the numbers of this position, and what would be possible."""

    reason: str


@dataclass(frozen=True, slots=True)
class IntField:
    """A whole number from `minimum` to `maximum`, both included."""

    name: str
    minimum: int
    maximum: int
    about: str

    def schema(self) -> JsonObject:
        return {"type": "integer", "minimum": self.minimum, "maximum": self.maximum, "description": self.about}

    def read(self, raw: Json) -> int | Refusal:
        number = integer(raw)
        if number is not None and self.minimum <= number <= self.maximum:
            return number
        fault = "is not one" if number is None else "is out of range"
        return Refusal(
            f'"{self.name}" must be a whole number from {self.minimum} to {self.maximum}; {described(raw)} {fault}. '
            f"{self.about}"
        )


@dataclass(frozen=True, slots=True)
class WordField:
    """One of a few words."""

    name: str
    words: tuple[str, ...]
    about: str

    def schema(self) -> JsonObject:
        return {"enum": self.words, "description": self.about}

    def read(self, raw: Json) -> str | Refusal:
        if isinstance(raw, str) and raw in self.words:
            return raw
        return Refusal(f'"{self.name}" must be one of {listed(self.words)}; it was {described(raw)}. {self.about}')


@dataclass(frozen=True, slots=True)
class Form(Generic[A]):
    """One type of action: its word on the wire, an example, what it does, and its fields.

    The example is an instance of the action's dataclass, whose attributes are the fields in the same order, whatever
    their names on the wire (``from`` is no Python name).
    """

    type: str
    example: A
    about: str
    fields: tuple[IntField | WordField, ...] = ()


class Grammar(Generic[A]):
    """The forms of a game's actions, in the order of its documents.

    `extras` says what happens to keys that no form knows. A grammar that refuses them publishes
    ``additionalProperties: false``; one that ignores them publishes no such promise.
    """

    def __init__(self, *forms: Form[A], extras: Literal["refused", "ignored"] = "refused") -> None:
        self.forms = forms
        self.extras = extras
        self._by_type = {form.type: form for form in forms}
        self._keys = {form.type: ("type", *(field.name for field in form.fields)) for form in forms}
        self._writers = {type(form.example): (form.type, _attributes(form)) for form in forms}
        self._types = listed(self._by_type)
        self.write = lru_cache(maxsize=1024)(self._write)
        """The JSON object that `parse` reads back as an action. Every answer lists some, so they are kept."""

    def parse(self, raw: Json) -> A | Refusal:
        """The action that a JSON value means, or the reason why it means none."""
        if not isinstance(raw, dict):
            return Refusal(
                f"An action is a JSON object such as {self._shown(self.forms[0])}; this one is {described(raw)}."
            )
        if "type" not in raw:
            return Refusal(
                f'The action has no "type". It is one of {self._types}; for example {self._shown(self.forms[0])}.'
            )
        word = raw["type"]
        if not isinstance(word, str):
            return Refusal(f'"type" must be one of the texts {self._types}; it was {described(word)}.')
        form = self._by_type.get(word)
        if form is None:
            return Refusal(
                f"There is no action {quoted(word)}.{guess(word, self._by_type)} The types are {self._types}."
            )
        return self._fill(form, raw)

    def _write(self, action: A) -> JsonObject:
        word, attributes = self._writers[type(action)]
        written: dict[str, Json] = {"type": word}
        for name, attribute in attributes:
            written[name] = getattr(action, attribute)
        return written

    def examples(self) -> list[JsonObject]:
        """One exact action of each type."""
        return [self.write(form.example) for form in self.forms]

    def schema(self) -> JsonObject:
        """The JSON Schema of an action, as the game's document publishes it."""
        closed: JsonObject = {"additionalProperties": False} if self.extras == "refused" else {}
        forms = [
            {
                "type": "object",
                "description": form.about,
                "properties": {"type": {"const": form.type}} | {field.name: field.schema() for field in form.fields},
                "required": list(self._keys[form.type]),
                **closed,
            }
            for form in self.forms
        ]
        return {"type": "object", "oneOf": forms} if closed else {"oneOf": forms}

    def _fill(self, form: Form[A], raw: JsonObject) -> A | Refusal:
        if self.extras == "refused":
            known = self._keys[form.type]
            for key in raw:
                if key not in known:
                    return Refusal(
                        f"{quoted(key)} is not a field of {quoted(form.type)}, which carries {listed(known)} and "
                        f"nothing else: {self._shown(form)}."
                    )
        values: list[int | str] = []
        for field in form.fields:
            if field.name not in raw:
                return Refusal(
                    f'{quoted(form.type)} needs the field "{field.name}" as well: {self._shown(form)}. {field.about}'
                )
            value = field.read(raw[field.name])
            if isinstance(value, Refusal):
                return value
            values.append(value)
        return type(form.example)(*values)

    def _shown(self, form: Form[A]) -> str:
        return json.dumps(self.write(form.example), separators=(",", ":"))


def _attributes(form: Form[Any]) -> list[tuple[str, str]]:
    """Each field's name on the wire and in the action's dataclass."""
    return [(field.name, own.name) for field, own in zip(form.fields, fields(form.example), strict=True)]
