"""Cada evento una sola vez: un repetido tiene el mismo id. En su sistema, una tabla con el id como clave."""

import os
import sqlite3

_base = sqlite3.connect(os.environ.get("EVENTOS", "eventos.sqlite"), check_same_thread=False)
_base.execute("create table if not exists eventos (id text primary key, tipo text not null)")


def procesar(evento):
    # Lo que haga con él va en la misma transacción, y lo largo, después de responder.
    with _base:
        nuevo = _base.execute(
            "insert into eventos values (?, ?) on conflict do nothing", (evento["id"], evento["type"])
        ).rowcount
    if nuevo:
        print(f"{evento['type']} {evento['id']}", flush=True)
