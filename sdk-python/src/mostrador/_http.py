"""HTTP/1.1 with the standard library: connections are kept for reads, and every attempt has a time of its own."""

from __future__ import annotations

import asyncio
import base64
import http.client
import select
import socket
import threading
import time
from typing import Any, Callable, Dict, List, Optional, TypeVar
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from ._request import BrokenOff, Request, Settings

T = TypeVar("T")
_kept_connections = 8


class Transport:
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._idle: List[http.client.HTTPConnection] = []
        self._lock = threading.Lock()

    def exchange(self, request: Request, *, is_stream: bool) -> Exchange:
        return Exchange(self, request, is_stream)

    def take(self, method: str) -> http.client.HTTPConnection:
        # One may be closed at the very moment when it is used: only what can be repeated takes that chance.
        while method in ("GET", "POST"):
            with self._lock:
                if not self._idle:
                    break
                connection = self._idle.pop()
            # Nothing is awaited, so what can be read is its end.
            if connection.sock and not select.select([connection.sock], [], [], 0)[0]:
                return connection
            connection.close()
        return self._connection()

    def keep(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if len(self._idle) < _kept_connections:
                self._idle.append(connection)
                return
        connection.close()

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def target(self, url: str) -> str:
        parts = urlsplit(url)
        if parts.scheme == "http" and self._proxy():
            return url
        return parts.path + (f"?{parts.query}" if parts.query else "")

    def _connection(self) -> http.client.HTTPConnection:
        own = urlsplit(self.settings.public_url)
        proxy = self._proxy()
        at = urlsplit(proxy) if proxy else own
        if not at.hostname or not own.hostname:
            raise ValueError("base_url es la dirección de Mostrador, con http:// o https://.")
        timeout = self.settings.timeout
        if own.scheme == "http":
            return http.client.HTTPConnection(at.hostname, at.port, timeout=timeout)
        connection = http.client.HTTPSConnection(
            at.hostname, at.port, timeout=timeout, context=self.settings.ssl_context
        )
        if proxy:
            headers = {}
            if at.username:
                pair = f"{unquote(at.username)}:{unquote(at.password or '')}"
                headers["proxy-authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
            connection.set_tunnel(own.hostname, own.port or 443, headers)
        return connection

    def _proxy(self) -> Optional[str]:
        own = urlsplit(self.settings.public_url)
        host = own.hostname or ""
        if host == "localhost" or host.startswith("127.") or proxy_bypass(host):
            return None
        return getproxies().get(own.scheme)


class Exchange:
    """One request and its answer."""

    status = 0
    _is_aborted = False

    def __init__(self, transport: Transport, request: Request, is_stream: bool) -> None:
        self.headers: Dict[str, str] = {}
        self._transport = transport
        self._request = request
        self._is_stream = is_stream
        self._deadline = time.monotonic() + transport.settings.timeout
        self._connection: Optional[http.client.HTTPConnection] = None
        self._socket: Optional[socket.socket] = None
        self._response: Optional[http.client.HTTPResponse] = None
        self._missing: Optional[int] = None

    def start(self) -> None:
        request, settings = self._request, self._transport.settings
        self._connection = connection = self._transport.take(request.method)
        target = self._transport.target(request.url(settings))
        try:
            if connection.sock is None:
                connection.connect()
            self._socket = connection.sock
            if self._is_aborted:
                raise OSError("la solicitud se canceló")
            self._limit()
            connection.request(request.method, target, request.content(), dict(request.all_headers(settings)))
            self._limit()
            self._response = response = connection.getresponse()
        except (OSError, http.client.HTTPException) as cause:
            raise self._broken(cause) from cause
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        length = self.headers.get("content-length", "")
        is_chunked = "chunked" in self.headers.get("transfer-encoding", "")
        self._missing = int(length) if length.isdecimal() and not is_chunked else None

    def chunk(self) -> bytes:
        """The next bytes; none at the end. Raises BrokenOff when the answer ends before it is complete."""
        if self._response is None or self._missing == 0:
            return b""
        try:
            # A stream may take as long as it takes, as long as something comes.
            if self._is_stream:
                self._deadline = time.monotonic() + self._transport.settings.timeout
            self._limit()
            part = self._response.read1(65536)
        except (OSError, http.client.HTTPException, ValueError) as cause:
            raise self._broken(cause) from cause
        if self._missing is not None:
            if not part:
                raise self._broken("la respuesta llegó incompleta")
            self._missing -= len(part)
        return part

    def read(self) -> bytes:
        parts = []
        while True:
            part = self.chunk()
            if not part:
                break
            parts.append(part)
        self._finish()
        return b"".join(parts)

    def close(self) -> None:
        """Gives up what was not read."""
        connection, self._connection = self._connection, None
        if connection:
            connection.close()

    def abort(self) -> None:
        """Ends the wait of another thread in this exchange."""
        self._is_aborted = True
        if self._socket:
            try:
                self._socket.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def _finish(self) -> None:
        connection, self._connection = self._connection, None
        response = self._response
        if connection is None or response is None:
            return
        if response.will_close or (self._missing is None and not response.isclosed()):
            connection.close()
            return
        response.close()
        # `http.client` waits for its own reading of the end, which a counted body does not need.
        self._transport.keep(connection)

    def _limit(self) -> None:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError(f"sin respuesta en {self._transport.settings.timeout:g} s")
        if self._socket:
            self._socket.settimeout(left)

    def _broken(self, cause: Any) -> BrokenOff:
        self.close()
        return BrokenOff(cause)


class AsyncTransport:
    """The same in threads, because the standard library has no HTTP that waits without one."""

    def __init__(self, settings: Settings) -> None:
        self._blocking = Transport(settings)

    def exchange(self, request: Request, *, is_stream: bool) -> AsyncExchange:
        return AsyncExchange(self._blocking.exchange(request, is_stream=is_stream))

    async def aclose(self) -> None:
        self._blocking.close()


class AsyncExchange:
    def __init__(self, blocking: Exchange) -> None:
        self._blocking = blocking

    @property
    def status(self) -> int:
        return self._blocking.status

    @property
    def headers(self) -> Dict[str, str]:
        return self._blocking.headers

    async def start(self) -> None:
        await self._in_thread(self._blocking.start)

    async def chunk(self) -> bytes:
        return await self._in_thread(self._blocking.chunk)

    async def read(self) -> bytes:
        return await self._in_thread(self._blocking.read)

    async def aclose(self) -> None:
        self._blocking.close()

    async def _in_thread(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.to_thread(work)
        except asyncio.CancelledError:
            self._blocking.abort()
            raise
