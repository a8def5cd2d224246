import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifyWebhook } from "../../sdk/src/index.ts";
import { createEnrolmentCode } from "../../src/access/devices/create-enrolment-code.ts";
import { warehouses } from "../../src/business/inventory/resource.ts";
import { signatureHeader } from "../../src/webhooks/endpoints/signature.ts";
import { shared, sharedFolder, sharedShop } from "../support/fixtures.ts";
import { freePort, projectDir } from "../support/process.ts";
import { store, warehouseBody } from "../support/records.ts";
import { startService } from "../support/service.ts";

const run = promisify(execFile);

/** At the address that it says it has: the package speaks with where it came from. */
const service = shared(async () => {
  const PORT = String(await freePort());
  return startService({ PORT, PUBLIC_URL: `http://127.0.0.1:${PORT}` });
});
const shop = sharedShop(service);
const folder = sharedFolder("mostrador-cli-");
const empty = sharedFolder("mostrador-cli-npx-");
const address = () => `${service.baseUrl}/docs/descargas/mostrador-cli.tgz`;

/** As on a machine that has Node and npm and nothing of the project: whatever Node that is, 20 or newer. */
const env = () => ({
  PATH: process.env
    .PATH!.split(delimiter)
    .filter((place) => !place.startsWith(projectDir) && !place.includes("node_modules"))
    .join(delimiter),
  HOME: folder.path,
  MOSTRADOR_API_KEY: shop.key,
  npm_config_update_notifier: "false",
});

/** What `npx mostrador` runs there, without the two seconds that npx takes. */
const program = () => join(folder.path, "node_modules/.bin/mostrador");

async function cli(...args: string[]) {
  const { stdout } = await run(program(), args, { cwd: folder.path, env: env() });
  return stdout;
}
const json = async (...args: string[]) => JSON.parse(await cli(...args, "--json"));
const refusal = (...args: string[]) => cli(...args).then(String, (error: { stderr: string }) => error.stderr.trim());

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

let productId = "";
beforeAll(async () => {
  const made = await shop.api.post("/products", { name: "Pan", base_price: 1000, sku: "PAN" });
  productId = made.body.id;
  await store(service.deps, shop.accountId, warehouses, (at) => [{ body: warehouseBody(at) }]);
  await run("npm", ["install", "--no-audit", "--no-fund", address()], { cwd: folder.path, env: env() });
});

describe("the commands without the service, installed from the file that a service serves", () => {
  test("are plain JavaScript that needs nothing else", async () => {
    expect(await readdir(join(folder.path, "node_modules"))).toEqual([".bin", ".package-lock.json", "@mostrador"]);
    const place = join(folder.path, "node_modules/@mostrador/cli");
    const files = await readdir(place, { recursive: true });
    expect(files.filter((name) => name.endsWith(".ts"))).toEqual([]);
    expect(files).toContain("lib/sdk/src/webhooks.js");
    expect(files.filter((name) => /src\/(db|api\/portal|operations)\b/.test(name))).toEqual([]);
    const manifest = JSON.parse(await readFile(join(place, "package.json"), "utf8"));
    expect([manifest.dependencies, manifest.mostrador.url]).toEqual([undefined, service.baseUrl]);
  });

  test("are told by help, and those of the service are not there", async () => {
    const help = await cli("help");
    for (const name of ["listen", "trigger", "events list", "orders create", "keys check", "clock advance", "mcp"])
      expect(help).toMatch(new RegExp(`^  ${name} `, "m"));
    expect(help).not.toContain("migrate");
    expect(await cli("--version")).toBe("1.0.0\n");
    expect(await refusal("account", "list")).toContain('El comando "account list" no existe');
    expect(await cli("completion", "bash")).toContain('"orders") words="cancel create get list preview"');
  });

  test("run by their address alone, and then name themselves by it", async () => {
    const elsewhere = empty.path;
    const npx = (...args: string[]) => run("npx", ["--yes", address(), ...args], { cwd: elsewhere, env: env() });
    expect((await npx("help")).stdout).toContain(`Uso: npx ${address()} <comando>`);
    expect(JSON.parse((await npx("keys", "check", "--json")).stdout)).toMatchObject({ url: service.baseUrl });
  });

  test("keys check", async () => {
    const { key } = await service.key(shop.accountId, { scopes: ["sales:read"] });
    expect(await json("keys", "check", "--key", key)).toMatchObject({ environment: "test", scopes: ["sales:read"] });
  });

  test("verify-signature", async () => {
    await writeFile(join(folder.path, "cuerpo.json"), "{}");
    const header = signatureHeader("{}", ["whsec_a"], 1_790_000_000);
    const check = ["verify-signature", "--body", "cuerpo.json", "--header", header, "--secret"];
    expect(await cli(...check, "whsec_a")).toBe("La firma es válida.\n");
    expect(await cli(...check, "whsec_b").catch(({ stdout }) => stdout)).toContain("La firma no es válida");
  });

  test("orders: preview, create, create again, get, list, cancel", async () => {
    expect(await json("orders", "preview", "--items", "PAN:2")).toMatchObject({ total: 2000 });
    const make = ["orders", "create", "--items", "PAN:2", "--name", "Ana", "--external-id", "W-1", "--source", "Web"];
    const order = await json(...make);
    expect(order).toMatchObject({ status: "placed", total: 2000, source: "Web", contact: { name: "Ana" } });
    expect((await json(...make)).id).toBe(order.id);
    await writeFile(
      join(folder.path, "pedido.json"),
      JSON.stringify({ items: [{ product_id: productId, quantity: 1 }], notes: "Sin bolsa" }),
    );
    const other = await json("orders", "create", "--file", "pedido.json", "--idempotency-key", "uno");
    expect((await json("orders", "create", "--file", "pedido.json", "--idempotency-key", "uno")).id).toBe(other.id);
    expect(await cli("orders", "get", order.id)).toContain("2 × Pan  $2.000");
    const listed = await json("orders", "list", "--status", "placed", "--source", "Web");
    expect(listed.orders.map(({ id }: { id: string }) => id)).toEqual([order.id]);
    const cancelled = await json("orders", "cancel", order.id, "--reason", "Prueba");
    expect(cancelled).toMatchObject({ status: "cancelled", cancelled_reason: "Prueba" });
    expect(await refusal("orders", "create", "--items", "NADA")).toContain("VALIDATION_ERROR");
    expect(await refusal("orders", "create")).toContain("Diga qué se pide");
    expect(await refusal("orders", "list", "--status", "nada")).toContain('El estado "nada" no existe');
  });

  test("trigger, with a register of its own, and events list", async () => {
    expect(await refusal("trigger", "sale.completed")).toContain("--enrolment-code");
    const { code } = await createEnrolmentCode(service.deps, { accountId: shop.accountId, name: "Caja" });
    const sale = await json("trigger", "sale.completed", "--enrolment-code", code);
    expect(sale).toMatchObject({ type: "sale.completed", data: { object: { status: "completed" } } });
    for (const type of ["order.completed", "return.created", "cash_session.closed", "product.created"])
      expect((await json("trigger", type)).type).toBe(type);
    expect(await refusal("trigger", "webhook_endpoint.failing")).toContain("La cuenta no tiene webhooks");
    const { events } = await json("events", "list", "--events", "sale.completed,order.completed");
    expect(new Set(events.map(({ type }: { type: string }) => type))).toEqual(
      new Set(["order.completed", "sale.completed"]),
    );
  });

  test("listen forwards what happens, signed, and events resend sends it again", async () => {
    const heard: { type: string; isSigned: boolean }[] = [];
    const secret = "whsec_de_quien_escucha";
    const receiver = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      const header = String(request.headers["service-signature"]);
      heard.push({ type: JSON.parse(String(body)).type, isSigned: await verifyWebhook(body, header, secret) });
      response.writeHead(204).end();
    }).listen(0, "127.0.0.1");
    await once(receiver, "listening");
    try {
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
      const to = ["--forward-to", url, "--secret", secret];
      const listener = spawn(program(), ["listen", "--no-state", ...to], { cwd: folder.path, env: env() });
      children.push(listener);
      let said = "";
      for (const stream of [listener.stdout, listener.stderr]) stream.on("data", (chunk) => (said += chunk));
      await expect.poll(() => said, { timeout: 20_000 }).toContain("Listo");
      await shop.api.post("/customers", { name: "Ana" });
      await expect.poll(() => heard, { timeout: 20_000 }).toEqual([{ type: "customer.created", isSigned: true }]);
      const [event] = (await shop.api.get("/events?limit=1")).body.data;
      expect(await json("events", "resend", event.id, ...to)).toMatchObject({ status: 204 });
      expect(heard).toHaveLength(2);
    } finally {
      receiver.close();
    }
  });

  test("clock, with a key that may move it", async () => {
    const before = service.deps.clock.offsetMs();
    await service.deps.pool.query("update installation set environment = 'test'");
    expect(await json("clock", "advance", "90s")).toMatchObject({ advanced_ms: 90_000 });
    expect(await json("clock", "show")).toMatchObject({ offset_ms: before + 90_000 });
    const { key } = await service.key(shop.accountId, { scopes: ["orders:read"] });
    expect(await refusal("clock", "advance", "1h", "--key", key)).toContain("clock:write");
  });
});
