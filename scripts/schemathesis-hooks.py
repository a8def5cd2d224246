"""What a client of the API knows and its schema cannot say."""

import re
import uuid

import schemathesis


@schemathesis.hook
def before_call(context, case, kwargs):
    # One key per operation: the tool repeats the reference's example, and another body under it is refused.
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and re.fullmatch(r"[A-Za-z0-9_\-:.]{1,255}", key):
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
    # A cursor is what a page gave: any other text is refused, whatever its letters.
    meta = getattr(case, "meta", None)
    if meta is not None and meta.generation.mode.is_positive and case.query:
        case.query.pop("starting_after", None)
