import { beforeEach, describe, expect, test } from "vitest";
import { customers } from "../../src/business/customers/resource.ts";
import { invoices } from "../../src/business/invoices/resource.ts";
import type { Invoice } from "../../src/business/invoices/schema.ts";
import { sql } from "../../src/db/sql.ts";
import { apidianAuthority } from "../../src/fiscal/authority/apidian/adapter.ts";
import { resendDocument } from "../../src/fiscal/documents/resend-document.ts";
import { fiscalWorker } from "../../src/fiscal/documents/worker.ts";
import { setRange } from "../../src/fiscal/profile/set-range.ts";
import { hour, minute } from "../../src/lib/clock.ts";
import { acceptOnce, sendReply, startApidian } from "../support/apidian.ts";
import { advance, changeSale, documentsOf, fiscalBusiness, plainSale, readSale, ringUp } from "../support/fiscal.ts";
import { perTest, shared, verifiedService } from "../support/fixtures.ts";
import { mostrador } from "../support/process.ts";
import { change, customerBody, saleBody, store } from "../support/records.ts";

const service = verifiedService();
const apidian = shared(() => startApidian());
const shop = perTest(() => fiscalBusiness(service, { posTo: 2 }));
const worker = perTest(() => fiscalWorker(service.deps, apidianAuthority({ url: apidian.url, token: "secreto" })));
beforeEach(() => {
  apidian.onSend = (received) => acceptOnce(apidian, received);
  apidian.accepted.clear();
  apidian.sends.length = 0;
});

const rejection = sendReply({
  StatusCode: "99",
  ErrorMessage: { string: "Regla: FAK21, Rechazo: NIT del adquiriente" },
});
const unauthorized = { status: 401, body: { message: "Unauthenticated." } };

async function sell(fields: Parameters<typeof saleBody>[1] = {}): Promise<Invoice> {
  const [sale] = await ringUp(service, shop.accountId, (at) => [saleBody(at, fields)]);
  await worker.workOff();
  return (await documentsOf(service, shop.accountId, sale!.id))[0]!;
}

async function reread(document: Invoice): Promise<Invoice> {
  return (await documentsOf(service, shop.accountId, document.sale_id!)).find(({ id }) => id === document.id)!;
}

const resend = (document: Invoice) => resendDocument(service.deps, shop.accountId, document.id);

async function events(type: string): Promise<number> {
  return (await shop.api.get(`/events?type=${type}&limit=100`)).body.data.length;
}

describe("a rejected document", () => {
  test("is sent again with its number, today's data and a new seal; both events are emitted once", async () => {
    const [buyer] = await store(service.deps, shop.accountId, customers, (at) => [
      { body: customerBody(at, { document_number: "1" }) },
    ]);
    apidian.onSend = () => rejection;
    const rejected = await sell({ document_kind: "invoice", customer_id: buyer!.id });
    expect(rejected.status).toBe("rejected");
    await change(service.deps, shop.accountId, customers, buyer!.id, () => ({ document_number: "71234567" }));
    advance(service, hour);

    const pending = await resend(rejected);
    expect(pending).toMatchObject({ id: rejected.id, status: "pending", number: rejected.number, dian_message: null });
    expect(pending.cufe).not.toBe(rejected.cufe);
    expect(pending.issued_at > rejected.issued_at).toBe(true);
    expect((await readSale(service, shop.accountId, rejected.sale_id!)).invoices).toMatchObject([
      { status: "pending", cufe: pending.cufe },
    ]);
    await worker.workOff();
    expect((await reread(rejected)).status).toBe("rejected");

    apidian.onSend = (received) => acceptOnce(apidian, received);
    await resend(rejected);
    await worker.workOff();
    expect((await reread(rejected)).status).toBe("issued");
    expect(apidian.sends.at(-1)!.body.customer.identification_number).toBe("71234567");
    expect([await events("invoice.rejected"), await events("invoice.issued")]).toEqual([1, 1]);
  });

  test("is not sent again when its sale has been cancelled", async () => {
    apidian.onSend = () => rejection;
    const rejected = await sell();
    await changeSale(service, shop.accountId, rejected.sale_id!, { status: "cancelled" });
    await expect(resend(rejected)).rejects.toThrow("anulada");
  });
});

describe("a document that could not be issued", () => {
  test("for lack of a number gets the next one once there is one", async () => {
    const made = await ringUp(service, shop.accountId, (at) => [1, 2, 3].map((i) => plainSale(at, i * 1000)));
    const [failed] = await documentsOf(service, shop.accountId, made[2]!.id);
    expect(failed).toMatchObject({ status: "emission_failed", number: 0 });
    expect(await resend(failed!)).toMatchObject({ status: "emission_failed", number: 0 });
    const range = { kind: "pos", prefix: "EPOS", first: 1, last: 50, validUntil: "2099-12-31" } as const;
    await setRange(service.deps, shop.accountId, range);
    expect(await resend(failed!)).toMatchObject({ id: failed!.id, status: "pending", prefix: "EPOS", number: 3 });
    await worker.workOff();
    expect((await reread(failed!)).status).toBe("issued");
    expect((await readSale(service, shop.accountId, made[2]!.id)).invoices).toMatchObject([
      { number: 3, status: "issued" },
    ]);
  });

  test("because of wrong settings is sent again once they are corrected", async () => {
    apidian.onSend = () => unauthorized;
    const failed = await sell();
    expect(failed.status).toBe("emission_failed");
    apidian.onSend = (received) => acceptOnce(apidian, received);
    expect(await resend(failed)).toMatchObject({ status: "pending", number: failed.number });
    await worker.workOff();
    expect((await reread(failed)).status).toBe("issued");
  });

  test("but may have reached the authority keeps its seal and is queried first", async () => {
    apidian.onSend = (received) => {
      acceptOnce(apidian, received);
      return "cut";
    };
    const usual = apidian.onQuery;
    apidian.onQuery = () => unauthorized;
    const inDoubt = await sell();
    advance(service, minute);
    await worker.workOff();
    const failed = await reread(inDoubt);
    expect(failed.status).toBe("emission_failed");
    apidian.onQuery = usual;
    expect(await resend(failed)).toMatchObject({ status: "pending", cufe: failed.cufe, issued_at: failed.issued_at });
    await worker.workOff();
    expect((await reread(failed)).status).toBe("issued");
    expect(apidian.sends).toHaveLength(1);
  });
});

test("a note that failed is sent again and then annuls its original", async () => {
  const original = await sell();
  apidian.onSend = () => unauthorized;
  await changeSale(service, shop.accountId, original.sale_id!, { status: "cancelled" });
  await worker.workOff();
  const [, note] = await documentsOf(service, shop.accountId, original.sale_id!);
  expect(note!.status).toBe("emission_failed");
  expect((await reread(original)).status).toBe("issued");
  apidian.onSend = (received) => acceptOnce(apidian, received);
  await resend(note!);
  await worker.workOff();
  expect((await documentsOf(service, shop.accountId, original.sale_id!)).map(({ status }) => status)).toEqual([
    "annulled",
    "issued",
  ]);
});

test("a document that is issued, pending, a register's own or another account's is refused with the reason", async () => {
  const issued = await sell();
  await expect(resend(issued)).rejects.toThrow("estado issued");
  const other = await fiscalBusiness(service);
  await expect(resendDocument(service.deps, other.accountId, issued.id)).rejects.toThrow("no tiene el documento");
  const uploaded = { ...issued, id: crypto.randomUUID(), sale_id: null, status: "rejected" as const, prefix: "CAJA" };
  await store(service.deps, shop.accountId, invoices, (at) => [
    { body: { ...uploaded, created_at: at, updated_at: at } },
  ]);
  await expect(resend(uploaded)).rejects.toThrow("caja");
});

describe("from the command line", () => {
  const env = () => ({
    DATABASE_URL: service.databaseUrl,
    SECRET_KEY: service.deps.config.secretKey,
  });
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await mostrador([...args, "--json"], env());
    return code === 0 ? JSON.parse(stdout) : stderr.trim();
  };

  test("a business is configured and shown without its secrets, and a failed document is sent again", {
    timeout: 300_000,
  }, async () => {
    const { accountId } = await service.business();
    const profile = ["--nit", "900373923-8", "--regime", "iva", "--prices-include-tax", "true"];
    expect(
      await run("fiscal", "set", accountId, ...profile, "--documents", "electronic", "--pin", "98765"),
    ).toMatchObject({
      nit: "900373923-8",
      documents: "electronic",
      has_pin: true,
    });
    expect(await run("fiscal", "set", accountId, "--regime", "inc")).toMatchObject({ regime: "inc", has_pin: true });
    const [sale] = await ringUp(service, accountId, (at) => [saleBody(at)]);
    const { id } = sale!.invoices[0]!;
    expect(await run("fiscal", "resend", id)).toContain("No hay un rango de numeración para documentos POS.");
    const range = ["--kind", "pos", "--prefix", "epos", "--from", "1", "--to", "5000", "--valid-until", "2028-12-31"];
    expect(await run("fiscal", "range", accountId, ...range)).toMatchObject({
      prefix: "EPOS",
      from: 1,
      to: 5000,
      next: 1,
    });
    expect(await run("fiscal", "resend", id)).toMatchObject({ id, status: "pending", number: 1 });
    const shown = await run("fiscal", "show", accountId);
    expect(shown).toMatchObject({ regime: "inc", ranges: [{ next: 2 }], waiting: [{ id, status: "pending" }] });
    expect(JSON.stringify(shown)).not.toContain("98765");
    const skipping = ["--next", "10", "--reason", "usados en otra caja"];
    expect(await run("fiscal", "range", accountId, ...range, ...skipping)).toMatchObject({ next: 10 });
    expect(await run("fiscal", "show", accountId)).toMatchObject({
      ranges: [{ next: 10, skipped: [{ from: 2, to: 9, reason: "usados en otra caja", by: "cli" }] }],
    });
  });

  test("a mistake is reported in one line", async () => {
    const { accountId } = await service.business();
    const mistakes: [string[], string][] = [
      [["--nit", "900373923-7", "--regime", "iva", "--pin", "1"], "para 900373923 es 8"],
      [["--nit", "900373923", "--regime", "iva"], "Falta el PIN"],
      [["--nit", "900373923", "--regime", "rst"], "use iva, inc, none"],
      [["--regime", "iva"], "Falta el NIT"],
    ];
    const said = await Promise.all(mistakes.map(([args]) => run("fiscal", "set", accountId, ...args)));
    mistakes.forEach(([, message], i) => {
      expect(said[i]).toContain(message);
      expect(said[i].split("\n")).toHaveLength(1);
    });
  });
});

test("ranges that overlap, shrink below what was used or lack their technical key are refused", async () => {
  const base = { kind: "pos", prefix: "EPOS", first: 1, last: 50, validUntil: "2099-12-31" } as const;
  const set = (fields: object) => setRange(service.deps, shop.accountId, { ...base, ...fields });
  await sell();
  await sell();
  await expect(set({ first: 2, last: 9 })).rejects.toThrow("Se cruza");
  await expect(set({ last: 1 })).rejects.toThrow("Ya se usaron números hasta 2");
  await expect(set({ prefix: "DEMASIADO" })).rejects.toThrow("prefijo");
  await expect(set({ kind: "invoice", prefix: "FE" })).rejects.toThrow("clave técnica");
  await expect(set({ kind: "invoice", prefix: "FE", technicalKey: "abc" })).rejects.toThrow("40 dígitos");
  await expect(set({ prefix: "X", validUntil: null })).rejects.toThrow("hasta cuándo");
  await expect(set({ prefix: "X", first: 5, last: 4 })).rejects.toThrow("rango");
  await expect(set({ prefix: "X", first: 5, next: 4 })).rejects.toThrow("entre 5 y 51");
  await expect(set({ prefix: "X", next: 52 })).rejects.toThrow("entre 1 y 51");
  await expect(set({ prefix: "X", validUntil: "0000-12-31" })).rejects.toThrow("fecha");
  expect(await set({ last: 60 })).toMatchObject({ last: 60, next: 3 });
  const { rows } = await service.deps.pool.query(sql`
    select count(*) from numbering_ranges where account_id = ${shop.accountId} and kind = 'pos'`);
  expect(rows[0].count).toBe(1);
});
