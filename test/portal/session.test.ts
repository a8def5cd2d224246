import { expect, test } from "vitest";
import { setAccount } from "../../src/access/accounts/set-account.ts";
import { signIn } from "../../src/access/people/sign-in.ts";
import { sql } from "../../src/db/sql.ts";
import { day, minute } from "../../src/lib/clock.ts";
import type { ApiError } from "../../src/lib/errors.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { call, openAgain, openPortal, password } from "../support/portal.ts";

const service = sharedService({ TRUST_PROXY: "1" });
const portal = shared(() => openPortal(service));

test("the portal reveals nothing without a session", async () => {
  for (const path of ["/webhook-endpoints", "/api-keys", "/devices"]) {
    const answer = await call(service, "GET", path);
    expect([answer.status, answer.body.error.code]).toEqual([401, "SESSION_REQUIRED"]);
  }
});

test("the cookie is HttpOnly and SameSite=Strict, Secure behind https, and stored as a hash", async () => {
  const signedIn = await call(service, "POST", "/session", { email: portal.email, password });
  const [cookie = ""] = signedIn.headers.getSetCookie();
  expect(cookie).toMatch(/^mostrador_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800$/);
  const token = /=([\w-]{43})/.exec(cookie)![1]!;
  const { rows } = await service.deps.pool.query(sql`select hash from portal_sessions`);
  expect(rows.some((row) => row.hash.toString("base64url") === token)).toBe(false);
  await using secure = await service.sibling({ PUBLIC_URL: "https://pos.example.com" });
  const overHttps = await call(secure, "POST", "/session", { email: portal.email, password });
  const all = overHttps.headers.getSetCookie();
  for (const one of all) expect(one).toMatch(/^__Host-.*; HttpOnly; .*; Secure$/);
  const prefixed = all.find((one) => one.startsWith("__Host-mostrador_session="))!;
  expect(prefixed).toMatch(/^__Host-mostrador_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; .*; Secure$/);
  const read = (pair: string) => call(secure, "GET", "/session", undefined, { cookie: pair });
  expect((await read(prefixed.split(";")[0]!)).status).toBe(200);
  // Another host of the domain could have set this cookie.
  expect((await read(prefixed.split(";")[0]!.replace("__Host-", ""))).status).toBe(401);
});

test("a writing request from another origin is refused; one from the portal or a script is not", async () => {
  const body = { name: "Caja 1" };
  const from = (headers: Record<string, string>) => portal.post("/devices/enrolment", body, headers);
  for (const headers of [
    { origin: "https://malo.example.com" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ])
    expect((await from(headers as Record<string, string>)).body.error.code).toBe("FOREIGN_ORIGIN");
  expect((await from({ origin: service.deps.config.publicUrl, "sec-fetch-site": "same-origin" })).status).toBe(202);
  expect((await from({})).status).toBe(202);
});

test("signing in is recorded in the audit log", async () => {
  const owner = await openPortal(service);
  await call(service, "POST", "/session", { email: owner.email, password });
  const { rows } = await service.deps.pool.query(
    sql`select action from audit_log where account_id = ${owner.accountId} order by created_at desc limit 1`,
  );
  expect(rows).toEqual([{ action: "session.opened" }]);
});

test("signing out ends the session in every process", async () => {
  const owner = await openPortal(service);
  expect((await owner.delete("/session")).status).toBe(204);
  expect((await owner.get("/webhook-endpoints")).status).toBe(401);
});

test("an unknown address fails like a wrong password", async () => {
  const answer = await call(service, "POST", "/session", { email: "nadie@example.com", password: "no es esta" });
  expect([answer.status, answer.body.error.code]).toEqual([401, "SIGN_IN_FAILED"]);
});

test("a session ends after a day without use, and when its account is closed", async () => {
  const owner = await openPortal(service);
  const other = await openPortal(service);
  await setAccount(service.deps, other.accountId, { active: false });
  expect((await other.get("/api-keys")).body.error.code).toBe("ACCOUNT_INACTIVE");
  service.deps.clock.shiftTo(service.deps.clock.offsetMs() + day + minute);
  expect((await owner.get("/api-keys")).body.error.code).toBe("SESSION_REQUIRED");
});

test("a sign-in that began with the old password opens no session once there is a new one", async () => {
  const owner = await openPortal(service);
  const { pool } = service.deps;
  // The password changes between reading its hash and opening the session.
  const slow = new Proxy(pool, {
    get: (target, name) =>
      name === "connect"
        ? async () => {
            await owner.post("/account/password", { current_password: password, new_password: "otra clave larga" });
            return target.connect();
          }
        : Reflect.get(target, name, target).bind(target),
  });
  const asker = { name: "127.0.0.1", isKnown: false };
  const entering = signIn({ ...service.deps, pool: slow }, { email: owner.email, password }, asker).then(
    () => "signed in",
    (error: ApiError) => error.code,
  );
  expect(await entering).toBe("SIGN_IN_FAILED");
  expect((await owner.get("/sessions")).body.data).toHaveLength(1);
});

test("a session that ended for lack of use is not listed as open", async () => {
  const owner = await openPortal(service);
  service.deps.clock.shiftTo(service.deps.clock.offsetMs() + day + minute);
  const again = await openAgain(service, owner.business, owner.email);
  expect((await again.get("/sessions")).body.data).toMatchObject([{ is_current: true }]);
});

test("a key is created with a mailed code, works, and stops working when it is revoked", async () => {
  const owner = await openPortal(service);
  const stranger = await openPortal(service);
  const made = await owner.confirmed("/api-keys", { name: "ERP", scopes: ["events:read"], expires_at: null });
  expect(made.body).toMatchObject({
    api_key: { name: "ERP", scopes: ["events:read"] },
    key: expect.stringMatching(/^mst_test_/),
  });
  const client = service.client({ authorization: `Bearer ${made.body.key}` });
  expect((await client.get("/events")).status).toBe(200);
  expect((await owner.get("/api-keys")).body.data.at(-1)).toMatchObject({
    id: made.body.api_key.id,
    last_four: made.body.key.slice(-4),
  });
  expect((await stranger.delete(`/api-keys/${made.body.api_key.id}`)).status).toBe(404);
  expect((await owner.delete(`/api-keys/${made.body.api_key.id}`)).status).toBe(204);
  expect((await client.get("/events")).body.error.code).toBe("API_KEY_REVOKED");
});
