import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { withAccountLock } from "../../src/access/accounts/account-lock.ts";
import { createPool } from "../../src/db/create-pool.ts";
import { settleIdentity } from "../../src/operations/installation/identity.ts";
import { createEndpoint } from "../../src/webhooks/endpoints/create-endpoint.ts";
import { secretBox } from "../../src/webhooks/endpoints/secret-box.ts";
import { perTest } from "../support/fixtures.ts";
import { mostrador, mostradorJson, type StartedService, startMostrador } from "../support/process.ts";
import { freshDatabase, serve } from "../support/service.ts";

const [ownKey, otherKey] = [1, 2].map(() => randomBytes(36).toString("base64")) as [string, string];
const live = {
  ENVIRONMENT: "live",
  SMTP_URL: "smtp://127.0.0.1:1",
  MAIL_FROM: "avisos@tienda.com.co",
  PUBLIC_URL: "https://127.0.0.1",
};
const wrongKey = /^SECRET_KEY no es la de esta instalación: .+npx mostrador installation rekey$/;

const database = perTest(async () => {
  const { url, drop } = await freshDatabase();
  const pool = createPool({ url, max: 2 });
  // With an account of its own an installation builds no demo.
  await using service = await serve(url, { SECRET_KEY: ownKey });
  await service.business();
  const end = async () => {
    await pool.end();
    await drop();
  };
  return { url, pool, [Symbol.asyncDispose]: end };
});
const running = new Set<StartedService>();
afterEach(async () => {
  for (const service of running) await service.kill();
  running.clear();
});

const env = (own: Record<string, string> = {}) => ({ DATABASE_URL: database.url, SECRET_KEY: ownKey, ...own });

/** A start that becomes ready and is stopped again. */
async function startOnce(own: Record<string, string> = {}): Promise<void> {
  const service = await startMostrador(env(own), ["--only", "workers"]);
  running.add(service);
  expect(await service.stop()).toBe(0);
  running.delete(service);
}

/** What the first start leaves, without a process for it. */
const asStarted = (own: { environment?: "test" | "live"; secretKey?: string } = {}) =>
  settleIdentity(database.pool, { environment: "test", secretKey: ownKey, ...own });

/** What a command says that ends with 1: a start in JSON, any other in plain text. */
async function refusal(own: Record<string, string>, args = ["start", "--only", "workers"]): Promise<string> {
  const { code, stdout, stderr } = await mostrador(args, env({ LOG_LEVEL: "fatal", ...own }));
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  return args[0] === "start" ? JSON.parse(stderr).msg : stderr.trimEnd();
}

test("the first start stores what the installation is, and another key or environment refuses to start", async () => {
  expect(await mostradorJson(["installation", "show"], env())).toMatchObject({ environment: null, key: null });
  await startOnce();
  expect(await mostradorJson(["installation", "show"], env())).toMatchObject({ environment: "test", key: "own" });
  expect(await refusal({ SECRET_KEY: otherKey })).toMatch(wrongKey);
  expect(await refusal(live)).toBe(
    "Esta base de datos es de una instalación de pruebas y aquí dice ENVIRONMENT=live. Ponga ENVIRONMENT=test, o use la base de datos que corresponde (DATABASE_URL o DATA_DIR).",
  );
  await startOnce();
});

test("what is stored tells neither the key nor that two installations share it", async () => {
  const stored = async () => {
    const { rows } = await database.pool.query<{ text: string }>(
      "select to_jsonb(i)::text as text from installation i",
    );
    return rows[0]!.text;
  };
  const settings = { environment: "test", secretKey: ownKey } as const;
  await settleIdentity(database.pool, settings);
  const first = await stored();
  await database.pool.query("update installation set environment = null, key_salt = null, key_check = null");
  await settleIdentity(database.pool, settings);
  expect(await stored()).not.toBe(first);
  expect(first).not.toContain(ownKey);
  expect(first).not.toContain(Buffer.from(ownKey).toString("hex"));
});

test("of two processes with different keys that start together, one is right and the other refuses", async () => {
  const results = await Promise.allSettled(
    [ownKey, otherKey].map((secretKey) => settleIdentity(database.pool, { environment: "test", secretKey })),
  );
  expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

test("commands that depend on the key or the environment refuse too; those that list and check do not", async () => {
  await asStarted();
  const account = ["account", "create", "--name", "Tienda", "--email", "t@example.com", "--password", "clave-larga"];
  const { id } = await mostradorJson(account, env());
  const fiscal = ["fiscal", "set", id, "--nit", "900373923-8", "--regime", "iva", "--pin", "12345"];
  expect(await refusal({ SECRET_KEY: otherKey }, fiscal)).toMatch(wrongKey);
  expect(await refusal({ SECRET_KEY: otherKey }, ["demo"])).toMatch(wrongKey);
  const key = ["key", "create", "--account", id, "--scopes", "all"];
  expect(await refusal(live, key)).toContain("Ponga ENVIRONMENT=test");
  for (const command of [["verify"], ["account", "list"], ["device", "list", "--account", id]])
    expect((await mostrador(command, env({ SECRET_KEY: otherKey }))).code).toBe(0);
});

describe("the clock", () => {
  const advance = ["clock", "advance", "1h"];
  const offset = async () =>
    (await database.pool.query("select clock_offset_ms from installation")).rows[0].clock_offset_ms;

  test("of a live database is never moved, whatever the command's own settings say", async () => {
    await asStarted({ environment: "live" });
    for (const own of [{}, { ENVIRONMENT: "test", SECRET_KEY: otherKey }, live])
      expect(await refusal(own, advance)).toContain("esta base de datos es de producción");
    expect(await offset()).toBe(0);
  });

  test("of a database that does not know what it is stays too", async () => {
    expect(await refusal({}, advance)).toContain("todavía no sabe si es de pruebas. Encienda el servicio una vez");
    expect(await offset()).toBe(0);
    await asStarted();
    await mostradorJson(advance, env());
    expect(await offset()).toBe(3_600_000);
  });
});

/** A business with a webhook whose secret was sealed with the installation's own key, as a version before this one left it. */
async function sealASecret(): Promise<void> {
  await using service = await serve(database.url, { SECRET_KEY: ownKey });
  const { accountId } = await service.business();
  await withAccountLock(service.deps, accountId, (client) =>
    createEndpoint(
      client,
      secretBox(ownKey),
      accountId,
      { url: "https://hooks.example.com/", event_types: ["customer.created"] },
      service.deps.clock.now(),
    ),
  );
}

test("a dump of before this version, started with another key, is told so instead of losing its secrets", async () => {
  await sealASecret();
  expect(await refusal({ SECRET_KEY: otherKey })).toMatch(wrongKey);
  await startOnce();
  expect(await refusal({ SECRET_KEY: otherKey })).toMatch(wrongKey);
});

test("after a leak rekey accepts the new key, on purpose only, and says what is to be set again", async () => {
  await sealASecret();
  await asStarted();
  const changed = env({ SECRET_KEY: otherKey });
  const rekey = ["installation", "rekey"];
  expect(await refusal({ SECRET_KEY: otherKey }, rekey)).toContain("Detenga todos los procesos y repita con --yes");
  expect(await refusal({ ...live, SECRET_KEY: otherKey }, [...rekey, "--yes"])).toContain("Ponga ENVIRONMENT=test");
  const { code, stdout } = await mostrador([...rekey, "--yes"], changed);
  expect(code).toBe(0);
  expect(stdout).toContain("rote el secreto de cada webhook (hay 1)");
  await expect(asStarted()).rejects.toThrow(wrongKey);
  await startOnce({ SECRET_KEY: otherKey });
  expect(await mostradorJson(["installation", "show"], changed)).toMatchObject({ environment: "test", key: "own" });
});

test("an installation that was started as a test by mistake becomes live on purpose, and never goes back", async () => {
  await asStarted();
  expect(await refusal(live, ["installation", "live"])).toContain("repita con --yes");
  expect(await mostradorJson(["installation", "live", "--yes"], env(live))).toEqual({ environment: "live" });
  await startOnce(live);
  expect(await refusal({})).toContain("Ponga ENVIRONMENT=live");
});

test("one whose clock was moved cannot become live", async () => {
  await asStarted();
  await mostradorJson(["clock", "advance", "1h"], env());
  expect(await refusal(live, ["installation", "live", "--yes"])).toContain("El reloj de esta instalación se adelantó");
});
