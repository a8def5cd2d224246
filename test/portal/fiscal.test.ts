import { describe, expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { setRange } from "../../src/fiscal/profile/set-range.ts";
import { day } from "../../src/lib/clock.ts";
import { advance, softwarePin, technicalKey } from "../support/fiscal.ts";
import { sharedService } from "../support/fixtures.ts";
import { openIssuing, sellAndDecide } from "../support/issuing.ts";
import { call, mailsTo, openAgain, openPortal, type Portal } from "../support/portal.ts";

const service = sharedService();

const profile = { nit: "900373923-8", regime: "iva", prices_include_tax: true, documents: "electronic" };
const complete = { ...profile, software_pin: softwarePin };
const pos = { kind: "pos", prefix: "EPOS", from: 1, to: 5000, valid_until: "2099-12-31" };

const unissued = async (owner: Portal) => (await owner.get("/invoices/unissued")).body.data;

describe("the fiscal profile", () => {
  test("is missing until it is set with a mailed code; then it is read back without its secrets", async () => {
    const owner = await openPortal(service);
    const before = await owner.get("/fiscal-profile");
    expect([before.status, before.body.error.code]).toEqual([404, "NOT_FOUND"]);
    const asked = await owner.put("/fiscal-profile", { ...complete, nit: "900.373.923", authority_token: "tok-123" });
    expect(asked.status).toBe(202);
    expect((await owner.get("/fiscal-profile")).status).toBe(404);
    const [mail] = await mailsTo(service, owner.email);
    expect(mail!.text).toContain("NIT: 900373923-8");
    const { rows } = await service.deps.pool.query(sql`
      select payload::text from confirmations where account_id = ${owner.accountId}`);
    for (const text of [mail!.text, rows[0].payload]) {
      expect(text).not.toContain(softwarePin);
      expect(text).not.toContain("tok-123");
    }
    const path = `/confirmations/${asked.body.confirmation_id}`;
    const done = await owner.post(path, { code: await owner.code() });
    expect(done.status).toBe(201);
    const read = await owner.get("/fiscal-profile");
    expect(read.body).toEqual(done.body.fiscal_profile);
    expect(read.body).toMatchObject({ ...profile, has_pin: true, has_authority_token: true });
    expect(read.text + done.text).not.toMatch(/tok-123|12345/);
    const [notice] = await mailsTo(service, owner.email);
    expect(notice!.subject).toBe("Aviso de seguridad: cambió el perfil fiscal de su negocio");
    const log = await owner.get("/audit-log?limit=1");
    expect(log.body.data[0]).toMatchObject({ action: "fiscal_profile.set", details: { pin_changed: true } });
    expect(log.text).not.toMatch(/tok-123|12345|sealed/);
  });

  test("can be changed without entering its secrets again, and they still seal documents", async () => {
    const owner = await openIssuing(service);
    await owner.confirmed("/fiscal-profile", { ...profile, regime: "inc", prices_include_tax: false }, "PUT");
    expect((await owner.get("/fiscal-profile")).body).toMatchObject({
      regime: "inc",
      prices_include_tax: false,
      has_pin: true,
      has_authority_token: false,
    });
    await sellAndDecide(service, owner.accountId, 10_000);
    expect(await unissued(owner)).toEqual([]);
  });

  test.each([
    ["a wrong check digit", { ...complete, nit: "900373923-1" }, "nit", "para 900373923 es 8"],
    ["no NIT at all", { ...complete, nit: "mi tienda" }, "nit", "no es un NIT"],
    ["NUL in a field", { ...complete, nit: "900373923\u0000" }, "nit", "NUL"],
    ["a NIT of a thousand digits", { ...complete, nit: "9".repeat(1_000) }, "nit", "30"],
    ["electronic documents without a PIN", profile, "software_pin", "Falta el PIN"],
    ["a PIN with spaces", { ...profile, software_pin: "12 45" }, "software_pin", "sin espacios"],
    ["a token with two lines", { ...complete, authority_token: "a\nb" }, "authority_token", "una sola palabra"],
    ["an unknown regime", { ...complete, regime: "otro" }, "regime", "iva"],
    ["text for a boolean", { ...complete, prices_include_tax: "true" }, "prices_include_tax", "`true` o `false`"],
    ["an unknown field", { ...complete, since: "2020-01-01" }, "since", ""],
  ])("refuses %s and mails no code", async (_name, body, param, words) => {
    const owner = await openPortal(service);
    const answer = await owner.put("/fiscal-profile", body);
    expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([400, "VALIDATION_ERROR", param]);
    expect(answer.body.error.errors[0].message).toContain(words);
    expect(await mailsTo(service, owner.email)).toEqual([]);
  });

  test("refuses a body beyond the limit", async () => {
    const owner = await openPortal(service);
    const answer = await owner.put("/fiscal-profile", { ...complete, authority_token: "x".repeat(70_000) });
    expect([answer.status, answer.body.error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });
});

describe("numbering ranges", () => {
  test("are added with a mailed code, and show how far they are used and when they end", async () => {
    const owner = await openIssuing(service, { to: 3 });
    await sellAndDecide(service, owner.accountId, 10_000, 10_000);
    expect((await owner.get("/numbering-ranges")).body.data).toMatchObject([
      { ...pos, to: 3, next: 3, remaining: 1, state: "in_use", has_technical_key: false },
    ]);
    const invoice = { kind: "invoice", prefix: "setp", from: 990_000_000, to: 995_000_000, valid_until: "2098-12-31" };
    const made = await owner.confirmed("/numbering-ranges", { ...invoice, technical_key: technicalKey });
    expect(made.body.numbering_range).toMatchObject({ ...invoice, prefix: "SETP", has_technical_key: true });
    expect(made.text).not.toContain(technicalKey);
    await owner.confirmed("/numbering-ranges", { ...pos, prefix: "EPO2" });
    await sellAndDecide(service, owner.accountId, 10_000);
    const { body, text } = await owner.get("/numbering-ranges");
    expect(body.data.map((one: { prefix: string; state: string }) => [one.prefix, one.state])).toEqual([
      ["EPOS", "exhausted"],
      ["SETP", "in_use"],
      ["EPO2", "in_use"],
    ]);
    expect(text).not.toContain(technicalKey);
    const { rows } = await service.deps.pool.query(sql`
      select string_agg(payload::text, '') as all from confirmations where account_id = ${owner.accountId}`);
    expect(rows[0].all).not.toContain(technicalKey);
  });

  test("show skipped numbers with their reason, and the audit log names who skipped them", async () => {
    const owner = await openPortal(service);
    const reason = "Usados en otro sistema";
    const made = await owner.confirmed("/numbering-ranges", { ...pos, next: 121, reason });
    expect(made.body.numbering_range).toMatchObject({ next: 121 });
    expect((await owner.get("/numbering-ranges")).body.data).toMatchObject([
      { next: 121, skipped: [{ from: 1, to: 120, reason, by: "portal", at: expect.stringMatching(/T.*Z$/) }] },
    ]);
    const { body } = await owner.get("/audit-log");
    expect(body.data[0]).toMatchObject({ action: "numbering_range.set", details: { next: 121, reason } });
    expect((await mailsTo(service, owner.email)).some(({ text }) => text.includes(reason))).toBe(true);
  });

  test("say when they have expired", async () => {
    const owner = await openPortal(service);
    const until = new Date(service.deps.clock.now().getTime() + 2 * day).toISOString().slice(0, 10);
    await owner.confirmed("/numbering-ranges", { ...pos, valid_until: until });
    advance(service, 4 * day);
    const later = await openAgain(service, owner.business, owner.email);
    expect((await later.get("/numbering-ranges")).body.data).toMatchObject([{ state: "expired", remaining: 5000 }]);
  });

  test.each([
    ["an end before the start", { ...pos, to: 4, from: 5 }, "to", "a otro mayor"],
    ["a number too large", { ...pos, to: 9_999_999_999 }, "to", "999999999"],
    ["a fraction", { ...pos, to: 10.5 }, "to", "entero"],
    ["a next number outside", { ...pos, from: 10, next: 3 }, "next", "entre 10 y 5001"],
    ["skipped numbers without a reason", { ...pos, next: 3 }, "reason", "del 1 al 2"],
    ["a long prefix", { ...pos, prefix: "TIENDA" }, "prefix", "hasta 4 letras"],
    ["a prefix with NUL", { ...pos, prefix: "E\u0000" }, "prefix", "NUL"],
    ["a day that does not exist", { ...pos, valid_until: "2028-02-30" }, "valid_until", "no es una fecha"],
    ["a day that is past", { ...pos, valid_until: "2020-12-31" }, "valid_until", "ya pasó"],
    ["no end of validity", { ...pos, valid_until: null }, "valid_until", "hasta cuándo"],
    ["an invoice range without its key", { ...pos, kind: "invoice" }, "technical_key", "clave técnica"],
    ["a key cut short", { ...pos, kind: "invoice", technical_key: "abc" }, "technical_key", "40 dígitos"],
    ["an internal kind", { ...pos, kind: "internal" }, "kind", "pos"],
  ])("refuse %s", async (_name, body, param, words) => {
    const owner = await openPortal(service);
    const answer = await owner.post("/numbering-ranges", body);
    expect([answer.status, answer.body.error.param]).toEqual([400, param]);
    expect(answer.body.error.errors[0].message).toContain(words);
  });

  test("cannot overlap, even when the other range was added between request and code", async () => {
    const owner = await openIssuing(service, { to: 50 });
    const crossing = await owner.post("/numbering-ranges", { ...pos, from: 40, to: 60 });
    expect(crossing.body.error.errors).toEqual([{ param: "from", message: "Se cruza con el rango EPOS 1–50." }]);
    const asked = await owner.post("/numbering-ranges", { ...pos, from: 100, to: 200 });
    await setRange(service.deps, owner.accountId, {
      kind: "pos",
      prefix: "EPOS",
      first: 150,
      last: 300,
      validUntil: "2099-12-31",
    });
    const late = await owner.post(`/confirmations/${asked.body.confirmation_id}`, { code: await owner.code() });
    expect([late.status, late.body.error.param]).toEqual([400, "from"]);
    expect((await owner.get("/numbering-ranges")).body.data).toHaveLength(2);
  });
});

describe("nothing happens", () => {
  const requests = [
    ["GET", "/fiscal-profile", undefined],
    ["PUT", "/fiscal-profile", complete],
    ["GET", "/numbering-ranges", undefined],
    ["POST", "/numbering-ranges", pos],
    ["GET", "/invoices/unissued", undefined],
    ["POST", "/invoices/019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c18/resend", undefined],
  ] as const;

  test.each(requests)("without a session: %s %s", async (method, path, body) => {
    const answer = await call(service, method, path, body);
    expect([answer.status, answer.body.error.code]).toEqual([401, "SESSION_REQUIRED"]);
  });

  test.each(requests.filter(([method]) => method !== "GET"))("from another site: %s %s", async (method, path, body) => {
    const owner = await openPortal(service);
    const verb = method === "PUT" ? "put" : "post";
    for (const headers of [{ origin: "https://malo.example" }, { "sec-fetch-site": "same-site" }]) {
      const answer = await owner[verb](path, body, headers as Record<string, string>);
      expect([answer.status, answer.body.error.code]).toEqual([403, "FOREIGN_ORIGIN"]);
    }
  });

  test("with a wrong code, in another session, or after ten codes a day", async () => {
    const owner = await openPortal(service);
    const asked = await owner.put("/fiscal-profile", complete);
    const path = `/confirmations/${asked.body.confirmation_id}`;
    const code = await owner.code();
    expect((await owner.post(path, {})).body.error.param).toBe("code");
    const wrong = await owner.post(path, { code: code === "000000" ? "000001" : "000000" });
    expect([wrong.status, wrong.body.error.code]).toEqual([422, "CODE_INCORRECT"]);
    const elsewhere = await openAgain(service, owner.business, owner.email);
    expect((await elsewhere.post(path, { code })).status).toBe(404);
    expect((await owner.get("/fiscal-profile")).status).toBe(404);
    // The PIN is encrypted anew each time, and still counts as the same request.
    expect((await owner.put("/fiscal-profile", complete)).body.confirmation_id).toBe(asked.body.confirmation_id);
    const another = (i: number) => owner.put("/fiscal-profile", { ...complete, software_pin: `9876${i}` });
    for (let i = 0; i < 9; i++) expect((await another(i)).status).toBe(202);
    expect((await another(9)).body.error.code).toBe("TOO_MANY_CODES");
  });
});
