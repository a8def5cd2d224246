import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { afterEach, expect, test } from "vitest";
import { Mostrador, MostradorError } from "../../sdk/src/index.ts";
import { sales } from "../../src/business/sales/resource.ts";
import { shared, sharedService, sharedShop } from "../support/fixtures.ts";
import { change, saleBody, store } from "../support/records.ts";

const service = sharedService();
const shop = sharedShop(service);
const mostrador = shared(() => new Mostrador({ apiKey: shop.key, baseUrl: service.baseUrl }));

const between: Server[] = [];
afterEach(() => {
  for (const server of between.splice(0)) server.close();
});

/** A proxy in front of the service: `meddle` answers in its place, or lets the request through. */
async function behind(
  meddle: (request: IncomingMessage, response: ServerResponse, attempt: number) => boolean,
  options: { timeoutMs?: number } = {},
) {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => void pass(request, response));
  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    seen.push(request);
    if (meddle(request, response, seen.length)) return;
    const body = Buffer.concat(await request.toArray());
    const answer = await fetch(service.baseUrl + request.url, {
      method: request.method!,
      headers: Object.fromEntries(
        Object.entries(request.headers).filter(([name]) => !["host", "connection", "content-length"].includes(name)),
      ) as Record<string, string>,
      ...(body.length > 0 && { body }),
    });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    response.end(Buffer.from(await answer.arrayBuffer()));
  }
  between.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const client = new Mostrador({ apiKey: shop.key, baseUrl: `http://127.0.0.1:${port}`, backoffMs: 1, ...options });
  return { client, seen };
}

test("a customer is created, read, edited and found, with the types of the contract", async () => {
  const made = await mostrador.customers.create({ name: "Ana", document_type: "CC", email: "ana@example.com" });
  expect(await mostrador.customers.get(made.id)).toEqual(made);
  const edited = await mostrador.customers.update(made.id, { phone: "300 123 4567" });
  expect(edited.phone).toBe("300 123 4567");
  const found = await mostrador.customers.list({ email: "ANA@example.com" }).toArray();
  expect(found).toEqual([edited]);
});

test("iterating over a list reads all its pages", async () => {
  const { key, api } = await service.business();
  const client = new Mostrador({ apiKey: key, baseUrl: `${service.baseUrl}/public/v1/` });
  for (const name of ["Uno", "Dos", "Tres", "Cuatro", "Cinco"]) await api.post("/categories", { name });
  const names: string[] = [];
  for await (const { name } of client.categories.list({ pageSize: 2 })) names.push(name);
  expect(names).toEqual(["Cinco", "Cuatro", "Tres", "Dos", "Uno"]);
  const sizes: number[] = [];
  for await (const page of client.categories.list({ pageSize: 2 }).pages()) sizes.push(page.data.length);
  expect(sizes).toEqual([2, 2, 1]);
  expect(await client.categories.list({ q: "cua" }).toArray(1)).toHaveLength(1);
});

test("sync finds every change, even those made while it runs, and saves its position only at the end", async () => {
  const { key, accountId } = await service.business();
  const client = new Mostrador({ apiKey: key, baseUrl: service.baseUrl });
  const [first] = await store(service.deps, accountId, sales, (at) =>
    Array.from({ length: 7 }, () => ({ body: saleBody(at) })),
  );
  const mirror = new Map<string, string>();
  const changes = client.sales.sync({ pageSize: 2 });
  let attempt = 0;
  for await (const sale of changes) {
    mirror.set(sale.id, sale.updated_at);
    // At each step sales change behind, before and at the reader's position.
    if (attempt++ < 6) await change(service.deps, accountId, sales, first!.id, () => ({ notes: String(attempt) }));
    expect(changes.updatedSince).toBe("1970-01-01T00:00:00.000Z");
  }
  const next = client.sales.sync({ updatedSince: changes.updatedSince });
  for await (const sale of next) mirror.set(sale.id, sale.updated_at);
  const now = await client.sales.list().toArray();
  expect(mirror).toEqual(new Map(now.map((sale) => [sale.id, sale.updated_at])));
  const again: string[] = [];
  for await (const sale of client.sales.sync({ updatedSince: next.updatedSince })) again.push(sale.id);
  expect(again).toEqual([first!.id]);
});

test("an error has its code, field, status and request id", async () => {
  const error = await mostrador.customers.create({ name: "" }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(MostradorError);
  expect(error).toMatchObject({ code: "VALIDATION_ERROR", param: "name", status: 400 });
  expect((error as MostradorError).requestId).toMatch(/^req_/);
  expect((error as MostradorError).docUrl).toContain("/docs/errores#VALIDATION_ERROR");
  expect((error as MostradorError).errors).toEqual([{ param: "name", message: expect.any(String) }]);
});

test("a create that fails in transit is repeated with the same key and happens once", async () => {
  const { client, seen } = await behind((request, response, attempt) => {
    if (attempt === 1) request.socket.destroy();
    if (attempt === 2) response.writeHead(503, { "retry-after": "0" }).end("<html>proxy</html>");
    return attempt < 3;
  });
  const made = await client.customers.create({ name: "Una sola vez" });
  expect(made.name).toBe("Una sola vez");
  const keys = seen.map(({ headers }) => headers["idempotency-key"]);
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
});

test("a response that got lost is requested again", async () => {
  const { client } = await behind((request, _response, attempt) => {
    if (attempt > 1) return false;
    void request.toArray().then(async (chunks) => {
      await fetch(service.baseUrl + request.url, {
        method: "POST",
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks),
      }).catch(() => {});
      request.socket.destroy();
    });
    return true;
  });
  const made = await client.customers.create({ name: "Perdida" }, { idempotencyKey: "pedido-77" });
  expect(await mostrador.customers.list({ q: "Perdida" }).toArray()).toEqual([made]);
});

test("a response that is cut off or hangs after its beginning is requested again", async () => {
  const { client, seen } = await behind(
    (_request, response, attempt) => {
      if (attempt > 2) return false;
      response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
      response.write('{"object":"list","data":[', () => attempt === 1 && response.destroy());
      return true;
    },
    { timeoutMs: 4_000 },
  );
  expect(await client.customers.list().toArray()).toEqual(await mostrador.customers.list().toArray());
  expect(seen).toHaveLength(3);
});

test("an edit whose response was cut off is reported as such", async () => {
  const { client, seen } = await behind((_request, response) => {
    response.writeHead(200, { "content-length": "5000" }).write("{", () => response.destroy());
    return true;
  });
  const changing = client.categories.update("8f14e45f-ceea-467f-a8f2-9c1d3b1a0001", { sort_order: 1 });
  await expect(changing).rejects.toMatchObject({ code: "CONNECTION_ERROR", status: 0 });
  expect(seen).toHaveLength(1);
});

test("Retry-After is waited for, and a mistake is not repeated", async () => {
  const times: number[] = [];
  const { client, seen } = await behind((_request, response, attempt) => {
    times.push(performance.now());
    if (attempt === 1) response.writeHead(429, { "retry-after": "1" }).end();
    return attempt === 1;
  });
  await client.warehouses.list().toArray();
  expect(times[1]! - times[0]!).toBeGreaterThan(950);
  await expect(client.sales.get("no-es-un-uuid")).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  expect(seen).toHaveLength(3);
});

test("an edit whose result is unknown is not repeated", async () => {
  const { client, seen } = await behind((request) => {
    request.socket.destroy();
    return true;
  });
  const changing = client.categories.update("8f14e45f-ceea-467f-a8f2-9c1d3b1a0001", { sort_order: 1 });
  await expect(changing).rejects.toMatchObject({ code: "CONNECTION_ERROR", status: 0 });
  expect(seen).toHaveLength(1);
});

test("an export that is cut off continues after its last complete line", async () => {
  const { key, accountId } = await service.business();
  const made = await store(service.deps, accountId, sales, (at) =>
    Array.from({ length: 40 }, () => ({ body: saleBody(at) })),
  );
  let cuts = 0;
  const { client } = await behind((request, response) => {
    const headers = { authorization: `Bearer ${key}` };
    void fetch(service.baseUrl + request.url, { headers }).then(async (answer) => {
      const text = await answer.text();
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      if (cuts++ < 3) response.write(text.slice(0, 7_000), () => response.destroy());
      else response.end(text);
    });
    return true;
  });
  const ids: string[] = [];
  for await (const { id } of client.sales.export({ status: "completed" })) ids.push(id);
  expect(cuts).toBe(4);
  expect(ids).toEqual(made.map(({ id }) => id).reverse());
});

test("an export that waits for its next line stops when it is aborted", async () => {
  const { client } = await behind((_request, response) => {
    response.writeHead(200, { "content-type": "application/x-ndjson" });
    response.write('{"id":"1"}\n{"id":"2"}\n');
    return true;
  });
  const stop = new AbortController();
  const ids: string[] = [];
  const reading = (async () => {
    for await (const { id } of client.sales.export({ signal: stop.signal })) {
      ids.push(id);
      setTimeout(() => stop.abort(new Error("basta")), 50);
    }
  })();
  await expect(reading).rejects.toThrow("basta");
  expect(ids).toEqual(["1", "2"]);
});

test("the event log is followed in order, without gaps and without repeats", async () => {
  const { key, api } = await service.business();
  const client = new Mostrador({ apiKey: key, baseUrl: service.baseUrl });
  await api.post("/customers", { name: "Primera" });
  const names: string[] = [];
  const stop = new AbortController();
  const following = (async () => {
    for await (const { events, cursor } of client.events.follow({ everyMs: 5, signal: stop.signal })) {
      expect(cursor).toEqual(expect.any(String));
      for (const event of events) if (event.type === "customer.created") names.push(event.data.object.name);
      if (names.length === 3) stop.abort(new Error("basta"));
    }
  })();
  await api.post("/customers", { name: "Segunda" });
  await api.post("/customers", { name: "Tercera" });
  await expect(following).rejects.toThrow("basta");
  expect(names).toEqual(["Primera", "Segunda", "Tercera"]);
});
