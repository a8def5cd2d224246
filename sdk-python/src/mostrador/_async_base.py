"""How records are read and written. `_sync_base.py` is made from this file."""

from __future__ import annotations

import asyncio
import json
import uuid
from typing import TYPE_CHECKING, Any, AsyncIterator, Dict, Generic, Mapping, Optional, Sequence, Tuple, TypeVar, Union

from ._http import AsyncExchange, AsyncTransport
from ._request import (
    BrokenOff,
    Failure,
    FollowedPage,
    Page,
    Request,
    Settings,
    failure_of,
    instant_of,
    json_of,
    max_interruptions,
    page_of,
    path_of,
    query_of,
    wait_after,
)
from .errors import ConnectionFailed

if TYPE_CHECKING:
    from typing import List

    from typing_extensions import Unpack

    from . import contract

T = TypeVar("T")
_epoch = "1970-01-01T00:00:00.000Z"


class AsyncSender:
    """Sends a request and retries it until it succeeds, or fails with an error that a retry cannot fix."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._transport = AsyncTransport(settings)

    async def json(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, str]] = None,
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> Any:
        request = Request(method, path, query or {}, body, headers or {})
        attempt = 0
        while True:
            try:
                exchange = await self._once(request, False)
                # Read while the attempt can still be repeated: an answer may break off after its start.
                text = await self._read(exchange)
                return json_of(exchange.status, text)
            except Failure as failure:
                await asyncio.sleep(wait_after(failure, method, attempt, self._settings))
            attempt += 1

    async def stream(self, path: str, query: Mapping[str, str]) -> AsyncExchange:
        request = Request("GET", path, query)
        attempt = 0
        while True:
            try:
                return await self._once(request, True)
            except Failure as failure:
                await asyncio.sleep(wait_after(failure, "GET", attempt, self._settings))
            attempt += 1

    async def wait(self, interruptions: int) -> None:
        await asyncio.sleep(min(8.0, self._settings.backoff * 2**interruptions / 5))

    async def aclose(self) -> None:
        await self._transport.aclose()

    async def _once(self, request: Request, is_stream: bool) -> AsyncExchange:
        exchange = self._transport.exchange(request, is_stream=is_stream)
        try:
            await exchange.start()
        except BrokenOff as cause:
            raise Failure(ConnectionFailed(cause)) from cause
        if exchange.status < 300:
            return exchange
        text = await self._read(exchange)
        raise failure_of(exchange.status, exchange.headers, text)

    async def _read(self, exchange: AsyncExchange) -> bytes:
        try:
            return await exchange.read()
        except BrokenOff as cause:
            raise Failure(ConnectionFailed(cause)) from cause


class AsyncListing(Generic[T]):
    """A list. Iterate over it for every record of every page, or over its pages."""

    def __init__(self, sender: AsyncSender, path: str, query: Mapping[str, str], page_size: int, after: Optional[str]) -> None:
        self._sender = sender
        self._path = path
        self._query = {**query, "limit": str(page_size)}
        self._after = after

    async def pages(self) -> AsyncIterator[Page[T]]:
        cursor = self._after
        while True:
            query = self._query if cursor is None else {**self._query, "starting_after": cursor}
            page: Page[T] = page_of(await self._sender.json("GET", self._path, query=query))
            yield page
            if not page.has_more or page.next_cursor is None:
                return
            cursor = page.next_cursor

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for record in page.data:
                yield record

    async def to_list(self, most: Optional[int] = None) -> List[T]:
        """The records, at most `most` of them."""
        found: List[T] = []
        if most is not None and most <= 0:
            return found
        async for record in self:
            found.append(record)
            if len(found) == most:
                break
        return found


class AsyncChanges(Generic[T]):
    """
    Every record that changed since an instant, at least once. The boundary is inclusive: the next sync returns later
    changes, and records that changed exactly at the boundary again. Store records by `id`, replacing the previous version.
    """

    def __init__(self, sender: AsyncSender, path: str, query: Dict[str, str], page_size: int) -> None:
        self._from = query.get("updated_since", _epoch)
        self._reached = self._from
        self._all: AsyncListing[Any] = AsyncListing(sender, path, {**query, "updated_since": self._from}, page_size, None)

    @property
    def updated_since(self) -> str:
        """
        Save it when the loop has ended and pass it to the next sync. It changes only then: records do not arrive in the
        order in which they changed, so an unfinished loop may have missed some.
        """
        return self._reached

    async def __aiter__(self) -> AsyncIterator[T]:
        greatest = self._from
        async for record in self._all:
            if instant_of(record["updated_at"]) > instant_of(greatest):
                greatest = record["updated_at"]
            yield record
        self._reached = greatest


class AsyncResource:
    """What the resources' own classes say with their types."""

    _path = ""
    _name = ""
    _deletable = False

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def _get(self, id: str, include_deleted: bool = False) -> Any:
        query = {"include_deleted": "true"} if include_deleted else {}
        return await self._sender.json("GET", path_of(self._path, id), query=query)

    def _list(self, filters: Mapping[str, Any], page_size: int, after: Optional[str]) -> AsyncListing[Any]:
        return AsyncListing(self._sender, self._path, query_of(filters), page_size, after)

    def _sync(self, filters: Mapping[str, Any], page_size: int) -> AsyncChanges[Any]:
        # A sync includes deleted records, so that copies can delete them too.
        query = {**({"include_deleted": "true"} if self._deletable else {}), **query_of(filters)}
        return AsyncChanges(self._sender, self._path, query, page_size)

    def _export(self, filters: Mapping[str, Any], after: Optional[str]) -> AsyncIterator[Any]:
        return export_all(self._sender, self._name, query_of(filters), after)

    async def _create(self, body: Any, key: Optional[str]) -> Any:
        return await post_once(self._sender, self._path, body, key)

    async def _create_batch(self, items: Sequence[Any], key: Optional[str]) -> Any:
        return await post_once(self._sender, f"{self._path}/batch", {"items": list(items)}, key)

    async def _update(self, id: str, changes: Any, if_match: Optional[str]) -> Any:
        return await self._sender.json("PATCH", path_of(self._path, id), body=changes, headers=_if_match(if_match))

    async def _cancel(self, id: str, fields: Any, key: Optional[str]) -> Any:
        return await post_once(self._sender, f"{path_of(self._path, id)}/cancel", fields or {}, key)

    async def _receive(self, id: str, fields: Any, key: Optional[str]) -> Any:
        return await post_once(self._sender, f"{path_of(self._path, id)}/receipts", fields or {}, key)

    async def _preview(self, fields: Any) -> Any:
        # It stores nothing, so it may be repeated without a key.
        return await self._sender.json("POST", f"{self._path}/preview", body=fields)


async def post_once(sender: AsyncSender, path: str, body: Any, key: Optional[str]) -> Any:
    # Made once, before the first attempt: every repetition is the same operation.
    return await sender.json("POST", path, body=body, headers={"idempotency-key": key or str(uuid.uuid4())})


def _if_match(tag: Optional[str]) -> Dict[str, str]:
    return {"if-match": tag} if tag else {}


async def export_all(sender: AsyncSender, name: str, filters: Dict[str, str], after: Optional[str]) -> AsyncIterator[Any]:
    """All records in one stream. When the connection breaks, it resumes after the last complete line."""
    last = after
    interruptions = 0
    while True:
        query = filters if last is None else {**filters, "starting_after": last}
        exchange = await sender.stream(f"/exports/{name}", query)
        rest = b""
        try:
            while True:
                part = await exchange.chunk()
                if not part:
                    return
                *lines, rest = (rest + part).split(b"\n")
                for line in lines:
                    record = json.loads(line)
                    yield record
                    last = record["id"]
                    interruptions = 0
        except BrokenOff as cause:
            interruptions += 1
            if interruptions > max_interruptions:
                raise ConnectionFailed(cause) from cause
        finally:
            # When the caller stops early, the service stops sending too.
            await exchange.aclose()
        await sender.wait(interruptions)


class AsyncEvents(AsyncResource):
    """The log of events, kept for 30 days."""

    _path = "/events"
    _name = "events"

    async def get(self, id: str) -> contract.Event:
        event: contract.Event = await self._get(id)
        return event

    def list(
        self, *, page_size: int = 100, starting_after: Optional[str] = None, **filters: Unpack[contract.EventsFilters]
    ) -> AsyncListing[contract.Event]:
        return self._list(filters, page_size, starting_after)

    def export(
        self, *, starting_after: Optional[str] = None, **filters: Unpack[contract.EventsFilters]
    ) -> AsyncIterator[contract.Event]:
        return self._export(filters, starting_after)

    async def follow(
        self,
        *,
        type: Union[contract.EventType, Sequence[contract.EventType], None] = None,
        cursor: Optional[str] = None,
        created_since: Optional[contract.Instant] = None,
        every: float = 1.0,
        until_end: bool = False,
    ) -> AsyncIterator[FollowedPage[contract.Event]]:
        """
        Iterates over the log, oldest first, and then waits for new events, without end. `cursor` is that of the last page
        you processed; without it, following starts at `created_since`, or at the start of the log. With `until_end` it ends
        where the log ends instead of waiting for more, with nothing new without a page: for a task that runs now and then.
        """
        filters = {**query_of({"type": type, "created_since": created_since}), "order": "asc", "limit": "100"}
        while True:
            query = {**filters, "starting_after": cursor} if cursor else filters
            page: Page[Any] = page_of(await self._sender.json("GET", self._path, query=query))
            cursor = page.next_cursor
            if page.data:
                yield FollowedPage(page.data, cursor, not page.has_more)
            if page.has_more:
                continue
            if until_end:
                return
            await asyncio.sleep(every)


class AsyncVariants:
    """The variants of a product, one by one. `if_match` is the ETag of the product."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def create(
        self, product_id: str, fields: contract.NewProductVariant, *, idempotency_key: Optional[str] = None
    ) -> contract.ProductVariant:
        path = f"{path_of('/products', product_id)}/variants"
        variant: contract.ProductVariant = await post_once(self._sender, path, fields, idempotency_key)
        return variant

    async def update(
        self, product_id: str, id: str, changes: contract.ProductVariantChanges, *, if_match: Optional[str] = None
    ) -> contract.ProductVariant:
        return await self._send("PATCH", (product_id, id), changes, if_match)

    async def delete(self, product_id: str, id: str, *, if_match: Optional[str] = None) -> contract.ProductVariant:
        """Returns the variant as it was, with its deleted_at."""
        return await self._send("DELETE", (product_id, id), None, if_match)

    async def _send(self, method: str, ids: Tuple[str, str], body: Any, if_match: Optional[str]) -> contract.ProductVariant:
        path = path_of(f"{path_of('/products', ids[0])}/variants", ids[1])
        variant: contract.ProductVariant = await self._sender.json(method, path, body=body, headers=_if_match(if_match))
        return variant
