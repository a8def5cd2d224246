import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { signatureHeader } from "../../src/webhooks/endpoints/signature.ts";
import { installExample } from "../support/example.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { freePort } from "../support/process.ts";

const service = sharedService();
const example = shared(() => installExample("express-receiver", ["express"]));

test("webhooks are verified and handled once, and what never arrived is found by reconciling", async () => {
  const { key, api } = await service.business();
  const port = String(await freePort());
  const secret = "whsec_ejemplo";
  const env = { MOSTRADOR_URL: service.baseUrl, MOSTRADOR_API_KEY: key, MOSTRADOR_WEBHOOK_SECRET: secret, PORT: port };
  const started = async () => {
    const server = example.start("server.mjs", env);
    await expect.poll(() => server.said()).toMatch(/Esperando(.|\n)*Conciliado/);
    return server;
  };
  const post = async (body: string, signature: string) => {
    const headers = { "content-type": "application/json", "service-signature": signature };
    return (await fetch(`http://127.0.0.1:${port}/webhooks`, { method: "POST", headers, body })).status;
  };
  const now = () => Math.floor(Date.now() / 1000);

  const first = await started();
  await api.post("/customers", { name: "Ana" });
  const [live] = (await api.get("/events")).body.data;
  const body = JSON.stringify({ ...live, api_version: "2026-09-28" });
  expect(await post(body, signatureHeader(body, ["whsec_ajeno"], now()))).toBe(400);
  expect(await post(body, signatureHeader(body, [secret], now()))).toBe(204);
  expect(await post(body, signatureHeader(body, [secret], now()))).toBe(204);
  first.kill("SIGKILL");
  await once(first, "close");

  // While the receiver is down, an event happens that is never delivered.
  await api.post("/customers", { name: "Beto" });
  const [missed] = (await api.get("/events")).body.data;
  const second = await started();
  second.kill("SIGKILL");
  await once(second, "close");

  const journal = await readFile(join(example.folder, "eventos.jsonl"), "utf8");
  const handled = journal
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  expect(handled).toEqual([
    { id: live.id, type: "customer.created", source: "webhook" },
    { id: missed.id, type: "customer.created", source: "conciliación" },
  ]);
}, 300_000);
