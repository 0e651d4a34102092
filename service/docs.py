"""`/docs`: the OpenAPI document as one plain page, made here, because the usual viewers come from the network."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]


def docs_page(document: Schema, stylesheets: tuple[str, ...]) -> str:
    """The HTML that lists every route of an OpenAPI document with what it takes and answers."""
    info = document["info"]
    icon = '<link rel="icon" href="/pages/icon.svg" type="image/svg+xml">'
    links = icon + "".join(f'<link rel="stylesheet" href="{sheet}">' for sheet in stylesheets)
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    routes = "".join(
        _route(document, method, path, route)
        for path, methods in document["paths"].items()
        for method, route in methods.items()
    )
    return (
        f'<!doctype html><html lang="en"><head>{head}<title>{_e(info["title"])}</title>{links}</head>'
        f'<body class="docs"><main>'
        f"<h1>{_e(info['title'])} {_e(info['version'])}</h1>{_paragraphs(info.get('description', ''))}"
        f'<p><a href="/openapi.json">openapi.json</a></p>{routes}</main></body></html>'
    )


def _route(document: Schema, method: str, path: str, route: Schema) -> str:
    taken = "".join(_parameter(parameter) for parameter in route.get("parameters", ()))
    body = route.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    answers = "".join(
        f"<li><code>{_e(status)}</code> {_e(answer['description'])}</li>"
        for status, answer in route["responses"].items()
    )
    return (
        f"<section><h2><code>{method.upper()} {_e(path)}</code></h2>"
        f"<p><strong>{_e(route.get('summary', ''))}</strong></p>{_paragraphs(route.get('description', ''))}"
        f"{'<h3>Takes</h3><ul>' + taken + '</ul>' if taken else ''}"
        f"{'<h3>Body</h3>' + ''.join(_bodies(document, body)) if body else ''}"
        f"<h3>Answers</h3><ul>{answers}</ul></section>"
    )


def _parameter(parameter: Schema) -> str:
    return (
        f"<li><code>{_e(parameter['name'])}</code> ({_e(parameter['in'])}) {_e(parameter.get('description', ''))}</li>"
    )


def _bodies(document: Schema, schema: Schema) -> Iterator[str]:
    """One table for each body that a route takes."""
    for one in schema.get("oneOf") or schema.get("anyOf") or (schema,):
        body = _resolved(document, one)
        fields = "".join(_field(document, name, field, body) for name, field in body.get("properties", {}).items())
        about = _e(body.get("description", ""))
        yield f"<table><caption>{about}</caption><tbody>{fields}</tbody></table>"


def _field(document: Schema, name: str, field: Schema, body: Schema) -> str:
    needed = "" if name in body.get("required", ()) else " (optional)"
    about = field.get("description") or _resolved(document, field).get("description", "")
    kind = _e(_kind(document, field))
    return f'<tr><th scope="row"><code>{_e(name)}</code>{needed}</th><td>{kind}</td><td>{_e(about)}</td></tr>'


def _kind(document: Schema, field: Schema) -> str:
    """What a field holds, in few words."""
    field = _resolved(document, field)
    if "const" in field:
        return json.dumps(field["const"])
    if "enum" in field:
        return " or ".join(json.dumps(value) for value in field["enum"])
    if "anyOf" in field:
        return " or ".join(kind for one in field["anyOf"] if (kind := _kind(document, one)) != "null")
    if field.get("type") == "array":
        return f"list of {_kind(document, field.get('items', {}))}"
    return str(field.get("type", "anything"))


def _resolved(document: Schema, schema: Schema) -> Schema:
    while "$ref" in schema:
        found: Any = document
        for part in str(schema["$ref"]).removeprefix("#/").split("/"):
            found = found[part]
        schema = found
    return schema


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{_e(part)}</p>" for part in text.split("\n\n") if part.strip())


def _e(text: object) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(str(text)))
