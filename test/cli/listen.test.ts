import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { verifyWebhook } from "../../sdk/src/index.ts";
import { sharedFolder, sharedService } from "../support/fixtures.ts";
import { mostrador, spawnMostrador } from "../support/process.ts";
import type { Business } from "../support/service.ts";
import { webhookReceiver } from "../support/webhook-receiver.ts";

/** The full number is for `npm run test:long`. */
const kills = process.env.LONG ? 20 : 8;

const service = sharedService();
const folder = sharedFolder("mostrador-listen-");

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** A listener that is ready; all it prints is in `said`. */
async function listening({ key }: Business, ...args: (string | Record<string, string>)[]) {
  const words = args.filter((arg) => typeof arg === "string");
  const url = words.includes("--url") ? [] : ["--url", service.baseUrl];
  const env = args.find((arg) => typeof arg === "object");
  const child = spawnMostrador(["listen", ...url, "--key", key, ...words], env);
  children.push(child);
  const listener = { child, said: "" };
  await new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      listener.said += chunk;
      if (listener.said.includes("Listo")) resolve();
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("exit", () => reject(new Error(listener.said)));
  });
  return listener;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

test("new events arrive signed with the local secret, as a delivery does", async () => {
  const shop = await service.business();
  await shop.api.post("/customers", { name: "Antes" });
  const receiver = await webhookReceiver();
  const { said } = await listening(shop, "--forward-to", receiver.url);
  const secret = /whsec_[0-9a-f]{64}/.exec(said)![0];
  const { body: customer } = await shop.api.post("/customers", { name: "Después" });
  await receiver.until(1);
  const [{ headers, body, event }] = receiver.received as [(typeof receiver.received)[number]];
  expect(event).toEqual({
    id: expect.any(String),
    type: "customer.created",
    created_at: customer.created_at,
    sequence: expect.any(Number),
    api_version: "2026-09-28",
    data: { object: customer },
  });
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "service-event-id": event.id,
    "service-event-type": "customer.created",
    "service-delivery-id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    "user-agent": expect.stringMatching(/^Service-Webhooks\/1\.0/),
  });
  expect(await verifyWebhook(body, headers["service-signature"] as string, secret)).toBe(true);
});

test("a service that is away for a while is waited for, said once, and nothing that happened is lost", async () => {
  const shop = await service.business();
  const receiver = await webhookReceiver();
  const sockets = new Set<Socket>();
  const between = createServer((socket) => {
    const on = connect(Number(new URL(service.baseUrl).port), "127.0.0.1");
    for (const one of [socket, on]) sockets.add(one.on("error", () => {}));
    socket.pipe(on).pipe(socket);
  });
  const open = async (port: number) => once(between.listen(port, "127.0.0.1"), "listening");
  await open(0);
  const { port } = between.address() as AddressInfo;
  const away = () => {
    between.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(away);
  const listener = await listening(shop, "--forward-to", receiver.url, "--url", `http://127.0.0.1:${port}`);
  away();
  await expect.poll(() => listener.said, { timeout: 30_000 }).toContain("El servicio no responde");
  await shop.api.post("/customers", { name: "Mientras" });
  await delay(2_000);
  await open(port);
  await receiver.until(1);
  expect(receiver.received[0]?.event.data.object).toMatchObject({ name: "Mientras" });
  expect(listener.said.split("El servicio no responde")).toHaveLength(2);
  expect(listener.said).toContain("responde de nuevo");
  expect(listener.child.exitCode).toBeNull();
});

test("several developers at the same time each get everything they asked for", async () => {
  const shop = await service.business();
  const [all, some] = [await webhookReceiver(), await webhookReceiver()];
  await Promise.all([
    listening(shop, "--forward-to", all.url),
    listening(shop, "--forward-to", some.url, "--events", "product.created"),
  ]);
  await shop.api.post("/customers", { name: "Ana" });
  await shop.api.post("/products", { name: "Leche", base_price: 4200 });
  await Promise.all([all.until(2), some.until(1)]);
  expect(all.received.map(({ event }) => event.type)).toEqual(["customer.created", "product.created"]);
  expect(some.received.map(({ event }) => event.type)).toEqual(["product.created"]);
});

test.each([
  ["it ends with the process that started it, even if that is killed", []],
  // That shell outlives an npx that is killed.
  ["it ends with npx too, which has a shell in between", ["sh", "-c", '"$@"; exit', "sh"]],
])("%s", async (_, between) => {
  const { key } = await service.business();
  // Says when the listener is ready, and lives on.
  const script = `
    const { spawn } = require("node:child_process");
    const [file, ...words] = process.argv.slice(1);
    const env = { ...process.env, npm_execpath: "npm-cli.js" };
    const child = spawn(file, words, { env, stdio: ["ignore", "inherit", "pipe"] });
    child.stderr.on("data", (chunk) => String(chunk).includes("Listo") && console.log("ready"));
    setInterval(() => {}, 1000);`;
  const bin = fileURLToPath(new URL("../../bin/mostrador.mjs", import.meta.url));
  const listen = [...between, process.execPath, bin, "listen", "--url", service.baseUrl, "--key", key];
  const parent = spawn(process.execPath, ["-e", script, ...listen], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(parent);
  await once(parent.stdout, "data");
  // The listener has the other end of this pipe.
  const ended = once(parent.stdout, "close");
  await kill(parent);
  await ended;
});

test("a receiver that refuses gets the same delivery again, with a new signature", async () => {
  const shop = await service.business();
  const receiver = await webhookReceiver((count) => (count <= 2 ? 500 : 200));
  const listener = await listening(shop, "--forward-to", receiver.url);
  await shop.api.post("/customers", { name: "Ana" });
  await receiver.until(1);
  expect(receiver.received).toHaveLength(3);
  expect(new Set(receiver.received.map(({ headers }) => headers["service-delivery-id"])).size).toBe(1);
  await expect.poll(() => listener.said).toMatch(/✗ 500.*✗ 500.*✓ 200/s);
});

test(`killed and restarted ${kills} times under load, it forwards every event at least once`, async () => {
  const shop = await service.business();
  const state = join(folder.path, "bajo-carga.json");
  // Half of the kills fall between events, the others into a delivery, which then fails. One response in ten fails.
  let strike: (() => Promise<void>) | undefined;
  const receiver = await webhookReceiver(async (count) => {
    if (!strike) return count % 10 === 3 ? 503 : 200;
    await strike();
    return 503;
  });
  const args = ["--forward-to", receiver.url, "--state", state];
  let listener = await listening(shop, ...args);
  let isLoading = true;
  // Never far ahead of the listener: what matters is what is under way when it is killed, not how long it catches up.
  const load = (async () => {
    for (let made = 1; isLoading; made++) {
      await shop.api.post("/customers", { name: "Carga" });
      if (made > receiver.accepted.size + 40) await receiver.until(made - 30);
    }
  })();
  load.catch(() => {});
  for (let killed = 0; killed < kills; killed++) {
    await receiver.until(receiver.accepted.size + 1 + ((killed * 7) % 13));
    if (killed % 2 === 0) await kill(listener.child);
    else await killedInDelivery();
    listener = await listening(shop, ...args);
  }
  isLoading = false;
  await load;
  function killedInDelivery(): Promise<void> {
    return new Promise((resolve) => {
      strike = async () => {
        strike = undefined;
        await kill(listener.child);
        resolve();
      };
    });
  }
  const { text } = await shop.api.get("/exports/events?order=asc");
  const happened = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).id);
  expect(happened.length).toBeGreaterThan(5 * kills);
  const missing = () => happened.filter((id) => !receiver.accepted.has(id));
  await expect.poll(missing).toEqual([]);
  // Progress is saved per event, not per page: only what was under way when it was killed arrives twice.
  const repeated = receiver.received.length - happened.length;
  expect(repeated).toBeLessThan(2 * kills + receiver.received.length / 10);
});

test("restarted with the same key and URL, it continues where it was with the same secret, unless told not to", async () => {
  const shop = await service.business();
  const [receiver, other] = [await webhookReceiver(), await webhookReceiver()];
  const env = { XDG_STATE_HOME: join(folder.path, "estado") };
  const listen = (url: string, ...args: string[]) => listening(shop, "--forward-to", url, ...args, env);
  const first = await listen(receiver.url);
  await shop.api.post("/customers", { name: "Primera" });
  await receiver.until(1);
  await expect.poll(() => first.said).toContain("✓ 204");
  await kill(first.child);
  await shop.api.post("/customers", { name: "Perdida" });
  const again = await listen(receiver.url);
  // Killed between forwarding an event and recording it, it forwards that one again.
  const names = () => [...new Set(receiver.received.map(({ event }) => event.data.object.name))];
  await expect.poll(names).toEqual(["Primera", "Perdida"]);
  const secretIn = (said: string) => /whsec_[0-9a-f]{64}/.exec(said)![0];
  expect(secretIn(again.said)).toBe(secretIn(first.said));
  // Beside it there may be the draft of a listener that is writing, or was killed while it did.
  const files = (await readdir(join(env.XDG_STATE_HOME, "mostrador"))).filter((name) => !name.endsWith(".new"));
  expect(files).toEqual([expect.stringMatching(/^listen-[0-9a-f]{16}\.json$/)]);
  expect((await stat(join(env.XDG_STATE_HOME, "mostrador", files[0]!))).mode & 0o777).toBe(0o600);
  await kill(again.child);

  // Another URL has a position of its own, and a listener that keeps none starts now.
  await shop.api.post("/customers", { name: "Entre tanto" });
  await Promise.all([listen(other.url), listen(receiver.url, "--no-state")]);
  await shop.api.post("/customers", { name: "Última" });
  await other.until(1);
  expect(other.received.map(({ event }) => event.data.object.name)).toEqual(["Última"]);
  await expect.poll(names).toEqual(["Primera", "Perdida", "Última"]);
});

test("a folder that cannot be written is reported, and the events still arrive", async () => {
  const shop = await service.business();
  const receiver = await webhookReceiver();
  const listener = await listening(shop, "--forward-to", receiver.url, { XDG_STATE_HOME: "/dev/null" });
  expect(listener.said).toContain("No se puede guardar por dónde va");
  await shop.api.post("/customers", { name: "Ana" });
  await receiver.until(1);
});

test("a URL that cannot be posted to is refused before listening starts", async () => {
  const said = await mostrador(["listen", "--url", service.baseUrl, "--key", "mst_test_x", "--forward-to", "ftp://x"]);
  expect(said).toMatchObject({
    code: 1,
    stderr:
      "--forward-to ftp://x no es una dirección http o https. Escriba por ejemplo http://127.0.0.1:4242/webhooks\n",
  });
});

test("a response that is cut off after its 2xx counts as delivered", async () => {
  const shop = await service.business();
  const server = createServer((socket) => {
    socket.on("error", () => {}).once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const listener = await listening(shop, "--forward-to", `http://127.0.0.1:${port}/`);
  await shop.api.post("/customers", { name: "Ana" });
  await expect.poll(() => listener.said).toMatch(/✓ 200|✗/);
  expect(listener.said).toContain("✓ 200");
  server.close();
});

test("without a receiver the events are printed, and with --json each is a line of JSON", async () => {
  const shop = await service.business();
  const people = await listening(shop);
  const child = spawnMostrador([
    "listen",
    "--json",
    "--url",
    service.baseUrl,
    "--key",
    shop.key,
    "--since",
    "2020-01-01T00:00:00Z",
  ]);
  children.push(child);
  let said = "";
  child.stdout.on("data", (chunk) => (said += chunk));
  await shop.api.post("/customers", { name: "Doña Ana" });
  await expect.poll(() => people.said).toMatch(/\d\d:\d\d:\d\d +customer\.created .* Doña Ana/);
  await expect.poll(() => said).toContain("\n");
  expect(JSON.parse(said)).toMatchObject({ object: "event", type: "customer.created" });
});

test("an event can be sent again to the URL that listen forwards to, with its saved secret", async () => {
  const shop = await service.business();
  const receiver = await webhookReceiver();
  const state = join(folder.path, "reenviar.json");
  const { child } = await listening(shop, "--forward-to", receiver.url, "--state", state);
  await shop.api.post("/customers", { name: "Ana" });
  await receiver.until(1);
  const { id } = receiver.received[0]!.event;
  const connection = ["--url", service.baseUrl, "--key", shop.key];
  const resent = await mostrador(["events", "resend", id, "--state", state, ...connection]);
  expect(resent).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("✓ 204") });
  expect(receiver.received.map(({ event }) => event.id)).toEqual([id, id]);
  const { secret } = JSON.parse(await readFile(state, "utf8"));
  const { body, headers } = receiver.received[1]!;
  expect(await verifyWebhook(body, headers["service-signature"] as string, secret)).toBe(true);
  await kill(child);
  receiver.server.close();
  const failed = await mostrador(["events", "resend", id, "--state", state, ...connection]);
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining("ECONNREFUSED")]);
});
