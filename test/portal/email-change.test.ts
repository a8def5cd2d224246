import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { createAccount, EmailTakenError } from "../../src/access/accounts/create-account.ts";
import { changeEmail } from "../../src/access/people/change-email.ts";
import type { Client } from "../../src/db/pool.ts";
import { sql } from "../../src/db/sql.ts";
import { transaction } from "../../src/db/transaction.ts";
import { hour, minute } from "../../src/lib/clock.ts";
import { sharedService } from "../support/fixtures.ts";
import { call, from, mailsTo, newestCode, openAgain, openPortal, type Portal, password } from "../support/portal.ts";

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

/** The token of the undo link in the notice to the replaced address. */
async function undoToken(email: string): Promise<string> {
  const notice = (await mailsTo(service, email)).find(({ text }) => text.includes("/deshacer-correo#"))!;
  return /\/deshacer-correo#(\S+)/.exec(notice.text)![1]!;
}

/** From an address of its own: together with these tests' sign-ins it would exceed the limit per minute. */
const undo = (token: string) => call(service, "POST", "/email-undo", { token }, from("203.0.113.20"));

test("changing the e-mail takes the password and a code from both addresses, and the old one is notified", async () => {
  const owner = await openPortal(service);
  const email = `nuevo-${owner.accountId}@example.com`;
  const wrong = await owner.post("/account/email", { email, current_password: "no es" });
  expect([wrong.status, wrong.body.error.code]).toEqual([422, "PASSWORD_INCORRECT"]);
  const taken = await openPortal(service);
  const refused = await owner.post("/account/email", { email: taken.email, current_password: password });
  expect(refused.body.error.code).toBe("EMAIL_TAKEN");
  const { path, codes, confirm } = await askEmail(owner, email);
  const missing = await owner.post(path, { code: codes.code });
  expect([missing.status, missing.body.error.param]).toEqual([400, "new_email_code"]);
  const other = (code: string) => (code === "000000" ? "000001" : "000000");
  const withoutTheOld = await owner.post(path, { ...codes, code: other(codes.code) });
  expect([withoutTheOld.body.error.code, withoutTheOld.body.error.param]).toEqual(["CODE_INCORRECT", "code"]);
  const withoutTheNew = await owner.post(path, { ...codes, new_email_code: other(codes.new_email_code) });
  expect([withoutTheNew.body.error.code, withoutTheNew.body.error.param]).toEqual(["CODE_INCORRECT", "new_email_code"]);
  expect((await owner.get("/account")).body.email).toBe(owner.email);
  expect((await confirm()).status).toBe(201);
  expect((await owner.get("/account")).body.email).toBe(email);
  const [notice] = await mailsTo(service, owner.email);
  expect(notice!.subject).toBe("Aviso de seguridad: cambió el correo de su cuenta");
  expect(notice!.text).toContain(email);
});

test("a second change of e-mail that was requested before the first does nothing: its notice would not reach the owner", async () => {
  const owner = await openPortal(service);
  const [mine, theirs] = [`mio-${owner.accountId}@example.com`, `ajeno-${owner.accountId}@example.com`];
  const [first, second] = [await askEmail(owner, mine), await askEmail(owner, theirs)];
  expect((await first.confirm()).status).toBe(201);
  expect((await second.confirm()).body.error.code).toBe("CODE_EXPIRED");
  expect((await owner.get("/account")).body.email).toBe(mine);
});

test("the link in the notice to the old address undoes a change of e-mail, once and with a click", async () => {
  const owner = await openPortal(service);
  const thief = await openAgain(service, owner.business, owner.email);
  const email = `ladron-${owner.accountId}@example.com`;
  expect((await (await askEmail(thief, email)).confirm()).status).toBe(201);
  const waiting = await thief.post("/api-keys", { name: "x", scopes: ["sales:read"] });
  const waitingCode = await newestCode(service, email);
  const token = await undoToken(owner.email);
  const { rows } = await service.deps.pool.query(
    sql`select hash, old_email from email_changes where account_id = ${owner.accountId}`,
  );
  expect(rows).toEqual([{ hash: createHash("sha256").update(token).digest(), old_email: owner.email }]);

  // A mail scanner opens every link it finds.
  const page = await fetch(`${service.baseUrl}/deshacer-correo`, { headers: { accept: "text/html" } });
  expect(page.status).toBe(200);
  expect((await call(service, "GET", "/email-undo")).status).toBe(404);
  expect((await owner.get("/account")).body.email).toBe(email);

  const undone = await undo(token);
  expect([undone.status, undone.body.email]).toEqual([200, owner.email]);
  expect((await thief.get("/account")).status).toBe(401);
  expect((await thief.post(`/confirmations/${waiting.body.confirmation_id}`, { code: waitingCode })).status).toBe(401);
  // Whoever changed it knew the password, so the password no longer works with either address.
  for (const address of [email, owner.email]) expect((await signIn(address, password)).status).toBe(401);
  expect((await mailsTo(service, email))[0]!.subject).toBe(
    "Aviso de seguridad: se deshizo el cambio de correo de su cuenta",
  );
  const again = await undo(token);
  expect([again.status, again.body.error.code]).toEqual([410, "UNDO_EXPIRED"]);

  const code = await newestCode(service, owner.email);
  const set = { code, password: "la nueva del titular" };
  expect((await call(service, "POST", `/password-resets/${undone.body.reset_id}`, set)).status).toBe(204);
  const back = await signIn(owner.email, set.password);
  expect([back.status, back.body.account.email]).toEqual([201, owner.email]);
  const { rows: log } = await service.deps.pool.query(sql`
    select action from audit_log where account_id = ${owner.accountId} and action = 'account.undo_email_change'`);
  expect(log).toHaveLength(1);
});

test("a code requested before a change of e-mail was undone does nothing afterwards", async () => {
  const owner = await openPortal(service);
  const email = `otro-${owner.accountId}@example.com`;
  await (await askEmail(owner, email)).confirm();
  const asked = await owner.post("/api-keys", { name: "x", scopes: ["sales:read"] });
  expect(asked.status).toBe(202);
  const reset = await call(service, "POST", "/password-resets", { email }, from("203.0.113.7"));
  const resetCode = await newestCode(service, email);
  expect((await undo(await undoToken(owner.email))).status).toBe(200);
  const used = await call(service, "POST", `/password-resets/${reset.body.reset_id}`, {
    code: resetCode,
    password: "la del intruso",
  });
  expect(used.body.error.code).toBe("CODE_EXPIRED");
  // Its session has ended too, and even an open one would find nothing to confirm.
  const { rows } = await service.deps.pool.query(sql`
    select id from confirmations where account_id = ${owner.accountId} and id = ${asked.body.confirmation_id}`);
  expect(rows).toEqual([]);
});

test("undoing the first of several changes of e-mail undoes them all and invalidates the later links", async () => {
  const owner = await openPortal(service);
  const [second, third] = [`b-${owner.accountId}@example.com`, `c-${owner.accountId}@example.com`];
  await (await askEmail(owner, second)).confirm();
  await (await askEmail(owner, third)).confirm();
  const [first, later] = [await undoToken(owner.email), await undoToken(second)];
  expect((await undo(first)).body.email).toBe(owner.email);
  expect((await undo(later)).body.error.code).toBe("UNDO_EXPIRED");
});

test("a change of e-mail can be undone for 72 hours", async () => {
  const [late, inTime] = [await openPortal(service), await openPortal(service)];
  for (const owner of [late, inTime]) await (await askEmail(owner, `nuevo-${owner.accountId}@example.com`)).confirm();
  service.deps.clock.shiftTo(service.deps.clock.offsetMs() + 72 * hour - minute);
  expect((await undo(await undoToken(inTime.email))).status).toBe(200);
  service.deps.clock.shiftTo(service.deps.clock.offsetMs() + 2 * minute);
  expect((await undo(await undoToken(late.email))).body.error.code).toBe("UNDO_EXPIRED");
});

test("of two accounts that claim one address at the same moment, the second learns that it is taken", async () => {
  const { pool, clock } = service.deps;
  const [first, second] = [await openPortal(service), await openPortal(service)];
  const email = `disputado-${first.accountId}@example.com`;
  const take = (owner: Portal, client: Client) =>
    changeEmail(client, { personId: owner.accountId, oldEmail: owner.email, email, now: clock.now() });
  const waiting = async () =>
    (await pool.query("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"))
      .rowCount;
  const outcome = (attempt: Promise<unknown>) => attempt.then(String, (error: Error) => error);
  const client = await pool.connect();
  await client.query("begin");
  await take(first, client);
  const moved = outcome(transaction(pool, (other) => take(second, other)));
  const made = outcome(createAccount(service.deps, { name: "Otra", email, password, plan: "basic" }));
  await expect.poll(waiting).toBe(2);
  await client.query("commit");
  client.release();
  expect(await moved).toMatchObject({ code: "EMAIL_TAKEN", status: 409 });
  expect(await made).toBeInstanceOf(EmailTakenError);
});
