import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withAccountLock } from "../../src/access/accounts/account-lock.ts";
import { readConfig } from "../../src/config.ts";
import { readProfile, readRanges } from "../../src/fiscal/profile/profile.ts";
import { setProfile } from "../../src/fiscal/profile/set-profile.ts";
import { setRange } from "../../src/fiscal/profile/set-range.ts";
import { keyIdIn, keyIdOf } from "../../src/lib/secret-box.ts";
import {
  findSuppression,
  readUnsubscribeToken,
  subscriptionOf,
  suppress,
  unsubscribeLink,
} from "../../src/mail/suppressions.ts";
import { requireOwnSettings, settleIdentity } from "../../src/operations/installation/identity.ts";
import { sealedColumns } from "../../src/operations/installation/sealed-columns.ts";
import { createEndpoint } from "../../src/webhooks/endpoints/create-endpoint.ts";
import { secretBox } from "../../src/webhooks/endpoints/secret-box.ts";
import { eventually } from "../support/eventually.ts";
import { shared } from "../support/fixtures.ts";
import { openPortal, type Portal } from "../support/portal.ts";
import { mostrador, mostradorJson, spawnMostrador } from "../support/process.ts";
import { type Service, startService } from "../support/service.ts";

const [oldKey, newKey] = [1, 2].map(() => randomBytes(36).toString("base64")) as [string, string];
const service = shared(() => startService({ SECRET_KEY: oldKey }));
const softwarePin = "12345";
const businesses = 40;
const owners: Portal[] = [];

/** Every secret of every business, as these keys read it; null for one that they do not. */
async function secretsWith(config: Service["deps"]["config"]): Promise<(string | null)[]> {
  const { pool } = service.deps;
  const found: (string | null)[] = [];
  const { rows } = await pool.query("select id, secret from webhook_endpoints order by id");
  const box = secretBox(config.secretKeys);
  for (const { id, secret } of rows) {
    try {
      found.push(box.open(secret, id));
    } catch {
      found.push(null);
    }
  }
  for (const { accountId } of owners) {
    const profile = await readProfile(pool, config.secretKeys, accountId);
    const [range] = await readRanges(pool, config.secretKeys, accountId);
    found.push(profile?.softwarePin ?? null, profile?.authorityToken ?? null, range?.technicalKey ?? null);
  }
  return found;
}

async function setUp(owner: Portal): Promise<void> {
  const { deps } = service;
  const { accountId } = owner;
  const wish = { url: "https://example.com/hook", event_types: ["sale.created" as const], name: null };
  await withAccountLock(deps, accountId, (client) =>
    createEndpoint(client, secretBox(deps.config.secretKeys), accountId, wish, new Date()),
  );
  await setProfile(deps, accountId, { nit: "900373923-8", regime: "iva", softwarePin, authorityToken: "token" });
  const range = { kind: "invoice", prefix: "SETT", first: 1, last: 5000, technicalKey: "ab".repeat(20) } as const;
  await setRange(deps, accountId, { ...range, validFrom: "2020-01-01", validUntil: "2099-12-31" });
}

beforeAll(async () => {
  await settleIdentity(service.deps.pool, service.deps.config);
  for (let i = 0; i < businesses; i++) {
    const owner = await openPortal(service);
    await setUp(owner);
    owners.push(owner);
  }
});

/** How many boxes say that they are of a key. */
async function boxesOf(key: string): Promise<number> {
  let count = 0;
  for (const { table, column } of sealedColumns) {
    const { rows } = await service.deps.pool.query(
      `select count(*) from ${table} where substring(${column} from 2 for 4) = $1`,
      [keyIdOf(key)],
    );
    count += rows[0].count;
  }
  return count;
}

const siblings: Service[] = [];
afterAll(async () => {
  for (const sibling of siblings) await sibling[Symbol.asyncDispose]();
});
async function sibling(settings: Record<string, string>): Promise<Service> {
  const made = await service.sibling(settings);
  siblings.push(made);
  return made;
}

test("every column of bytes is one that rotation seals anew, or holds no secret", async () => {
  const { rows } = await service.deps.pool.query<{ name: string }>(`
    select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.atttypid = 'bytea'::regtype and c.relkind in ('r', 'p') and not c.relispartition
      and c.relnamespace = current_schema()::regnamespace and a.attnum > 0 order by 1`);
  // Digests, MACs and documents; and the keys of installation, which the rotation itself replaces.
  const others =
    /[._](hash|hashes|xml|fingerprint|previous|replaced|credential_id|public_key|password_mark)$|^installation\.(key_salt|key_check|retired_keys)$/;
  const sealed = sealedColumns.map(({ table, column }) => `${table}.${column}`);
  const unknown = rows.map(({ name }) => name).filter((name) => !sealed.includes(name) && !others.test(name));
  expect(unknown, "add it to src/operations/installation/sealed-columns.ts").toEqual([]);
});

test("SECRET_KEY is exchanged under load, with kills: no request fails, no secret is lost, nothing stays with the old key", async () => {
  const both = { SECRET_KEY: newKey, SECRET_KEY_PREVIOUS: oldKey };
  // The first step of an exchange: what is made is still made with the old key, the new one is accepted.
  const first = await sibling({ SECRET_KEY: oldKey, SECRET_KEY_PREVIOUS: newKey });
  const second = await sibling(both);
  const { pool } = service.deps;
  const expected = await secretsWith(service.deps.config);
  expect(expected).not.toContain(null);

  const someone = { accountId: owners[0]!.accountId, address: "compradora@example.com" };
  const subscription = subscriptionOf(service.deps.config, someone.accountId, someone.address);
  await pool.query(suppress(subscription, "unsubscribed", new Date()));
  const link = new URL(unsubscribeLink(service.deps.config, subscription)).searchParams.get("t")!;
  const config = service.deps.config;
  expect(config.secretKeys).toBe(oldKey);

  const failures: string[] = [];
  let requests = 0;
  let isOver = false;
  const load = Promise.all(
    owners.slice(0, 4).map(async (owner, i) => {
      for (let n = 0; !isOver; n++) {
        const [asked, answers] = (n + i) % 2 === 0 ? [first, second] : [second, first];
        failures.push(...(await tryOnce(owner, asked, answers)));
        requests += 1;
      }
    }),
  );
  const env = { DATABASE_URL: service.databaseUrl, ...both };
  const sealedAnew: number[] = [0];
  for (let kill = 0; kill < 3; kill++) {
    const child = spawnMostrador(["secrets", "rotate"], env);
    const ended = new Promise((resolve) => child.once("close", resolve));
    const before = sealedAnew.at(-1)!;
    await eventually(async () => (await boxesOf(newKey)) > before);
    child.kill("SIGKILL");
    await ended;
    sealedAnew.push(await boxesOf(newKey));
  }
  // They were killed on their way.
  expect(sealedAnew[1]).toBeLessThan(businesses * 4);
  await mostradorJson(["secrets", "rotate"], env);
  isOver = true;
  await load;
  expect(failures).toEqual([]);
  expect(requests).toBeGreaterThan(4);

  // What the process of the first step sealed last.
  const { unreadable } = await mostradorJson(["secrets", "rotate"], env);
  expect(unreadable).toEqual([]);
  expect((await mostradorJson(["secrets", "rotate"], env)).resealed).toBe(0);
  for (const { table, column } of sealedColumns) {
    const { rows } = await pool.query(`select ${column} as box from ${table} where ${column} is not null`);
    for (const { box } of rows) expect(keyIdIn(box).equals(keyIdOf(newKey))).toBe(true);
  }
  const { rows: payloads } = await pool.query<{ payload: string }>(
    `select payload from confirmations where payload::text like '%"sealed_%'`,
  );
  expect(payloads.length).toBeGreaterThan(0);
  for (const { payload } of payloads) {
    const { sealed_pin } = JSON.parse(payload) as { sealed_pin: string };
    expect(keyIdIn(Buffer.from(sealed_pin, "base64")).equals(keyIdOf(newKey))).toBe(true);
  }

  // The old key is gone.
  const alone = readConfig({ SECRET_KEY: newKey });
  await requireOwnSettings(pool, alone);
  expect((await secretsWith(alone)).filter((secret) => secret === null)).toEqual([]);
  const now = subscriptionOf(alone, someone.accountId, someone.address);
  expect(await findSuppression(pool, now)).toBe("unsubscribed");
  expect(readUnsubscribeToken(alone, link)?.accountId).toBe(someone.accountId);
  await expect(requireOwnSettings(pool, readConfig({ SECRET_KEY: oldKey }))).rejects.toThrow(/SECRET_KEY no es la de/);
});

/** A list read on by the cursor of another process, and a change of the PIN whose code is mailed by one and confirmed at the other. */
async function tryOnce(owner: Portal, asked: Service, answers: Service): Promise<string[]> {
  const failures: string[] = [];
  const request = async (at: Service, method: string, path: string, body?: object) => {
    const portal = path.startsWith("/portal");
    const response = await fetch(`${at.baseUrl}${path}`, {
      method,
      headers: {
        ...(portal ? { cookie: owner.cookie, origin: "http://127.0.0.1:3000" } : {}),
        ...(!portal && { authorization: `Bearer ${owner.business.key}` }),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok && response.status !== 429) failures.push(`${method} ${path} ${response.status} ${text}`);
    return text === "" ? {} : JSON.parse(text);
  };
  const page = await request(asked, "GET", "/public/v1/audit-log?limit=1");
  if (page.next_cursor)
    await request(answers, "GET", `/public/v1/audit-log?limit=1&starting_after=${page.next_cursor}`);
  const wish = { nit: "900373923-8", regime: "iva", prices_include_tax: true, documents: "electronic" };
  const { confirmation_id } = await request(asked, "PUT", "/portal/api/fiscal-profile", {
    ...wish,
    software_pin: randomBytes(4).toString("hex"),
  });
  if (confirmation_id)
    await request(answers, "POST", `/portal/api/confirmations/${confirmation_id}`, { code: await owner.code() });
  return failures;
}

test("a rotation without the previous key says what to do", async () => {
  const { code, stderr } = await mostrador(["secrets", "rotate"], {
    DATABASE_URL: service.databaseUrl,
    SECRET_KEY: newKey,
  });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Falta SECRET_KEY_PREVIOUS/);
});
