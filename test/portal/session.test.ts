import { afterAll, beforeAll, expect, test } from "vitest";
import { setAccount } from "../../src/accounts/set-account.ts";
import { sql } from "../../src/db/sql.ts";
import { day, minute } from "../../src/lib/clock.ts";
import type { ApiError } from "../../src/lib/errors.ts";
import { signIn } from "../../src/portal-api/sign-in.ts";
import { call, openAgain, openPortal, type Portal, password } from "../support/portal.ts";
import { type Service, startService } from "../support/service.ts";

let service: Service;
let portal: Portal;
beforeAll(async () => {
  service = await startService();
  portal = await openPortal(service);
});
afterAll(() => service[Symbol.asyncDispose]());

test("nothing of the portal is told without a session", async () => {
  for (const path of ["/webhook-endpoints", "/api-keys", "/devices"]) {
    const answer = await call(service, "GET", path);
    expect([answer.status, answer.body.error.code]).toEqual([401, "SESSION_REQUIRED"]);
  }
});

test("the cookie is HttpOnly and SameSite=Strict, Secure behind https, and stored as a hash", async () => {
  const signedIn = await call(service, "POST", "/session", { email: portal.email, password });
  const cookie = signedIn.headers.get("set-cookie")!;
  expect(cookie).toMatch(/^mostrador_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800$/);
  const token = /=([\w-]{43})/.exec(cookie)![1]!;
  const { rows } = await service.deps.pool.query(sql`select hash from portal_sessions`);
  expect(rows.some((row) => row.hash.toString("base64url") === token)).toBe(false);
  await using secure = await service.sibling({ PUBLIC_URL: "https://pos.example.com" });
  const overHttps = await call(secure, "POST", "/session", { email: portal.email, password });
  expect(overHttps.headers.get("set-cookie")).toMatch(/; Secure$/);
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

test("signing in is written into the audit log", async () => {
  const owner = await openPortal(service);
  await call(service, "POST", "/session", { email: owner.email, password });
  const { rows } = await service.deps.pool.query(
    sql`select action from audit_log where account_id = ${owner.accountId}`,
  );
  expect(rows).toEqual([{ action: "session.opened" }]);
});

test("signing out ends the session everywhere it is known", async () => {
  const owner = await openPortal(service);
  expect((await owner.delete("/session")).status).toBe(204);
  expect((await owner.get("/webhook-endpoints")).status).toBe(401);
});

test("five failures lock an address out for a quarter of an hour, side by side too", async () => {
  const owner = await openPortal(service);
  const wrong = () => call(service, "POST", "/session", { email: owner.email.toUpperCase(), password: "no es esta" });
  const tries = await Promise.all(Array.from({ length: 8 }, wrong));
  const codes = tries.map((one) => one.body.error.code).toSorted((a, b) => a.localeCompare(b));
  expect(codes).toEqual([...Array(5).fill("SIGN_IN_FAILED"), ...Array(3).fill("SIGN_IN_LOCKED")]);
  const right = () => call(service, "POST", "/session", { email: owner.email, password });
  const locked = await right();
  expect(locked.body.error.code).toBe("SIGN_IN_LOCKED");
  expect(Number(locked.headers.get("retry-after"))).toBeGreaterThan(800);
  service.deps.clock.shiftTo(service.deps.clock.offsetMs() + 16 * minute);
  expect((await right()).status).toBe(201);
});

test("an unknown address fails like a wrong password", async () => {
  const answer = await call(service, "POST", "/session", { email: "nadie@example.com", password: "no es esta" });
  expect([answer.status, answer.body.error.code]).toEqual([401, "SIGN_IN_FAILED"]);
});

test("a session ends after a day without use, and with its account", async () => {
  const owner = await openPortal(service);
  const other = await openPortal(service);
  await setAccount(service.deps, other.accountId, { active: false });
  expect((await other.get("/api-keys")).body.error.code).toBe("ACCOUNT_INACTIVE");
  service.deps.clock.shiftTo(service.deps.clock.offsetMs() + day + minute);
  expect((await owner.get("/api-keys")).body.error.code).toBe("SESSION_REQUIRED");
});

test("a sign-in that began with the old password opens nothing once there is a new one", async () => {
  const owner = await openPortal(service);
  const { pool } = service.deps;
  // The password changes between the reading of its hash and the opening of the session.
  const slow = new Proxy(pool, {
    get: (target, name) =>
      name === "query"
        ? async (query: { text: string }) => {
            if (query.text.includes("insert into portal_sessions"))
              await owner.post("/account/password", { current_password: password, new_password: "otra clave larga" });
            return target.query(query as never);
          }
        : Reflect.get(target, name),
  });
  const entering = signIn({ ...service.deps, pool: slow }, { email: owner.email, password }, "127.0.0.1").then(
    () => "signed in",
    (error: ApiError) => error.code,
  );
  expect(await entering).toBe("SIGN_IN_FAILED");
  expect((await owner.get("/sessions")).body.data).toHaveLength(1);
});

test("a session that ended for want of use is not among the open ones", async () => {
  const owner = await openPortal(service);
  service.deps.clock.shiftTo(service.deps.clock.offsetMs() + day + minute);
  const again = await openAgain(service, owner.business, owner.email);
  expect((await again.get("/sessions")).body.data).toMatchObject([{ is_current: true }]);
});

test("a key is made by a mailed code, works, and stops when it is revoked", async () => {
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

test("whoever calls faster than people do is told when to come back: by account, and by address before signing in", async () => {
  await using limited = await startService({}, { traffic: { portalPerSecond: 0.01, portalBurst: 5 } });
  const [owner, other] = [await openPortal(limited), await openPortal(limited)];
  const statuses = async (ask: () => ReturnType<typeof call>) => {
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push(await ask());
    const { status, headers, body } = answers[5]!;
    expect([status, body.error.code, headers.get("retry-after")]).toEqual([
      429,
      "RATE_LIMITED",
      expect.stringMatching(/^\d+$/),
    ]);
    return answers.slice(0, 5).map((answer) => answer.status);
  };
  expect(await statuses(() => owner.get("/devices"))).toEqual([200, 200, 200, 200, 200]);
  expect((await other.get("/devices")).status).toBe(200);
  const cookie = "mostrador_session=none";
  expect(await statuses(() => call(limited, "GET", "/devices", undefined, { cookie }))).toEqual(Array(5).fill(401));
  expect((await call(limited, "DELETE", "/session")).status).toBe(429);
  // His cookie was good a moment ago, and he does not answer for the strangers of his address.
  expect((await other.get("/devices")).status).toBe(200);
});
