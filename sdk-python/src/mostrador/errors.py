from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Optional, TypedDict

if TYPE_CHECKING:
    from .contract import ErrorCode


class FieldProblem(TypedDict):
    """A field of the request that the service rejected."""

    param: str
    message: str


class MostradorError(Exception):
    """
    An error response. Each code of the service has a class of its own in `mostrador.error_types`; one that this version
    does not know is a MostradorError. Decide by the class or by `code`, which never changes; the message is for people.
    """

    def __init__(
        self,
        message: str,
        *,
        code: ErrorCode = "INTERNAL_ERROR",
        status: int = 0,
        param: Optional[str] = None,
        request_id: Optional[str] = None,
        doc_url: Optional[str] = None,
        errors: Optional[List[FieldProblem]] = None,
        body: Optional[Dict[str, Any]] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.status = status
        self.param = param
        self.request_id = request_id
        self.doc_url = doc_url
        self.errors: List[FieldProblem] = errors or []
        # The complete error as the service sent it.
        self.body: Dict[str, Any] = body or {}


class ConnectionFailed(MostradorError):
    """The service could not be reached, or its answer broke off. `code` is `CONNECTION_ERROR` and `status` 0."""

    def __init__(self, cause: object) -> None:
        super().__init__(f"No se pudo hablar con Mostrador: {cause or 'error de red'}.", code="CONNECTION_ERROR")


class WebhookSignatureError(Exception):
    """A webhook whose signature is wrong or too old."""
