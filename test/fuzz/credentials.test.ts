import { afterAll, describe, expect, test } from "vitest";
import { newChance } from "../../simulator/chance.ts";
import { withAccountLock } from "../../src/access/accounts/account-lock.ts";
import { revokeKey } from "../../src/access/api-keys/revoke-key.ts";
import { revokeDevice } from "../../src/access/devices/revoke-device.ts";
import { openSession } from "../../src/access/people/session.ts";
import { sql } from "../../src/db/sql.ts";
import { eventTypes } from "../../src/engine/events/event-types.ts";
import { day } from "../../src/lib/clock.ts";
import { newToken } from "../../src/lib/token.ts";
import { createEndpoint } from "../../src/webhooks/endpoints/create-endpoint.ts";
import { secretBox } from "../../src/webhooks/endpoints/secret-box.ts";
import { publicRoutes, sampleOf, stockedShop } from "../suites/routes.ts";
import { checkResponse } from "../support/check-response.ts";
import { openAgain } from "../support/portal.ts";
import { enrol } from "../support/register.ts";
import { startService } from "../support/service.ts";
import type { FuzzedRoute } from "./requests.ts";
import { routesOf } from "./routes-of.ts";
import { validValue } from "./schema-values.ts";

// Started while the file is loaded: the tests below are generated from the app's own routes.
const service = await startService();
afterAll(() => service[Symbol.asyncDispose]());
const { deps, app } = service;

/** The account whose records are requested, and the one that requests them. */
const victim = await stockedShop(service);
const intruder = await stockedShop(service);

type Headers = Record<string, string>;
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });
const cookie = (token: string): Headers => ({ cookie: `mostrador_session=${token}` });

const revokedKey = await service.key(victim.accountId);
await revokeKey(deps, revokedKey.keyId);
const expiredKey = await service.key(victim.accountId, { expiresAt: new Date(Date.now() - 1000) });
const till = await enrol(service, victim.accountId);
const intrudingTill = await enrol(service, intruder.accountId);
const revokedTill = await enrol(service, victim.accountId);
await revokeDevice(deps, { accountId: victim.accountId, deviceId: revokedTill.deviceId });
const session = await openSession(deps, victim.accountId);
const intrudingSession = await openSession(deps, intruder.accountId);
const endedSession = await openSession(deps, victim.accountId);
await deps.pool.query(sql`delete from portal_sessions where id = ${endedSession.id}`);
const idleSession = await openSession(deps, victim.accountId);
const yesterday = new Date(Date.now() - 2 * day);
await deps.pool.query(sql`update portal_sessions set last_seen_at = ${yesterday} where id = ${idleSession.id}`);
const endpoint = await withAccountLock(deps, victim.accountId, (client) => {
  const input = { url: "https://tienda.com.co/hook", event_types: [...eventTypes] };
  return createEndpoint(client, secretBox(deps.config.secretKey), victim.accountId, input, deps.clock.now());
});
await victim.api.post("/customers", { name: "Ana" });
const queued = await deps.pool.query<{ id: string }>(sql`select id from webhook_queue`);
const confirmation = await (async () => {
  const portal = await openAgain(service, victim, `${victim.accountId}@example.com`);
  return (await portal.post("/devices/enrolment", { name: "Caja" })).body.confirmation_id as string;
})();

/** Every kind of credential, by the API it gives access to. */
const held = {
  public: { "a key": bearer(victim.key) },
  sync: { "a device token": bearer(till.token) },
  portal: { "a session": cookie(session.token) },
};
const opensNothing: Record<string, Headers> = {
  nothing: {},
  "a revoked key": bearer(revokedKey.key),
  "an expired key": bearer(expiredKey.key),
  "an unknown key": bearer(newToken("mst_test_")),
  "a key of the other environment": bearer(newToken("mst_live_")),
  "a revoked device token": bearer(revokedTill.token),
  "an unknown device token": bearer(newToken("mstdev_")),
  "an ended session": cookie(endedSession.token),
  "an idle session": cookie(idleSession.token),
  "a session as a key": bearer(session.token),
  "a key as a session": cookie(victim.key),
  "a device token as a session": cookie(till.token),
};

function wrongFor(api: keyof typeof held): [string, Headers][] {
  const others = Object.entries(held).filter(([name]) => name !== api);
  return [...Object.entries(opensNothing), ...others.flatMap(([, good]) => Object.entries<Headers>(good))];
}

let callers = 0;

/** Each call comes from its own address: failures are counted per address and must not affect other calls. */
async function call(method: string, url: string, headers: Headers, body: unknown) {
  const n = ++callers;
  const { statusCode, body: text } = await app.inject({
    method: method as "GET",
    url,
    headers: {
      ...headers,
      ...(body !== undefined && { "content-type": "application/json", "idempotency-key": `k${n}` }),
    },
    ...(body !== undefined && { payload: JSON.stringify(body) }),
    remoteAddress: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
  });
  return { status: statusCode, text };
}

describe.each(publicRoutes(app))("public $name", (route) => {
  const { path, body } = sampleOf(route, victim);

  test.each(wrongFor("public"))("%s: 401", async (_what, headers) => {
    expect((await call(route.method, `/public/v1${path}`, headers, body)).status).toBe(401);
  });

  const namesRecords = path !== route.path || /[0-9a-f]{8}-[0-9a-f]{4}-/.test(JSON.stringify(body ?? {}));
  // An order's lines are judged one by one: each that cannot be is named, as one that does not exist is.
  const refused = /^POST \/orders(\/preview)?$/.test(route.name) ? 400 : 404;
  test.runIf(namesRecords)(`a key of another account: ${refused}`, async () => {
    const answer = await intruder.api.send(
      route.method,
      path,
      body && { "content-type": "application/json", "idempotency-key": "k" },
      body && JSON.stringify(body),
    );
    expect(answer.status, answer.text).toBe(refused);
    checkResponse(route.method, path, answer);
  });
});

/** Asked before whose it is: whether there is a factor, and whether what was begun is still open. */
const refusals: Readonly<Record<string, number>> = {
  "POST /portal/api/confirmations/:id/second-step": 403,
  "POST /portal/api/factors/totp/:id/confirm": 410,
};

/** Routes that need no credential. */
const open = new Set([
  "POST /sync/v1/enrol",
  "POST /portal/api/session",
  "DELETE /portal/api/session",
  "POST /portal/api/password-resets",
  "POST /portal/api/password-resets/:id",
  "POST /portal/api/email-undo",
  "POST /portal/api/session/second-step",
  "POST /portal/api/session/passkey",
  "POST /portal/api/session/passkey/options",
  "POST /portal/api/invitation-looks",
  "POST /portal/api/invitations/accept",
  "GET /portal/api/sign-ups",
  "POST /portal/api/sign-ups",
  "POST /portal/api/sign-ups/:id",
  "POST /portal/api/objections",
]);
const named = (routes: FuzzedRoute[]) =>
  routes.map((route) => ({ ...route, name: `${route.method} ${route.path}` })).filter(({ name }) => !open.has(name));

describe.each(named(routesOf(app.syncRoutes)))("sync $name", (route) => {
  test.each(wrongFor("sync"))("%s: 401", async (_what, headers) => {
    const { url, body } = sample(route, "");
    expect((await call(route.method, url, headers, body)).status).toBe(401);
  });
});

describe.each(named(routesOf(app.portalRoutes)))("portal $name", (route) => {
  const ids = foreignIds(route.path);

  test.each(wrongFor("portal"))("%s: 401", async (_what, headers) => {
    const { url, body } = sample(route, ids[0]!);
    expect((await call(route.method, url, headers, body)).status).toBe(401);
  });

  // A day is no record: every account has it. Requests have ids of their own form; test/portal/workbench.test.ts asks for a stranger's.
  test.runIf(/:(?!date\b|request_id\b|kind\b)/.test(route.path)).each(ids)(
    "another account's session and %s: 404",
    async (id) => {
      const { url, body } = sample(route, id);
      const answer = await call(route.method, url, cookie(intrudingSession.token), body);
      expect(answer.status, answer.text).toBe(refusals[route.name] ?? 404);
    },
  );
});

test("a register that uses the ids of another account's records changes none of them", async () => {
  const before = await victim.api.get(`/customers/${victim.ids["/customers"]}`);
  const { body } = await intrudingTill.push([
    { type: "customer", id: victim.ids["/customers"]!, data: { name: "Robado" } },
    { type: "customer", id: victim.ids["/customers"]!, op: "delete" },
    { type: "quote", id: victim.ids["/quotes"]!, op: "delete" },
  ]);
  expect(body.results).toHaveLength(3);
  expect((await victim.api.get(`/customers/${victim.ids["/customers"]}`)).text).toBe(before.text);
  expect((await victim.api.get(`/quotes/${victim.ids["/quotes"]}`)).status).toBe(200);
});

/** The victim's id for a path's parameter, or one that nobody has. */
function foreignIds(path: string): string[] {
  const nobodys = "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c25";
  const own: Record<string, string> = {
    "/api-keys/": victim.keyId,
    "/devices/": till.deviceId,
    "/sessions/": session.id,
    "/confirmations/": confirmation,
    "/events/": victim.ids["/events"]!,
    "/webhook-endpoints/": endpoint.id,
    "/deliveries/": queued.rows[0]!.id,
  };
  const found = Object.entries(own).find(([part]) => path.includes(part))?.[1];
  return [...(found ? [found] : []), victim.ids["/sales"]!, nobodys];
}

/** A valid request, except for its sender. */
function sample({ path, query, body }: FuzzedRoute, id: string): { url: string; body: unknown } {
  const words = {
    ids: [id],
    marker: "Ana",
    known: {
      since: ["2026-01-01T00:00:00Z"],
      until: ["2026-02-01T00:00:00Z"],
      expires_at: [null],
      url: ["https://tienda.com.co/hook"],
    },
    knownShare: 1,
  };
  const chance = newChance(1);
  const given = query ? (validValue(query, chance, words) as Record<string, unknown>) : {};
  const { starting_after: _place, cursor: _cursor, wait: _wait, ...rest } = given;
  const pairs = new URLSearchParams(
    Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return {
    url: `${path.replaceAll(/:\w+/g, id)}?${pairs.toString()}`,
    body: body ? validValue(body, chance, words) : undefined,
  };
}
