import { beforeAll, describe, expect, test } from "vitest";
import { createEnrolmentCode } from "../../src/access/devices/create-enrolment-code.ts";
import { recordFailedSignIn } from "../../src/access/people/record-failed-sign-in.ts";
import { auditActions } from "../../src/api/portal/lists/audit-words.ts";
import { invoices } from "../../src/business/invoices/resource.ts";
import { groups } from "../../src/cli/commands.ts";
import { commandsIn } from "../../src/cli/groups.ts";
import { sql } from "../../src/db/sql.ts";
import { authorityFor } from "../../src/fiscal/authority/authority-for.ts";
import { fiscalWorker } from "../../src/fiscal/documents/worker.ts";
import { hour } from "../../src/lib/clock.ts";
import { plainSale, ringUp, softwarePin } from "../support/fiscal.ts";
import { sharedService } from "../support/fixtures.ts";
import { call, openAgain, openPortal, type Portal, password } from "../support/portal.ts";
import { invoiceBody, store } from "../support/records.ts";
import { enrol, syncSend } from "../support/register.ts";

const service = sharedService();
beforeAll(async () => {
  await service.deps.pool.query(`
    create function refuse_audit() returns trigger language plpgsql as $$ begin raise 'no audit today'; end $$;
    create trigger refuse_audit before insert or update on audit_log for each row execute function refuse_audit();
    alter table audit_log disable trigger refuse_audit`);
});

interface Act {
  action: string;
  actor: "owner" | "operator" | "register";
  /** Prepares what the act needs; the function it returns performs it, and gives a status or rejects. */
  prepare: (owner: Portal) => Promise<() => Promise<{ status: number } | undefined>>;
}

const hook = { url: "https://example.com/hook", event_types: ["sale.created"] };
const profile = { nit: "900373923-8", regime: "iva", prices_include_tax: true, documents: "electronic" };
const range = { kind: "pos", prefix: "EPOS", from: 1, to: 5000, valid_until: "2099-12-31" };

const acts: Record<string, Act> = {
  "the account is renamed": inPortal("account.renamed", (owner) => owner.patch("/account", { name: "Otra" })),
  "the password changes": inPortal("password.changed", (owner) =>
    owner.post("/account/password", { current_password: password, new_password: "otra clave larga" }),
  ),
  "a forgotten password is replaced": {
    action: "password.reset",
    actor: "owner",
    async prepare(owner) {
      const asked = await call(service, "POST", "/password-resets", { email: owner.email });
      const body = { code: await owner.code(), password: "otra clave larga" };
      return () => call(service, "POST", `/password-resets/${asked.body.reset_id}`, body);
    },
  },
  "somebody signs in": inPortal("session.opened", ({ email }) =>
    call(service, "POST", "/session", { email, password }),
  ),
  "a session is closed": {
    action: "session.revoked",
    actor: "owner",
    async prepare(owner) {
      await openAgain(service, owner.business, owner.email);
      const { data } = (await owner.get("/sessions")).body;
      const other = data.find((one: { is_current: boolean }) => !one.is_current);
      return () => owner.delete(`/sessions/${other.id}`);
    },
  },
  "the other sessions are closed": {
    action: "session.revoked_others",
    actor: "owner",
    async prepare(owner) {
      await openAgain(service, owner.business, owner.email);
      return () => owner.delete("/sessions");
    },
  },
  "tickets by mail are switched off": inPortal("ticket_mail.set", (owner) =>
    owner.put("/ticket-mail", { active: false }),
  ),
  "a webhook is added": confirmed("webhook_endpoint.create", (owner) => owner.post("/webhook-endpoints", hook)),
  "a webhook's URL changes": confirmed("webhook_endpoint.change_url", async (owner) =>
    owner.patch(`/webhook-endpoints/${await addHook(owner)}`, { url: "https://example.com/otro" }),
  ),
  "a webhook's secret is rotated": confirmed("webhook_endpoint.rotate_secret", async (owner) =>
    owner.post(`/webhook-endpoints/${await addHook(owner)}/rotate-secret`),
  ),
  "a webhook's events change": onHook("webhook_endpoint.updated", (owner, path) =>
    owner.patch(path, { event_types: ["customer.created"] }),
  ),
  "a webhook is paused": onHook("webhook_endpoint.pause", (owner, path) => owner.post(`${path}/pause`)),
  "a webhook is deleted": onHook("webhook_endpoint.deleted", (owner, path) => owner.delete(path)),
  "a key is created": confirmed("api_key.create", (owner) =>
    owner.post("/api-keys", { name: "ERP", scopes: ["sales:read"] }),
  ),
  "a key is rotated": confirmed("api_key.rotate", (owner) =>
    owner.post(`/api-keys/${owner.business.keyId}/rotate`, { overlap_hours: 1 }),
  ),
  "a key is revoked": inPortal("api_key.revoked", (owner) => owner.delete(`/api-keys/${owner.business.keyId}`)),
  "an enrolment code is created": confirmed("device.enrol", (owner) =>
    owner.post("/devices/enrolment", { name: "Caja 1" }),
  ),
  "a register is renamed": onTill("device.renamed", (owner, id) => owner.patch(`/devices/${id}`, { name: "Barra" })),
  "a register is revoked": onTill("device.revoked", (owner, id) => owner.delete(`/devices/${id}`)),
  "the fiscal profile is set": confirmed("fiscal_profile.set", (owner) =>
    owner.put("/fiscal-profile", { ...profile, software_pin: softwarePin }),
  ),
  "a numbering range is set": confirmed("numbering_range.set", (owner) => owner.post("/numbering-ranges", range)),
  "the look of the papers changes": inPortal("look.set", (owner) =>
    owner.put("/look", { color: "#112233", mails_documents: true }),
  ),
  "the accounts of the journal change": inPortal("accounting_codes.set", (owner) =>
    owner.put("/accounting-codes", { other_income: "413505" }),
  ),
  "a document is mailed": {
    action: "invoice.mailed",
    actor: "owner",
    async prepare(owner) {
      const id = await issuedDocument(owner);
      return () => owner.post(`/invoices/${id}/mail`, { email: "ana@example.com" });
    },
  },
  "a document is sent again": {
    action: "invoice.resent",
    actor: "owner",
    async prepare(owner) {
      const id = await failedDocument(owner);
      return () => owner.post(`/invoices/${id}/resend`);
    },
  },
  "a register enrols": {
    action: "device.enrolled",
    actor: "register",
    async prepare({ accountId }) {
      const { code } = await createEnrolmentCode(service.deps, { accountId, name: "Caja 1" });
      return () => syncSend(service.baseUrl, undefined, "POST", "/enrol", { code });
    },
  },
  "a register changes its token": {
    action: "device.token_rotated",
    actor: "register",
    async prepare({ accountId }) {
      const till = await enrol(service, accountId);
      return () => till.send("POST", "/token");
    },
  },
  "mostrador account create": byCommand("account.created", "account create", ({ accountId }) => ({
    options: { name: "Tienda", email: `cli-${accountId}@example.com`, password: "una clave larga" },
  })),
  "mostrador account set": byCommand("account.set", "account set", ({ accountId }) => ({
    words: [accountId],
    options: { plan: "basic" },
  })),
  "mostrador key create": byCommand("api_key.create", "key create", ({ accountId }) => ({
    options: { account: accountId, scopes: "sales:read" },
  })),
  "mostrador key revoke": byCommand("api_key.revoked", "key revoke", ({ business }) => ({ words: [business.keyId] })),
  "mostrador device enrol": byCommand("device.enrol", "device enrol", ({ accountId }) => ({
    options: { account: accountId, name: "Caja 1" },
  })),
  "mostrador device revoke": byCommand("device.revoked", "device revoke", async ({ accountId }) => ({
    words: [(await enrol(service, accountId)).deviceId],
  })),
  "mostrador fiscal set": byCommand("fiscal_profile.set", "fiscal set", ({ accountId }) => ({
    words: [accountId],
    options: { nit: profile.nit, regime: "iva", pin: softwarePin },
  })),
  "mostrador fiscal range": byCommand("numbering_range.set", "fiscal range", ({ accountId }) => ({
    words: [accountId],
    options: { kind: "pos", prefix: "EPOS", from: "1", to: "5000", "valid-until": "2099-12-31" },
  })),
  "mostrador fiscal resend": byCommand("invoice.resent", "fiscal resend", async (owner) => ({
    words: [await failedDocument(owner)],
  })),
};

describe.each(Object.entries(acts))("%s", (_name, { action, actor, prepare }) => {
  test("is recorded in the audit log, with its actor", async () => {
    const act = await prepare(await openPortal(service));
    const { rows: before } = await service.deps.pool.query("select id from audit_log");
    const answer = await act();
    expect(answer?.status ?? 200).toBeLessThan(300);
    const { rows } = await service.deps.pool.query(
      sql`select action, actor, details from audit_log where id <> all(${before.map(({ id }) => id)}::uuid[])`,
    );
    expect(rows.map((row) => [row.action, row.actor])).toEqual([[action, actor]]);
    // The page has a text for it.
    expect(auditActions[action as keyof typeof auditActions]).toMatch(/^[A-ZÁÉÍÓÚ]/);
    expect(rows[0].details).not.toMatch(/mst_|mstdev_|whsec_|una clave larga|otra clave larga/);
  });

  test("does not happen when its entry cannot be written", async () => {
    const act = await prepare(await openPortal(service));
    const before = await everything();
    await service.deps.pool.query("alter table audit_log enable trigger refuse_audit");
    const outcome = await act().then(
      (answer) => answer?.status ?? "done",
      (error: Error) => error.message,
    );
    await service.deps.pool.query("alter table audit_log disable trigger refuse_audit");
    expect([500, "no audit today"]).toContain(outcome);
    expect(await everything()).toEqual(before);
  });
});

test("failed sign-ins are one entry per hour and address, and many addresses are one entry together", async () => {
  const owner = await openPortal(service);
  const lines = async (): Promise<[address: string | null, times: number][]> => {
    const { data } = (await owner.get("/audit-log")).body;
    return data
      .filter((one: { action: string; actor: string }) => one.action === "session.failed" && one.actor === "stranger")
      .map((one: { remote_address: string; details: { times: number } }) => [one.remote_address, one.details.times]);
  };
  /** The response does not wait for the entry. */
  const expectLines = (expected: unknown) => expect.poll(lines).toEqual(expected);
  await call(service, "POST", "/session", { email: owner.email, password: "no es esta" });
  await expectLines([["127.0.0.1", 1]]);
  expect(auditActions["session.failed"]).toContain("contraseña equivocada");
  // The rest is written directly: each password costs 0.2 s, and the account would be locked.
  const fail = (address: string) => recordFailedSignIn(service.deps, owner.accountId, address);
  for (let i = 0; i < 5; i++) fail("127.0.0.1");
  await expectLines([["127.0.0.1", 6]]);
  const others = ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"];
  for (const address of others) fail(address);
  await expect.poll(async () => (await lines()).length).toBe(5);
  for (const address of ["192.0.2.5", "192.0.2.6", "192.0.2.7"]) fail(address);
  await expect.poll(async () => (await lines())[0]).toEqual([null, 3]);
  expect((await lines()).slice(1).map(([address]) => address)).toEqual(
    expect.arrayContaining([...others, "127.0.0.1"]),
  );
  service.deps.clock.shiftTo(service.deps.clock.offsetMs() + hour);
  fail("127.0.0.1");
  await expect.poll(async () => (await lines())[0]).toEqual(["127.0.0.1", 1]);
});

test("a register that rotates its token in a loop is one entry with a count", async () => {
  const owner = await openPortal(service);
  const till = await enrol(service, owner.accountId);
  for (let i = 0; i < 3; i++) expect((await till.send("POST", "/token")).status).toBe(201);
  const { data } = (await owner.get("/audit-log")).body;
  expect(data[0]).toMatchObject({ action: "device.token_rotated", details: { device_id: till.deviceId, times: 3 } });
  expect(data[1].action).toBe("device.enrolled");
});

function inPortal(action: string, act: (owner: Portal) => Promise<{ status: number }>): Act {
  return { action, actor: "owner", prepare: async (owner) => () => act(owner) };
}

/** An act that takes a mailed code: it happens when the code is confirmed, not when it is requested. */
function confirmed(action: string, ask: (owner: Portal) => ReturnType<Portal["get"]>): Act {
  return {
    action,
    actor: "owner",
    async prepare(owner) {
      const asked = await ask(owner);
      expect(asked.status).toBe(202);
      const code = await owner.code();
      return () => owner.post(`/confirmations/${asked.body.confirmation_id}`, { code });
    },
  };
}

function onHook(action: string, act: (owner: Portal, path: string) => Promise<{ status: number }>): Act {
  return {
    action,
    actor: "owner",
    async prepare(owner) {
      const path = `/webhook-endpoints/${await addHook(owner)}`;
      return () => act(owner, path);
    },
  };
}

function onTill(action: string, act: (owner: Portal, id: string) => Promise<{ status: number }>): Act {
  return {
    action,
    actor: "owner",
    async prepare(owner) {
      const { deviceId } = await enrol(service, owner.accountId);
      return () => act(owner, deviceId);
    },
  };
}

interface Words {
  words?: string[];
  options?: Record<string, string>;
}

function byCommand(action: string, name: string, given: (owner: Portal) => Words | Promise<Words>): Act {
  return {
    action,
    actor: "operator",
    async prepare(owner) {
      const { words = [], options = {} } = await given(owner);
      const config = { ...service.deps.config, databaseUrl: service.databaseUrl };
      const out = { json: true, result: () => {}, note: () => {} };
      return async () => {
        await (await commandsIn(groups, name.split(" ")[0]))
          .find((one) => one.name === name)!
          .run({ config, here: undefined, words, options, out, env: {} });
        return undefined;
      };
    },
  };
}

async function addHook(owner: Portal): Promise<string> {
  return (await owner.confirmed("/webhook-endpoints", hook)).body.endpoint.id;
}

/** A document that failed for lack of a number, which the business has now. */
async function failedDocument(owner: Portal): Promise<string> {
  const { accountId } = owner;
  const set = byCommand("", "fiscal set", () => ({
    words: [accountId],
    options: { nit: "900373923-8", regime: "iva", pin: softwarePin },
  }));
  await (await set.prepare(owner))();
  const [sale] = await ringUp(service, accountId, (at) => [plainSale(at, 1000)]);
  await fiscalWorker(service.deps, authorityFor(service.deps)).workOff();
  const options = { kind: "pos", prefix: "EPOS", from: "1", to: "5000", "valid-until": "2099-12-31" };
  await (await byCommand("", "fiscal range", () => ({ words: [accountId], options })).prepare(owner))();
  return sale!.invoices[0]!.id;
}

async function issuedDocument({ accountId }: Portal): Promise<string> {
  const [invoice] = await store(service.deps, accountId, invoices, (at) => [{ body: invoiceBody(at) }]);
  return invoice!.id;
}

/** Every row of every table, except counters of attempts and last uses: those are kept even when the act fails. */
async function everything(): Promise<Record<string, unknown>> {
  const { pool } = service.deps;
  const { rows: tables } = await pool.query<{ relname: string }>(`
    select relname from pg_class where relkind in ('r', 'p') and not relispartition
      and relnamespace = current_schema()::regnamespace and relname not in ('request_log', 'sign_in_failures')`);
  const found: Record<string, unknown> = {};
  for (const { relname } of tables) {
    const { rows } = await pool.query(`
      select (to_jsonb(t) - 'attempts' - 'last_seen_at')::text as row from ${relname} t order by 1`);
    found[relname] = rows.map(({ row }) => row);
  }
  return found;
}
