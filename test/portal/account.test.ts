import { expect, test } from "vitest";
import { day, hour, minute } from "../../src/lib/clock.ts";
import { startExpiryNotices } from "../../src/mail/mail-expiring-keys.ts";
import { sharedService } from "../support/fixtures.ts";
import { call, from, mailsTo, newestCode, openAgain, openPortal, type Portal, password } from "../support/portal.ts";
import { startService } from "../support/service.ts";

const service = sharedService({ TRUST_PROXY: "1" });

const signIn = (email: string, secret: string) => call(service, "POST", "/session", { email, password: secret });

/** Requests a change of address; `confirm` sends the codes from both addresses. */
async function askEmail(owner: Portal, email: string, at = service) {
  const asked = await owner.post("/account/email", { email, current_password: password });
  expect(asked.status, asked.text).toBe(202);
  const codes = {
    code: await newestCode(at, (await owner.get("/account")).body.email),
    new_email_code: await newestCode(at, email),
  };
  const path = `/confirmations/${asked.body.confirmation_id}`;
  return { path, codes, confirm: () => owner.post(path, codes) };
}

test("a forgotten password is replaced with a mailed code, which works once and ends every session", async () => {
  const owner = await openPortal(service);
  const asked = await call(service, "POST", "/password-resets", { email: owner.email.toUpperCase() });
  expect(asked.status).toBe(202);
  const code = await owner.code();
  const path = `/password-resets/${asked.body.reset_id}`;
  const wrong = await call(service, "POST", path, {
    code: code === "000000" ? "000001" : "000000",
    password: "otra clave",
  });
  expect([wrong.status, wrong.body.error.attempts_left]).toEqual([422, 4]);
  expect((await call(service, "POST", path, { code, password: "corta" })).body.error.param).toBe("password");
  expect((await call(service, "POST", path, { code, password: "otra clave larga" })).status).toBe(204);
  expect((await call(service, "POST", path, { code, password: "otra clave larga" })).status).toBe(410);
  expect((await owner.get("/account")).status).toBe(401);
  expect((await signIn(owner.email, password)).status).toBe(401);
  expect((await signIn(owner.email, "otra clave larga")).status).toBe(201);
  const [notice] = await mailsTo(service, owner.email);
  expect(notice!.subject).toBe("Aviso de seguridad: se restableció su contraseña");
});

test("a password that is easily guessed is refused when it is changed or reset, with advice", async () => {
  const owner = await openPortal(service);
  const asked = await call(service, "POST", "/password-resets", { email: owner.email });
  const reset = { code: await owner.code() };
  for (const weak of ["1234567890", " ".repeat(10), owner.email]) {
    const changed = await owner.post("/account/password", { current_password: password, new_password: weak });
    const replaced = await call(service, "POST", `/password-resets/${asked.body.reset_id}`, {
      ...reset,
      password: weak,
    });
    for (const [{ status, body }, param] of [
      [changed, "new_password"],
      [replaced, "password"],
    ] as const) {
      expect([status, body.error.code, body.error.param]).toEqual([400, "VALIDATION_ERROR", param]);
      expect(body.error.message).toMatch(/se adivina.*Escriba una frase/);
    }
  }
  expect((await signIn(owner.email, password)).status).toBe(201);
});

test("a code for a forgotten password stops working when the address it went to or the password changes", async () => {
  // Together with the other tests it would exceed the limit per address and minute.
  await using apart = await startService({ TRUST_PROXY: "1" });
  const askCode = async (owner: Portal) => {
    const asked = await call(apart, "POST", "/password-resets", { email: owner.email });
    return { path: `/password-resets/${asked.body.reset_id}`, code: await owner.code() };
  };
  const use = ({ path, code }: { path: string; code: string }) =>
    call(apart, "POST", path, { code, password: "la del intruso" });
  const moved = await openPortal(apart);
  const toTheOldAddress = await askCode(moved);
  const email = `nuevo-${moved.accountId}@example.com`;
  expect((await (await askEmail(moved, email, apart)).confirm()).status).toBe(201);
  expect((await use(toTheOldAddress)).body.error.code).toBe("CODE_EXPIRED");

  const changed = await openPortal(apart);
  const beforeTheChange = await askCode(changed);
  await changed.post("/account/password", { current_password: password, new_password: "otra clave larga" });
  expect((await use(beforeTheChange)).body.error.code).toBe("CODE_EXPIRED");

  const reset = await openPortal(apart);
  const first = await askCode(reset);
  apart.deps.clock.shiftTo(apart.deps.clock.offsetMs() + 9 * minute);
  const elsewhere = await call(apart, "POST", "/password-resets", { email: reset.email }, from("203.0.113.9"));
  const second = { path: `/password-resets/${elsewhere.body.reset_id}`, code: await reset.code() };
  expect(second.path).not.toBe(first.path);
  expect((await use(second)).status).toBe(204);
  expect((await use(first)).body.error.code).toBe("CODE_EXPIRED");
});

test("asking for a code does not reveal who has an account", async () => {
  const nobody = await call(service, "POST", "/password-resets", { email: "nadie@example.com" });
  expect(nobody.status).toBe(202);
  const tried = await call(service, "POST", `/password-resets/${nobody.body.reset_id}`, {
    code: "123456",
    password: "otra clave larga",
  });
  expect([tried.status, tried.body.error.code, tried.body.error.attempts_left]).toEqual([422, "CODE_INCORRECT", 4]);
  const again = await call(service, "POST", "/password-resets", { email: "nadie@example.com" });
  expect([again.status, again.body.reset_id]).toEqual([202, nobody.body.reset_id]);
});

test("a new password ends the other sessions; sessions are listed and can be closed one by one", async () => {
  const owner = await openPortal(service);
  const elsewhere = await openAgain(service, owner.business, owner.email);
  const { data } = (await owner.get("/sessions")).body;
  expect(data.map((one: { is_current: boolean }) => one.is_current).sort()).toEqual([false, true]);
  const other = data.find((one: { is_current: boolean }) => !one.is_current);
  const stranger = await openPortal(service);
  expect((await stranger.delete(`/sessions/${other.id}`)).status).toBe(404);
  expect((await owner.delete(`/sessions/${other.id}`)).status).toBe(204);
  expect((await elsewhere.get("/account")).status).toBe(401);
  const third = await openAgain(service, owner.business, owner.email);
  const changed = await owner.post("/account/password", {
    current_password: password,
    new_password: "otra clave larga",
  });
  expect(changed.status).toBe(204);
  expect((await third.get("/account")).status).toBe(401);
  expect((await owner.get("/account")).status).toBe(200);
  const log = (await owner.get("/audit-log?limit=1")).body;
  expect([log.data[0].action, log.has_more]).toEqual(["password.changed", true]);
  const next = (await owner.get(`/audit-log?limit=1&starting_after=${log.next_cursor}`)).body;
  expect(next.data[0].action).toBe("session.revoked");
});

test("a key is rotated with an overlap, after which only the new one works", async () => {
  const owner = await openPortal(service);
  const { keyId, key } = await service.key(owner.accountId, { scopes: ["customers:read"] });
  const get = (token: string) => service.client({ authorization: `Bearer ${token}` }).get("/customers");
  const rotated = await owner.confirmed(`/api-keys/${keyId}/rotate`, { overlap_hours: 2 });
  expect(rotated.body.api_key.scopes).toEqual(["customers:read"]);
  expect((await get(key)).status).toBe(200);
  expect((await get(rotated.body.key)).status).toBe(200);
  service.deps.clock.shiftTo(service.deps.clock.offsetMs() + 2 * hour);
  expect((await get(key)).body.error.code).toBe("API_KEY_EXPIRED");
  const again = await openAgain(service, owner.business, owner.email);
  const now = await again.confirmed(`/api-keys/${rotated.body.api_key.id}/rotate`, { overlap_hours: 0 });
  expect((await get(rotated.body.key)).body.error.code).toBe("API_KEY_REVOKED");
  expect((await get(now.body.key)).status).toBe(200);
  const refused = await again.post(`/api-keys/${keyId}/rotate`, {});
  expect([refused.status, refused.body.error.code]).toEqual([409, "KEY_ENDED"]);
});

test("a key in its overlap cannot be rotated again; its successor can", async () => {
  const owner = await openPortal(service);
  const expiresAt = new Date(service.deps.clock.now().getTime() + 90 * day);
  const { keyId } = await service.key(owner.accountId, { scopes: ["customers:read"], expiresAt });
  const askedBefore = await owner.post(`/api-keys/${keyId}/rotate`, {});
  const codeBefore = await owner.code();
  const rotated = await owner.confirmed(`/api-keys/${keyId}/rotate`, { overlap_hours: 2 });
  const successor = rotated.body.api_key.id;
  const again = await owner.post(`/api-keys/${keyId}/rotate`, { overlap_hours: 24 });
  expect([again.status, again.body.error.code, again.body.error.replaced_by]).toEqual([409, "KEY_REPLACED", successor]);
  const late = await owner.post(`/confirmations/${askedBefore.body.confirmation_id}`, { code: codeBefore });
  expect(late.body.error.code).toBe("KEY_REPLACED");
  expect((await owner.confirmed(`/api-keys/${successor}/rotate`, { overlap_hours: 2 })).status).toBe(201);
  const { data } = (await owner.get("/api-keys")).body;
  const ofThree = data.filter((key: { scopes: string[] }) => key.scopes.length === 1);
  expect(ofThree.map((key: { replaced_by: string | null }) => key.replaced_by !== null)).toEqual([true, true, false]);
  expect(ofThree[2].expires_at).toBe(expiresAt.toISOString());
});

test("the request log has every call of a key, refused ones too, none of another key, and its last use", async () => {
  const owner = await openPortal(service);
  const { keyId, api } = await service.key(owner.accountId, { scopes: ["customers:read"] });
  const other = await service.key(owner.accountId);
  await other.api.get("/customers");
  const ok = await api.get("/customers?q=secreto");
  const refused = await api.get("/sales");
  const { data } = (await owner.get(`/api-keys/${keyId}/requests`)).body;
  expect(data).toMatchObject([
    { method: "GET", path: "/public/v1/sales", status: 403, request_id: refused.headers.get("request-id") },
    { method: "GET", path: "/public/v1/customers", status: 200, request_id: ok.headers.get("request-id") },
  ]);
  expect(data[1]).toMatchObject({ query: "q=secreto" });
  const errors = (await owner.get(`/api-keys/${keyId}/requests?result=error&limit=1`)).body;
  expect(errors.data.map((one: { status: number }) => one.status)).toEqual([403]);
  const keys = (await owner.get("/api-keys")).body.data;
  expect(keys.find((one: { id: string }) => one.id === keyId).last_used_at).not.toBeNull();
  const stranger = await openPortal(service);
  expect((await stranger.get(`/api-keys/${keyId}/requests`)).status).toBe(404);
});

test("an owner is notified once, a week ahead, of a key that expires", async () => {
  const owner = await openPortal(service);
  const now = service.deps.clock.now().getTime();
  await service.key(owner.accountId, { name: "Contabilidad", expiresAt: new Date(now + 10 * day) });
  const notices = startExpiryNotices(service.deps);
  service.deps.clock.shiftTo(service.deps.clock.offsetMs() + 4 * day);
  await notices.stop();
  const again = startExpiryNotices(service.deps);
  await again.stop();
  const mails = await mailsTo(service, owner.email);
  expect(mails.map(({ subject }) => subject)).toEqual(["La clave de API «Contabilidad» está por vencer"]);
});
