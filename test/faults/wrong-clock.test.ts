import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withAccountLock } from "../../src/access/accounts/account-lock.ts";
import { openSession } from "../../src/access/people/session.ts";
import { customers } from "../../src/business/customers/resource.ts";
import { createPool } from "../../src/db/create-pool.ts";
import { writing } from "../../src/engine/writing/writing.ts";
import { day, hour } from "../../src/lib/clock.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import { createEndpoint } from "../../src/webhooks/endpoints/create-endpoint.ts";
import { secretBox } from "../../src/webhooks/endpoints/secret-box.ts";
import { apiClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { findFakeTime } from "../support/fake-time.ts";
import { fiscalBusiness, plainSale, ringUp } from "../support/fiscal.ts";
import { freePort, mostrador, spawnMostrador, startMostrador } from "../support/process.ts";
import { type Receiver, receiverHost, startReceiver } from "../support/receiver.ts";
import { customerBody } from "../support/records.ts";
import { enrol, type Till } from "../support/register.ts";
import { type Business, freshDatabase, serve } from "../support/service.ts";

const library = findFakeTime();
if (!library)
  console.warn("wrong-clock.test.ts is skipped: it needs libfaketime (Debian: apt-get install libfaketime)");

const historyDays = 28;
/** Several processes start one after another, and each takes long on a busy machine. */
const patienceMs = 90_000;
const path = "/entregas";
const paid = { "idempotency-key": "cobro-de-hoy" };

let database: Awaited<ReturnType<typeof freshDatabase>>;
let receiver: Receiver;
let shop: Business;
let till: Till;
let cookie: string;
let firstAnswer: string;
let env: Record<string, string>;

/** A shop with a history, and with something due for every housekeeping step and every worker. */
beforeAll(async () => {
  if (!library) return;
  database = await freshDatabase();
  receiver = await startReceiver();
  env = {
    DATABASE_URL: database.url,
    SECRET_KEY: "k".repeat(32),
    LOG_LEVEL: "info",
    WEBHOOK_RESOLVE: `${receiverHost}=127.0.0.1:${receiver.port}`,
    WEBHOOK_CA_FILE: receiver.caFile,
  };
  await using service = await serve(database.url, { SECRET_KEY: env.SECRET_KEY! });
  const { deps } = service;
  shop = await fiscalBusiness(service);
  const { accountId } = shop;
  const today = deps.clock.now().getTime();
  await deps.pool.query("update account_clock set ts = ts - interval '29 days'");
  for (let ago = historyDays; ago > 0; ago--) {
    const clock = { now: () => new Date(today - ago * day) };
    await writing({ ...deps, clock }, accountId, (write) => {
      const body = customerBody(write.at.toISOString());
      write.put(customers, { body });
      write.emit("customer.created", body);
    });
  }
  const { secret } = await withAccountLock(deps, accountId, (client) =>
    createEndpoint(
      client,
      secretBox(deps.config.secretKey),
      accountId,
      { url: `https://${receiverHost}${path}`, event_types: ["customer.created"] },
      deps.clock.now(),
    ),
  );
  receiver.secrets.set(path, [secret]);
  firstAnswer = (await shop.api.post("/customers", { name: "Ana" }, paid)).text;
  till = await enrol(service, accountId);
  await till.put("customer", {}, { id: JSON.parse(firstAnswer).id, op: "delete" });
  await ringUp(service, accountId, (at) => [plainSale(at, 12_000)]);
  await service.key(accountId, { expiresAt: new Date(today + 8 * day) });
  cookie = `mostrador_session=${(await openSession(deps, accountId)).token}`;
});
afterAll(async () => {
  await receiver?.[Symbol.asyncDispose]();
  await database?.drop();
});

/** Every table and partition with a digest of its rows, except rate limits: those follow the database's clock. */
async function everything(): Promise<Record<string, string>> {
  const pool = createPool({ url: database.url, max: 1 });
  try {
    const { rows } = await pool.query<{ name: string }>(
      `select relname as name from pg_class
       where relkind = 'r' and relpersistence = 'p' and relnamespace = 'public'::regnamespace order by 1`,
    );
    const found: Record<string, string> = {};
    for (const { name } of rows) {
      const { rows: digest } = await pool.query<{ digest: string }>(
        `select count(*) || ' rows, ' || coalesce(md5(string_agg(t::text, '' order by t::text)), '') as digest from ${name} t`,
      );
      found[name] = digest[0]!.digest;
    }
    return found;
  } finally {
    await pool.end();
  }
}

/** `mostrador start` with its clock off by `offset`, once it works or says why it does not. */
async function startAt(offset: string) {
  const [port, adminPort] = [await freePort(), await freePort()];
  const child = spawnMostrador(["start"], {
    ...env,
    ...fakeTime(offset),
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  const ended = once(child, "exit");
  await eventually(
    () => said.includes("nothing is written") || said.includes("Mostrador está listo"),
    patienceMs,
  ).catch(() => {
    child.kill("SIGKILL");
    throw new Error(said);
  });
  const url = `http://127.0.0.1:${port}`;
  await eventually(
    () =>
      fetch(`${url}/docs`).then(
        (answer) => answer.ok,
        () => false,
      ),
    patienceMs,
  );
  return {
    url,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    said: () => said,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function fakeTime(offset: string): Record<string, string> {
  return { LD_PRELOAD: library!, FAKETIME: offset };
}

const json = { "content-type": "application/json" };

/** One write of each kind, through every API. */
function writeEverywhere(url: string): Promise<Response[]> {
  const post = (where: string, headers: Record<string, string>, body: object) =>
    fetch(url + where, { method: "POST", headers: { ...json, ...headers }, body: JSON.stringify(body) });
  const key = { authorization: `Bearer ${shop.key}` };
  const register = { authorization: `Bearer ${till.token}` };
  const owner = { cookie, origin: "http://127.0.0.1:3000" };
  const record = { device_seq: till.next, type: "customer", id: shop.accountId, op: "upsert", data: { name: "Eva" } };
  return Promise.all([
    post("/public/v1/customers", { ...key, "idempotency-key": "otra" }, { name: "Eva" }),
    post("/public/v1/customers", { ...key, ...paid }, { name: "Ana" }),
    post("/sync/v1/push", register, { sent_at: new Date().toISOString(), records: [record] }),
    post("/sync/v1/token", register, {}),
    post("/portal/api/session", owner, { email: `${shop.accountId}@example.com`, password: "no-es-la-clave" }),
    fetch(`${url}/portal/api/session`, { method: "DELETE", headers: owner }),
  ]);
}

describe.skipIf(!library)("a second process whose clock is", () => {
  test.each([
    ["five hours ahead", "+5h", 5 * hour],
    ["three days ahead", "+3d", 3 * day],
    ["400 days ahead", "+400d", 400 * day],
  ])(
    "%s deletes nothing, writes nothing and sends nothing, but serves reads and says why",
    async (_what, offset, ms) => {
      const before = await everything();
      const wrong = await startAt(offset);
      try {
        const api = apiClient(wrong.url, { authorization: `Bearer ${shop.key}` });
        const writes = await writeEverywhere(wrong.url);
        const reads = [
          (await api.get("/customers?limit=100")).body.data.length,
          (await api.get("/events?limit=100")).body.data.length > historyDays,
          (await fetch(`${wrong.url}/portal/api/session`, { headers: { cookie } })).status,
          (await fetch(`${wrong.url}/sync/v1/changes`, { headers: { authorization: `Bearer ${till.token}` } })).status,
        ];
        expect(await everything()).toEqual(before);
        expect(writes.map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual(
          writes.map(() => [503, "15"]),
        );
        expect(reads).toEqual([historyDays, true, 200, 200]);
        expect(receiver.received).toEqual([]);
        const ready = await fetch(`${wrong.adminUrl}/readyz`);
        expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining("the host's clock is")]);
        const metrics = await (await fetch(`${wrong.adminUrl}/metrics`)).text();
        const ahead = Number(/^mostrador_clock_ahead_seconds (\S+)$/m.exec(metrics)?.[1]);
        expect(Math.abs(ahead - ms / 1000)).toBeLessThan(5);
        expect(wrong.said().split("nothing is written").length, wrong.said()).toBe(2);
      } finally {
        await wrong.stop();
      }
      expect(await everything()).toEqual(before);
    },
  );

  test("wrong changes nothing through commands either", async () => {
    const before = await everything();
    const command = ["key", "create", "--account", shop.accountId, "--scopes", "customers:read"];
    const { code, stderr } = await mostrador(command, { ...env, ...fakeTime("+5h") });
    expect([code, stderr]).toEqual([1, expect.stringContaining("difieren en más de un minuto")]);
    expect((await mostrador(["verify"], { ...env, ...fakeTime("+5h") })).code).toBe(0);
    expect(await everything()).toEqual(before);
  });

  test("a few seconds off works, and says so", async () => {
    const before = await everything();
    const off = await startAt("+20s");
    try {
      const ready = await fetch(`${off.adminUrl}/readyz`);
      expect([ready.status, await ready.json()]).toEqual([
        200,
        {
          status: "ready",
          problems: [],
          warnings: [expect.stringMatching(/^the host's clock is (19|20)\.\d s ahead of/)],
        },
      ]);
      const api = apiClient(off.url, { authorization: `Bearer ${shop.key}` });
      const made = await api.post("/customers", { name: "Por el reloj de la base de datos" });
      expect(Date.parse(made.body.created_at)).toBeLessThan(Date.now() + 5_000);
      await receiver.arrivals(path, 2);
    } finally {
      await off.stop();
    }
    const after = await everything();
    const lost = Object.keys(before).filter((name) => !(name in after));
    expect(lost).toEqual([]);
  });

  test("right finds everything as it was: keys replay, deliveries arrive once, everything adds up", async () => {
    const right = await startMostrador(env);
    try {
      const api = apiClient(right.url, { authorization: `Bearer ${shop.key}` });
      const repeated = await api.post("/customers", { name: "Ana" }, paid);
      expect([repeated.text, repeated.headers.get("idempotent-replayed")]).toEqual([firstAnswer, "true"]);
      expect((await api.get("/events?limit=100&order=asc&type=customer.created")).body.data).toHaveLength(
        historyDays + 2,
      );
      const delivered = receiver.on(path).map(({ deliveryId }) => deliveryId);
      expect(new Set(delivered).size).toBe(delivered.length);
    } finally {
      expect(await right.stop()).toBe(0);
    }
    const pool = createPool({ url: database.url, max: 2 });
    expect((await verify(pool)).problems).toEqual([]);
    await pool.end();
  });
});
