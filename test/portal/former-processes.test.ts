import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { uuidv7 } from "../../src/lib/ids.ts";
import { sharedService } from "../support/fixtures.ts";
import { call, openPortal, password, passwordHash } from "../support/portal.ts";

const service = sharedService();
const signIn = (email: string, secret = password) => call(service, "POST", "/session", { email, password: secret });

/** What the version before this one writes when an operator creates an account. */
async function formerAccount(email: string): Promise<string> {
  const now = service.deps.clock.now();
  const id = uuidv7(now);
  await service.deps.pool.query(sql`
    insert into accounts (id, name, email, password_hash, plan, created_at, updated_at)
    values (${id}, 'De antes', ${email}, ${passwordHash}, 'pro', ${now}, ${now})`);
  await service.deps.pool.query(
    sql`insert into account_clock (account_id, ts, records_events) values (${id}, ${now}, true)`,
  );
  return id;
}

/** And when somebody signs in. */
async function formerSession(accountId: string): Promise<string> {
  const now = service.deps.clock.now();
  const token = randomBytes(32).toString("base64url");
  const expires = new Date(now.getTime() + 60_000);
  await service.deps.pool.query(sql`
    insert into portal_sessions (hash, id, account_id, created_at, last_seen_at, expires_at)
    values (${createHash("sha256").update(token).digest()}, ${uuidv7(now)}, ${accountId}, ${now}, ${now}, ${expires})`);
  return `mostrador_session=${token}`;
}

/** Whether it lets the bearer of a session in. */
async function formerlyFound(cookie: string): Promise<boolean> {
  const token = cookie.split("=")[1]!;
  const { rowCount } = await service.deps.pool.query(sql`
    select from portal_sessions s join accounts a on a.id = s.account_id
    where s.hash = ${createHash("sha256").update(token).digest()}`);
  return rowCount !== 0;
}

test("an account that a former process opened meanwhile has its owner, by password and by a session of that process", async () => {
  await formerAccount("de-antes@example.com");
  expect((await signIn("De-Antes@example.com")).status).toBe(201);
  const other = await formerAccount("de-antes-2@example.com");
  const answer = await call(service, "GET", "/session", undefined, { cookie: await formerSession(other) });
  expect(answer).toMatchObject({ status: 200, body: { account: { id: other } } });
});

test("a password and an address that a former process set are the person's", async () => {
  const id = await formerAccount("primero@example.com");
  expect((await signIn("primero@example.com")).status).toBe(201);
  await service.deps.pool.query(sql`update accounts set email = 'segundo@example.com' where id = ${id}`);
  expect((await signIn("primero@example.com")).status).toBe(401);
  expect((await signIn("segundo@example.com")).status).toBe(201);
  await service.deps.pool.query(sql`update accounts set password_hash = 'none' where id = ${id}`);
  expect((await signIn("segundo@example.com")).status).toBe(401);
});

test("what this version sets, a former process finds: the password, and the session of a founder", async () => {
  const owner = await openPortal(service);
  expect(await formerlyFound(owner.cookie)).toBe(true);
  const changed = { current_password: password, new_password: "otra clave más larga" };
  expect((await owner.post("/account/password", changed)).status).toBe(204);
  const { rows } = await service.deps.pool.query(sql`
    select a.password_hash = p.password_hash and a.password_hash <> ${passwordHash} as is_same
    from accounts a join people p on p.id = a.id where a.id = ${owner.accountId}`);
  expect(rows).toEqual([{ is_same: true }]);
});
