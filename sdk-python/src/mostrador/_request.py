"""What both clients know of requests: how they are written, which may be repeated, and what an answer means."""

from __future__ import annotations

import json
import math
import random
import ssl
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Dict, Generic, List, Mapping, Optional, TypeVar
from urllib.parse import quote, urlencode, urlsplit

from .error_types import by_code
from .errors import ConnectionFailed, MostradorError

T = TypeVar("T")

longest_backoff = 8.0
longest_retry_after = 120.0
max_interruptions = 5


@dataclass
class Page(Generic[T]):
    data: List[T]
    has_more: bool
    next_cursor: Optional[str]


@dataclass
class FollowedPage(Generic[T]):
    events: List[T]
    # Save it after processing these events, and none will be lost or repeated.
    cursor: Optional[str]
    # Whether the log ended behind these events when they were read.
    caught_up: bool


@dataclass(frozen=True)
class Settings:
    # A key is not for logs.
    api_key: str = field(repr=False)
    base_url: str
    max_retries: int
    timeout: float
    backoff: float
    ssl_context: Optional[ssl.SSLContext]

    def __post_init__(self) -> None:
        if not self.api_key:
            raise ValueError("Falta api_key: cree una clave en el portal, en Claves API.")
        if urlsplit(self.base_url).scheme not in ("http", "https"):
            raise ValueError("base_url es la dirección de Mostrador, con http:// o https://.")

    @property
    def public_url(self) -> str:
        trimmed = self.base_url.rstrip("/")
        return trimmed if trimmed.endswith("/public/v1") else f"{trimmed}/public/v1"


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def url(self, settings: Settings) -> str:
        return settings.public_url + self.path + (f"?{urlencode(self.query)}" if self.query else "")

    def content(self) -> Optional[bytes]:
        return None if self.body is None else json.dumps(self.body, ensure_ascii=False).encode()

    def all_headers(self, settings: Settings) -> Dict[str, str]:
        own = {
            "authorization": f"Bearer {settings.api_key}",
            "accept": "application/json, application/x-ndjson",
            "user-agent": "mostrador-python/1.0.0",
        }
        if self.body is not None:
            own["content-type"] = "application/json"
        return {**own, **self.headers}


class Failure(Exception):
    """A failed attempt, with the wait that the service asked for."""

    def __init__(self, error: MostradorError, retry_after: Optional[float] = None) -> None:
        self.error = error
        self.retry_after = retry_after


class BrokenOff(Exception):
    """The connection failed, or ended before the answer was complete."""


def failure_of(status: int, headers: Mapping[str, str], text: bytes) -> Failure:
    error = _error_of(text)
    code = _text(error.get("code")) or "INTERNAL_ERROR"
    kind = by_code.get(code, MostradorError)
    problems = error.get("errors")
    return Failure(
        kind(
            _text(error.get("message")) or f"La respuesta fue HTTP {status}.",
            code=code,
            status=status,
            param=_text(error.get("param")),
            request_id=_text(error.get("request_id")) or headers.get("request-id"),
            doc_url=_text(error.get("doc_url")),
            errors=problems if isinstance(problems, list) else [],
            body=error,
        ),
        _seconds(headers.get("retry-after")),
    )


def wait_after(failure: Failure, method: str, attempt: int, settings: Settings) -> float:
    """How long to wait before the next attempt; raises the error if there is to be none."""
    if attempt >= settings.max_retries or not _can_retry(method, failure.error):
        raise failure.error from failure.__cause__
    if failure.retry_after is not None:
        return failure.retry_after
    # Jitter: clients that failed at the same time must not all retry at the same time.
    return float(min(longest_backoff, settings.backoff * 2**attempt)) * random.uniform(0.5, 1)


def _can_retry(method: str, error: MostradorError) -> bool:
    """
    A GET changes nothing and a POST has an idempotency key, so both can be retried after any temporary failure. A PATCH
    can be retried only when it certainly had no effect.
    """
    if error.status == 429:
        return True
    if method in ("PATCH", "DELETE"):
        return False
    return isinstance(error, ConnectionFailed) or error.status >= 500 or error.code == "IDEMPOTENCY_IN_PROGRESS"


def json_of(status: int, text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError as cause:
        # A page of somebody in between, such as a network that wants one to sign in.
        raise MostradorError(f"La respuesta HTTP {status} no es JSON: revise base_url.", status=status) from cause


def page_of(answer: Any) -> Page[Any]:
    return Page(answer["data"], answer["has_more"], answer["next_cursor"])


def query_of(filters: Mapping[str, Any]) -> Dict[str, str]:
    """`created_since=datetime(…)` becomes `created_since=2026-…`. None is left out."""
    return {name: _query_text(name, value) for name, value in filters.items() if value is not None}


def _query_text(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{name} no dice de qué zona es: páselo con tzinfo, o como texto con zona.")
        return value.isoformat()
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def instant_of(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def path_of(path: str, *ids: str) -> str:
    return "/".join([path, *(quote(one, safe="") for one in ids)])


def _error_of(text: bytes) -> Dict[str, Any]:
    """A proxy in between may answer with something other than the service's error format."""
    try:
        error = json.loads(text)["error"]
    except (ValueError, KeyError, TypeError):
        return {}
    return error if isinstance(error, dict) else {}


def _text(value: Any) -> Optional[str]:
    return value if isinstance(value, str) else None


def _seconds(text: Optional[str]) -> Optional[float]:
    try:
        seconds = float(text or "")
    except ValueError:
        return None
    return min(longest_retry_after, max(0.0, seconds)) if math.isfinite(seconds) else None
