import { execFile, spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { sharedFolder } from "../support/fixtures.ts";
import { projectDir } from "../support/process.ts";

const run = promisify(execFile);
const hasMypy = spawnSync("python3", ["-m", "mypy", "--version"]).status === 0;
const folder = sharedFolder("mostrador-tipos-");

/** What mypy says of a program for Python 3.10, without what it says of others. */
async function mypy(name: string, program: string): Promise<string> {
  await writeFile(join(folder.path, name), program);
  const options = ["--strict", "--follow-imports=silent", "--python-version", "3.10", "--no-error-summary"];
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, MYPYPATH: `${projectDir}sdk-python/src` };
  const said = run("python3", ["-m", "mypy", ...options, name], { cwd: folder.path, env });
  return (await said.catch((error: { stdout: string }) => error)).stdout;
}

describe.skipIf(!hasMypy)(`mypy${hasMypy ? "" : ": needs mypy for python3"}`, () => {
  test("accepts correct use", async () => {
    const program = `
from __future__ import annotations
from datetime import datetime, timezone
from mostrador import AsyncMostrador, ConnectionFailed, Mostrador, receive_webhook
from mostrador.contract import NewCustomer, Sale
from mostrador.error_types import NotFound

mostrador = Mostrador(api_key="mst_test_x", base_url="http://127.0.0.1:3000")

def use() -> None:
    fields: NewCustomer = {"name": "Ana", "document_type": "NIT"}
    created = mostrador.customers.create(fields, idempotency_key="x")
    phone: str | None = created["phone"]
    for one in mostrador.customers.list(q="ana", created_since=datetime.now(timezone.utc)):
        one["document_type"].lower()
    changes = mostrador.sales.sync(updated_since="2026-01-01T00:00:00Z", status="completed")
    for sale in changes:
        s: Sale = sale
        total: int = s["items"][0]["subtotal"]
    point: str = changes.updated_since
    mostrador.inventory.movements.create({"product_id": created["id"], "type": "in", "quantity": 1})
    for session in mostrador.cash_sessions.list(status="open"):
        session["movements"][0]["amount"]
    for event in mostrador.events.list(type=["sale.completed", "invoice.issued"]):
        if event["type"] == "sale.completed":
            t: int = event["data"]["object"]["total"]
    delivery = receive_webhook(b"{}", "t=1,v1=x", "whsec_x")
    if delivery["type"] == "invoice.rejected":
        reason: str | None = delivery["data"]["object"]["dian_message"]
    try:
        mostrador.quotes.get("x")
    except NotFound as error:
        request: str | None = error.request_id
    except ConnectionFailed:
        pass

async def use_without_waiting() -> None:
    async with AsyncMostrador(api_key="x") as shop:
        name: str = (await shop.customers.get("x"))["name"]
        async for sale in shop.sales.list(status="completed"):
            sale["total"] + 1
        async for page in shop.events.follow(type="sale.completed"):
            page.events[0]["id"]
`;
    expect(await mypy("bien.py", program)).toBe("");
  });

  test("refuses what the contract does not allow", async () => {
    const mistakes: Record<string, string> = {
      "a field that does not exist": 'mostrador.customers.create({"nombre": "Ana"})',
      "a required field left out": 'mostrador.products.create({"name": "Leche"})',
      "a value outside the contract": 'mostrador.customers.create({"name": "Ana", "document_type": "DNI"})',
      "a filter of another list": 'mostrador.quotes.list(sku="x")',
      "creating what the API cannot create": "mostrador.sales.create({})",
      "an event type that does not exist": 'mostrador.events.list(type="sale.paid")',
    };
    const start = 'from mostrador import Mostrador\nmostrador = Mostrador(api_key="x")';
    const said = await mypy("mal.py", [start, ...Object.values(mistakes)].join("\n"));
    const refused = Object.keys(mistakes).filter((_what, i) => said.includes(`mal.py:${i + 3}: error:`));
    expect(refused).toEqual(Object.keys(mistakes));
  });
});
