"""A program as an integrator writes it over a generated client. try-clients.ts runs it in a folder with the client."""

import importlib
import pkgutil
import sys
import uuid

import mostrador_client
from mostrador_client import AuthenticatedClient
from mostrador_client.api.clientes import create_customer
from mostrador_client.api.eventos import list_events
from mostrador_client.api.pedidos import create_order
from mostrador_client.api.productos import create_product, list_products
from mostrador_client.models import CustomerEvent, Error, NewCustomer, NewOrder, NewProduct

for module in pkgutil.walk_packages(mostrador_client.__path__, "mostrador_client."):
    importlib.import_module(module.name)

url, key = sys.argv[1:]
client = AuthenticatedClient(base_url=url, token=key)


def create(name: str):
    body = NewCustomer(name=name, phone=None)
    return create_customer.sync(client=client, body=body, idempotency_key=str(uuid.uuid4()))


assert len(list_products.sync(client=client, limit=5).data) == 5
customer = create("Ana")
assert customer.person_type == "person", customer
refused = create("")
assert isinstance(refused, Error) and refused.error.code == "VALIDATION_ERROR", refused
product = create_product.sync(
    client=client, body=NewProduct.from_dict({"name": "Pan", "base_price": 1000}), idempotency_key=str(uuid.uuid4())
)
wanted = NewOrder.from_dict({"items": [{"product_id": str(product.id), "quantity": 2}]})
order = create_order.sync(client=client, body=wanted, idempotency_key=str(uuid.uuid4()))
assert order.status == "placed" and order.items[0].quantity == 2, order
event = list_events.sync(client=client, type_="customer.created", limit=1).data[0]
assert isinstance(event, CustomerEvent) and event.data.object_.id == customer.id, event
