import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { projectDir } from "../support/process.ts";
import { sharedSdkFolder } from "../support/sdk-package.ts";

const run = promisify(execFile);
const service = sharedService();
const shop = sharedShop(service);
const folder = sharedSdkFolder("mostrador-proyecto-");

const tsc = (...args: string[]) => run(`${projectDir}node_modules/.bin/tsc`, args, { cwd: folder.path });
const strict = ["--strict", "--noEmit", "--target", "es2022", "--module", "nodenext"];

test("the package has no dependencies and ships its types", async () => {
  const manifest = JSON.parse(await readFile(join(folder.path, "node_modules/@mostrador/sdk/package.json"), "utf8"));
  expect(manifest.dependencies).toBeUndefined();
  await expect(readFile(join(folder.path, "node_modules/@mostrador/sdk/dist/index.d.ts"), "utf8")).resolves.toContain(
    "Mostrador",
  );
});

test("plain JavaScript can use it", async () => {
  const program = `
    import { Mostrador, MostradorError } from "@mostrador/sdk";
    const mostrador = new Mostrador({ apiKey: process.env.KEY, baseUrl: process.env.URL });
    const { id } = await mostrador.customers.create({ name: "Ana" }, { idempotencyKey: "uno" });
    const found = [];
    for await (const customer of mostrador.customers.list({ q: "ana" })) found.push(customer.id);
    const error = await mostrador.sales.get(id).catch((thrown) => thrown);
    console.log(JSON.stringify([found.includes(id), error instanceof MostradorError, error.code]));`;
  await writeFile(join(folder.path, "uso.mjs"), program);
  const env = { ...process.env, KEY: shop.key, URL: service.baseUrl };
  // Both the Node that runs the tests and whatever older one the machine has.
  for (const node of [process.execPath, "node"]) {
    const { stdout } = await run(node, ["uso.mjs"], { cwd: folder.path, env });
    expect(JSON.parse(stdout)).toEqual([true, true, "NOT_FOUND"]);
  }
});

test("TypeScript accepts correct use under --strict", async () => {
  const program = `
    import { Mostrador, MostradorError, receiveWebhook, type Sale, type WebhookEvent } from "@mostrador/sdk";
    const mostrador = new Mostrador({ apiKey: "mst_test_x", baseUrl: "http://127.0.0.1:3000" });
    export async function use(): Promise<void> {
      const created = await mostrador.customers.create({ name: "Ana", document_type: "NIT" }, { idempotencyKey: "x" });
      const phone: string | null = created.phone;
      for await (const one of mostrador.customers.list({ q: "ana", createdSince: new Date() })) one.document_type.length;
      const changes = mostrador.sales.sync({ updatedSince: "2026-01-01T00:00:00Z", status: "completed" });
      for await (const sale of changes) { const s: Sale = sale; const total: number = s.items[0]!.subtotal; void total; }
      const point: string = changes.updatedSince;
      await mostrador.inventory.movements.create({ product_id: created.id, type: "in", quantity: 1 });
      for await (const session of mostrador.cashSessions.list({ status: "open" })) session.movements[0]?.amount;
      for await (const event of mostrador.events.list({ type: ["sale.completed", "invoice.issued"] }))
        if (event.type === "sale.completed") { const t: number = event.data.object.total; void t; }
      const event: WebhookEvent = await receiveWebhook("{}", "t=1,v1=x", "whsec_x");
      switch (event.type) {
        case "invoice.rejected": { const reason: string | null = event.data.object.dian_message; void reason; break; }
        case "webhook.test": event.data.object.message.length;
      }
      try { await mostrador.quotes.get("x"); } catch (error) {
        if (error instanceof MostradorError && error.code === "NOT_FOUND") { const r: string | undefined = error.requestId; void r; }
      }
      void [phone, point];
    }`;
  await writeFile(join(folder.path, "uso.ts"), program);
  await tsc(...strict, "uso.ts");
});

const mistakes: Record<string, string> = {
  "a field that does not exist": "mostrador.customers.create({ nombre: 'Ana' })",
  "a required field left out": "mostrador.products.create({ name: 'Leche' })",
  "a value outside the contract": "mostrador.customers.create({ name: 'Ana', document_type: 'DNI' })",
  "a filter of another list": "mostrador.quotes.list({ sku: 'x' })",
  "creating what the API cannot create": "mostrador.sales.create({})",
  "an event type that does not exist": "mostrador.events.list({ type: 'sale.paid' })",
};

test("TypeScript refuses what the contract does not allow", async () => {
  const lines = Object.values(mistakes).map((expression, i) => `export const x${i} = ${expression};`);
  const start = 'import { Mostrador } from "@mostrador/sdk";\nconst mostrador = new Mostrador({ apiKey: "x" });';
  await writeFile(join(folder.path, "mal.ts"), [start, ...lines].join("\n"));
  const said = await tsc(...strict, "mal.ts").then(
    () => "",
    (error: { stdout: string }) => error.stdout,
  );
  const refused = Object.keys(mistakes).filter((_what, i) => said.includes(`mal.ts(${i + 3},`));
  expect(refused).toEqual(Object.keys(mistakes));
});
