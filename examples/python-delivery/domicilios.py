"""Una plataforma de domicilios en miniatura: el menú sale de Mostrador, los pedidos entran, y lo que pasa con ellos vuelve."""

import json
import os
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock

from mostrador import Mostrador, MostradorError, WebhookSignatureError, receive_webhook

mostrador = Mostrador(api_key=os.environ["MOSTRADOR_API_KEY"], base_url=os.environ.get("MOSTRADOR_URL", "http://127.0.0.1:3000"))
secreto = os.environ["MOSTRADOR_WEBHOOK_SECRET"]
candado = Lock()
pedidos: dict = {}

ESTADOS = {
    "order.placed": "esperando al restaurante",
    "order.accepted": "en preparación",
    "order.ready": "listo: que salga el domiciliario",
    "order.completed": "entregado",
    "order.rejected": "rechazado: se devuelve el dinero",
    "order.expired": "sin respuesta: se devuelve el dinero",
    "order.cancelled": "cancelado",
}


def menu() -> list:
    """Lo que se vende hoy, por categorías, en el orden del negocio."""
    nombres = {uno["id"]: (uno["sort_order"], uno["name"]) for uno in mostrador.categories.list()}
    grupos: dict = {}
    for producto in mostrador.products.list():
        if producto["active"] and producto["sellable"] and not producto["has_variants"]:
            plato = {"id": producto["id"], "nombre": producto["name"], "precio": producto["final_price"]}
            grupos.setdefault(nombres.get(producto["category_id"], (9999, "Otros")), []).append(plato)
    return [{"categoria": nombre, "platos": platos} for (_orden, nombre), platos in sorted(grupos.items(), key=lambda uno: uno[0])]


def pedir(numero: str, pedido: dict) -> dict:
    """Con el mismo número se responde el primero: repetir es seguro. Si en diez minutos nadie lo acepta, vence solo."""
    hecho = mostrador.orders.create(
        {
            "external_id": numero,
            "source": "Domicilios",
            "contact": {"name": pedido["cliente"], "phone": pedido["telefono"]},
            "fulfilment": {"type": "delivery", "address": pedido["direccion"], "municipality": pedido["municipio"]},
            "items": [{"product_id": uno["id"], "quantity": uno["cantidad"], "notes": uno.get("nota")} for uno in pedido["platos"]],
            "delivery_fee": pedido.get("domicilio", 0),
            "payment": {"status": "pending"},
            "accept_by": (datetime.now(timezone.utc) + timedelta(minutes=10)).isoformat(),
        }
    )
    guardar("order.placed", hecho)
    return pedidos[numero]


def guardar(tipo: str, hecho: dict) -> None:
    """De dos copias vale la de mayor versión, llegue cuando llegue."""
    with candado:
        tengo = pedidos.get(hecho["external_id"])
        if tipo in ESTADOS and (tengo is None or tengo["version"] < hecho["version"]):
            pedidos[hecho["external_id"]] = {
                "id": hecho["id"],
                "version": hecho["version"],
                "estado": ESTADOS[tipo],
                "total": hecho["total"],
                "listo_a_las": hecho["promised_at"],
                "motivo": hecho["rejected_reason"],
            }


class Plataforma(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path == "/menu":
            self.responder(200, menu())
        else:
            numero = self.path.removeprefix("/pedidos/")
            self.responder(200 if numero in pedidos else 404, pedidos.get(numero))

    def do_POST(self) -> None:
        cuerpo = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path == "/webhooks":
            return self.webhook(cuerpo)
        numero, _, accion = self.path.removeprefix("/pedidos/").partition("/")
        try:
            if accion == "cancelar" and numero not in pedidos:
                self.responder(404, {"error": f"No hay un pedido {numero}."})
            elif accion == "cancelar":
                guardar("order.cancelled", mostrador.orders.cancel(pedidos[numero]["id"], {"reason": "Lo canceló el cliente"}))
                self.responder(200, pedidos[numero])
            else:
                self.responder(201, pedir(numero, json.loads(cuerpo)))
        except MostradorError as error:
            # El mensaje dice qué pasó y qué hacer, en español.
            self.responder(error.status or 503, {"error": str(error)})
        except (KeyError, TypeError, ValueError) as error:
            self.responder(400, {"error": f"El pedido no está completo: {error!r}."})

    def webhook(self, cuerpo: bytes) -> None:
        try:
            evento = receive_webhook(cuerpo, self.headers["service-signature"], secreto)
        except WebhookSignatureError:
            return self.responder(400)
        if evento["type"].startswith("order.") and evento["data"]["object"]["source"] == "Domicilios":
            guardar(evento["type"], evento["data"]["object"])
        self.responder(204)

    def responder(self, estado: int, datos: object = None) -> None:
        texto = b"" if datos is None else json.dumps(datos, ensure_ascii=False).encode()
        self.send_response(estado)
        self.send_header("content-type", "application/json; charset=utf-8")
        self.send_header("content-length", str(len(texto)))
        self.end_headers()
        self.wfile.write(texto)

    def log_message(self, *_args: object) -> None:
        pass


if __name__ == "__main__":
    puerto = int(os.environ.get("PORT", "4242"))
    print(f"Domicilios en http://127.0.0.1:{puerto}", flush=True)
    ThreadingHTTPServer(("127.0.0.1", puerto), Plataforma).serve_forever()
