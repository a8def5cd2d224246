import { execFile } from "node:child_process";
import { mkdtemp, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { createEnrolmentCode } from "../../src/access/devices/create-enrolment-code.ts";
import { warehouses } from "../../src/business/inventory/resource.ts";
import { startOrderExpiry } from "../../src/business/orders/expire.ts";
import { authorityFor } from "../../src/fiscal/authority/authority-for.ts";
import { fiscalWorker } from "../../src/fiscal/documents/worker.ts";
import { signatureHeader } from "../../src/webhooks/endpoints/signature.ts";
import { fiscalBusiness } from "../support/fiscal.ts";
import { shared, sharedFolder, sharedService, sharedShop } from "../support/fixtures.ts";
import { mostrador } from "../support/process.ts";
import { store, warehouseBody } from "../support/records.ts";

const run = promisify(execFile);
const service = sharedService();
const shop = sharedShop(service);
const folder = sharedFolder("mostrador-integrador-");
const env = shared(() => ({
  DATABASE_URL: service.databaseUrl,
  DATA_DIR: join(folder.path, "data"),
  SECRET_KEY: service.deps.config.secretKey,
  PUBLIC_URL: service.baseUrl,
  MOSTRADOR_HOME: join(folder.path, "home"),
  MOSTRADOR_API_KEY: shop.key,
}));
beforeAll(async () => {
  await shop.api.post("/products", { name: "Leche", base_price: 4200 });
  await store(service.deps, shop.accountId, warehouses, (at) => [{ body: warehouseBody(at) }]);
});

describe("trigger", () => {
  test.each([
    "customer.created",
    "customer.updated",
    "product.created",
    "product.updated",
    "inventory.movement.created",
    "sale.created",
    "sale.updated",
    "sale.completed",
    "sale.cancelled",
    "cash_session.closed",
    "product.deleted",
    "customer.deleted",
    "return.created",
    "quote.created",
    "quote.updated",
    "order.placed",
    "order.accepted",
    "order.ready",
    "order.completed",
    "order.rejected",
    "order.cancelled",
  ])("%s really happens, and is found in the log", async (type) => {
    const { code, stdout, stderr } = await mostrador(["trigger", type, "--json"], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const event = JSON.parse(stdout);
    expect(event.type).toBe(type);
    const { body } = await shop.api.get(`/events/${event.id}`);
    expect(body).toEqual(event);
    const { object, id } = event.data.object;
    const path = { sale: "sales", cash_session: "cash-sessions", stock_movement: "inventory/movements" }[
      object as string
    ];
    const query = type.endsWith(".deleted") ? "?include_deleted=true" : "";
    expect((await shop.api.get(`/${path ?? `${object}s`}/${id}${query}`)).status).toBe(200);
  });

  test("order.completed delivers what was ordered: its lines, its total, its tip and as it was paid", async () => {
    const { stdout } = await mostrador(["trigger", "order.completed", "--json"], env);
    const order = JSON.parse(stdout).data.object;
    const { body: sale } = await shop.api.get(`/sales/${order.sale_id}`);
    expect(sale).toMatchObject({ total: order.total, tip_amount: order.tip, payment_method: order.payment.method });
    const linesOf = (items: { product_id: string; quantity: number; unit_price: number }[]) =>
      items.map(({ product_id, quantity, unit_price }) => [product_id, quantity, unit_price]);
    expect(linesOf(sale.items)).toEqual(linesOf(order.items));
  });

  test("a step of an order without a register makes neither a product nor an order", async () => {
    const away = await service.business();
    const far = { MOSTRADOR_HOME: join(folder.path, "sin-caja") };
    const args = ["trigger", "order.accepted", "--url", service.baseUrl, "--key", away.key];
    const { code, stderr } = await mostrador(args, far);
    expect([code, stderr]).toEqual([1, expect.stringContaining("--enrolment-code")]);
    for (const path of ["/products", "/orders"]) expect((await away.api.get(path)).body.data).toEqual([]);
  });

  test("order.expired comes from the service's own clock", async () => {
    const expiry = startOrderExpiry(service.deps);
    try {
      const { code, stdout, stderr } = await mostrador(["trigger", "order.expired", "--json"], env);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(JSON.parse(stdout)).toMatchObject({ type: "order.expired", data: { object: { status: "expired" } } });
    } finally {
      await expiry.stop();
    }
  });

  test.each(["invoice.issued", "invoice.rejected"])("%s comes from the authority's own decision", async (type) => {
    const issuer = await fiscalBusiness(service);
    await issuer.api.post("/products", { name: "Leche", base_price: 4200 });
    await store(service.deps, issuer.accountId, warehouses, (at) => [{ body: warehouseBody(at) }]);
    const worker = fiscalWorker(service.deps, authorityFor(service.deps));
    worker.start();
    try {
      const own = { ...env, MOSTRADOR_API_KEY: issuer.key, MOSTRADOR_HOME: join(folder.path, type) };
      const { code, stdout, stderr } = await mostrador(["trigger", type, "--json"], own);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const event = JSON.parse(stdout);
      expect(event.type).toBe(type);
      const { body: invoice } = await issuer.api.get(`/invoices/${event.data.object.id}`);
      expect(invoice.status).toBe(type.slice("invoice.".length));
    } finally {
      await worker.stop();
    }
  });

  test("from another machine, a code from the portal enrols the register", async () => {
    const away = await service.business();
    await away.api.post("/products", { name: "Pan", base_price: 1000 });
    const { code } = await createEnrolmentCode(service.deps, { accountId: away.accountId, name: "Caja" });
    const far = { MOSTRADOR_HOME: join(folder.path, "lejos") };
    const args = ["trigger", "sale.completed", "--url", service.baseUrl, "--key", away.key];
    const without = await mostrador(args, far);
    expect([without.code, without.stderr]).toEqual([1, expect.stringContaining("--enrolment-code")]);
    const made = await mostrador([...args, "--enrolment-code", code], far);
    expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/sale\.completed .*\$1\.000/)]);
    const again = await mostrador(args, far);
    expect(again.code).toBe(0);
  });
});

test("events list shows the newest first", async () => {
  const { stdout } = await mostrador(["events", "list", "--events", "customer.created", "--limit", "1"], env);
  expect(stdout.trim().split("\n")).toHaveLength(1);
  expect(stdout).toMatch(/customer\.created/);
});

test("keys check says what a key may do, and finds a typo without a request", async () => {
  const { key } = await service.key(shop.accountId, { scopes: ["sales:read", "customers:write"] });
  const good = await mostrador(["keys", "check", "--json", "--url", service.baseUrl, "--key", key]);
  expect(JSON.parse(good.stdout)).toMatchObject({ environment: "test", scopes: ["sales:read", "customers:write"] });
  const typo = await mostrador(["keys", "check", "--url", "http://127.0.0.1:1", "--key", `${key.slice(0, -1)}x`]);
  expect([typo.code, typo.stderr]).toEqual([1, expect.stringContaining("mal escrita")]);
  const gone = await mostrador(["keys", "check", "--url", "http://127.0.0.1:1", "--key", key]);
  expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining("Revise --url")]);
});

test("verify-signature reads a saved body and reports the result in its exit code", async () => {
  const file = join(folder.path, "cuerpo.json");
  await writeFile(file, "{}");
  const args = ["verify-signature", "--body", file, "--header", signatureHeader("{}", ["whsec_a"], 1_790_000_000)];
  expect(await mostrador([...args, "--secret", "whsec_a"])).toMatchObject({ code: 0, stdout: "La firma es válida.\n" });
  expect(await mostrador([...args, "--secret", "whsec_b"])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("no es válida: ningún v1"),
  });
});

test("commands for a remote service leave nothing on this machine", async () => {
  const empty = await mkdtemp(join(folder.path, "vacio-"));
  const env = { DATA_DIR: join(empty, "data") };
  await mostrador(["events", "list", "--url", service.baseUrl, "--key", shop.key], env);
  expect(await readdir(empty)).toEqual([]);
});

test.each([
  [["trigger", "sale.paid"], /El evento "sale.paid" no existe. Use: sale.created/],
  [["listen", "--events", "sale.paid"], /El evento "sale.paid" no existe/],
  [["listen", "--secret", "abc"], /--secret debe empezar por whsec_/],
  [["events", "resend", "00000000-0000-4000-8000-000000000000"], /Faltan --forward-to y --secret/],
  [["events", "list", "--key", "mst_test_nada"], /INVALID_API_KEY/],
])("%j ends with one clear line", async (args, message) => {
  const { code, stderr } = await mostrador(args, env);
  expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
  expect(stderr.trim().split("\n")).toHaveLength(1);
});

test("bash completes commands, their second words, event types and options", async () => {
  const { stdout } = await mostrador(["completion", "bash"]);
  await writeFile(join(folder.path, "completion.bash"), stdout);
  const complete = async (...words: string[]) => {
    const list = words.map((word) => `'${word}'`).join(" ");
    const script = `source ${join(folder.path, "completion.bash")}; COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _mostrador; printf '%s\n' "\${COMPREPLY[@]}"`;
    return (await run("bash", ["-c", script])).stdout.trim().split("\n");
  };
  expect(await complete("mostrador", "li")).toEqual(["listen"]);
  expect(await complete("mostrador", "events", "")).toEqual(["list", "resend"]);
  expect(await complete("mostrador", "trigger", "invoice.")).toEqual(["invoice.issued", "invoice.rejected"]);
  expect(await complete("mostrador", "listen", "--f")).toEqual(["--forward-to"]);
});
