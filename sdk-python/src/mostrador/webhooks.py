from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from typing import TYPE_CHECKING, List, Optional, Sequence, Tuple, Union, cast

from .errors import WebhookSignatureError

if TYPE_CHECKING:
    from .contract import WebhookEvent

# The body exactly as received: JSON that was parsed and serialized again may differ.
RawBody = Union[bytes, bytearray, memoryview, str]

_time = re.compile(r"(?:0|[1-9][0-9]{0,14})\Z", re.ASCII)
_v1 = re.compile(r"[0-9a-f]{64}\Z", re.ASCII)


def verify_webhook(
    raw_body: RawBody,
    header: Optional[str],
    secret: Union[str, Sequence[str]],
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
) -> bool:
    """
    Whether the service signed this body with this secret, recently. During a rotation the service signs with both secrets;
    you can also pass both, in any order.
    """
    secrets = [one for one in ([secret] if isinstance(secret, str) else secret) if one]
    signature = _parse(header or "")
    if signature is None or not secrets:
        return False
    sent, signatures = signature
    clock = time.time() if now is None else now
    # Negated, so that a clock that is not a number rejects instead of accepting.
    if not abs(clock - int(sent)) <= tolerance:
        return False
    signed = f"{sent}.".encode() + _bytes(raw_body)
    # The complete secret signs, including its prefix; every pair is compared, so timing does not reveal which one matched.
    return any(
        [
            hmac.compare_digest(hmac.new(one.encode(), signed, hashlib.sha256).hexdigest(), v1)
            for one in secrets
            for v1 in signatures
        ]
    )


def parse_webhook(raw_body: RawBody) -> WebhookEvent:
    """Parses a delivery without verifying it: verify it first, or use receive_webhook."""
    event = json.loads(_bytes(raw_body))
    is_event = isinstance(event, dict) and isinstance(event.get("id"), str) and isinstance(event.get("type"), str)
    data = event.get("data") if is_event else None
    if not isinstance(data, dict) or not isinstance(data.get("object"), dict):
        raise ValueError("El cuerpo no es un evento de Mostrador.")
    return cast("WebhookEvent", event)


def receive_webhook(
    raw_body: RawBody,
    header: Optional[str],
    secret: Union[str, Sequence[str]],
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
) -> WebhookEvent:
    """Verifies and parses a delivery; raises WebhookSignatureError when the signature is not valid."""
    if verify_webhook(raw_body, header, secret, tolerance=tolerance, now=now):
        return parse_webhook(raw_body)
    raise WebhookSignatureError(
        "La firma del webhook no es válida. Revise el secreto, que el cuerpo sea el recibido byte por byte y la hora del "
        "servidor."
    )


def _parse(header: str) -> Optional[Tuple[str, List[str]]]:
    """Unknown schemes are skipped, so that new ones can be added beside v1. Two timestamps are ambiguous, so invalid."""
    fields = [field.partition("=") for field in header.split(",")]
    times = [value for key, _, value in fields if key == "t"]
    signatures = [value for key, _, value in fields if key == "v1" and _v1.match(value)]
    if len(times) != 1 or not _time.match(times[0]) or not signatures:
        return None
    return times[0], signatures


def _bytes(body: RawBody) -> bytes:
    return body.encode() if isinstance(body, str) else bytes(body)
