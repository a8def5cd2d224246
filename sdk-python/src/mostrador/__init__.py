"""Cliente de la API de Mostrador."""

from ._async_base import AsyncChanges, AsyncListing
from ._async_client import AsyncMostrador
from ._request import FollowedPage, Page
from ._sync_base import Changes, Listing
from ._sync_client import Mostrador
from .errors import ConnectionFailed, FieldProblem, MostradorError, WebhookSignatureError
from .webhooks import parse_webhook, receive_webhook, verify_webhook

__all__ = [
    "AsyncChanges",
    "AsyncListing",
    "AsyncMostrador",
    "Changes",
    "ConnectionFailed",
    "FieldProblem",
    "FollowedPage",
    "Listing",
    "Mostrador",
    "MostradorError",
    "Page",
    "WebhookSignatureError",
    "parse_webhook",
    "receive_webhook",
    "verify_webhook",
]
