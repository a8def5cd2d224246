import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Invoice } from "../../src/business/invoices/schema.ts";
import { sql } from "../../src/db/sql.ts";
import { authorityFor } from "../../src/fiscal/authority/authority-for.ts";
import { claimDocuments } from "../../src/fiscal/documents/claim-documents.ts";
import { recordVerdicts } from "../../src/fiscal/documents/record-verdicts.ts";
import { fiscalWorker } from "../../src/fiscal/documents/worker.ts";
import { minute, second } from "../../src/lib/clock.ts";
import { advance, changeSale, documentsOf, fiscalBusiness, plainSale, readSale, ringUp } from "../support/fiscal.ts";
import { perTest, verifiedService } from "../support/fixtures.ts";
import { interfere, refuseTransaction, serverGone } from "../support/interfere.ts";
import { eventually } from "../support/webhooks.ts";

const service = verifiedService();
const shop = perTest(() => fiscalBusiness(service));
const worker = perTest(() => fiscalWorker(service.deps, authorityFor(service.deps)));

async function sell(total: number, document_kind: "pos" | "invoice" = "pos", { accountId } = shop): Promise<string> {
  const [sale] = await ringUp(service, accountId, (at) => [plainSale(at, total, { document_kind })]);
  return sale!.id;
}

async function documentOf(saleId: string): Promise<Invoice> {
  return (await documentsOf(service, shop.accountId, saleId))[0]!;
}

/** Moves the clock in steps and processes what falls due. */
async function pass(ms: number, stepMs = second): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await worker.workOff();
    advance(service, stepMs);
  }
  await worker.workOff();
}

async function eventsOf(type: string): Promise<{ id: string; status: string }[]> {
  const { body } = await shop.api.get(`/events?type=${type}&limit=100`);
  return body.data.map((event: { data: { object: Invoice } }) => event.data.object);
}

async function sendsOf({ cufe }: Invoice): Promise<number> {
  const { rows } = await service.deps.pool.query<{ sends: number }>(sql`
    select sends from simulated_authority where account_id = ${shop.accountId} and cufe = ${cufe}`);
  return rows[0]?.sends ?? 0;
}

describe("each row of the lifecycle, by the total's last two digits", () => {
  test("sent: pending and about two seconds later issued, with its event, its sale's summary and both updated_at", async () => {
    const id = await sell(10_000);
    const before = await readSale(service, shop.accountId, id);
    expect(before.invoices).toMatchObject([{ status: "pending", prefix: "EPOS", number: 1 }]);
    await worker.workOff();
    advance(service, second);
    await worker.workOff();
    expect((await documentOf(id)).status).toBe("pending");
    expect(await eventsOf("invoice.issued")).toEqual([]);

    advance(service, 1.5 * second);
    await worker.workOff();
    const document = await documentOf(id);
    expect(document).toMatchObject({ status: "issued", dian_status: "00", dian_message: "Procesado Correctamente." });
    const after = await readSale(service, shop.accountId, id);
    expect(after.invoices).toEqual([
      {
        id: document.id,
        document_type: "pos_document",
        status: "issued",
        cufe: document.cufe,
        prefix: "EPOS",
        number: 1,
      },
    ]);
    expect(after.updated_at).toBe(document.updated_at);
    expect(after.updated_at > before.updated_at).toBe(true);
    expect(await eventsOf("invoice.issued")).toEqual([document]);
    expect(await eventsOf("sale.updated")).toEqual([]);
    expect((await shop.api.get(`/invoices/${document.id}`)).body).toEqual(document);
  });

  test("13: rejected, with the rule in the message", async () => {
    const id = await sell(8_013);
    await pass(4 * second);
    const document = await documentOf(id);
    expect(document).toMatchObject({ status: "rejected", dian_status: "99" });
    expect(document.dian_message).toMatch(/^Regla: FAD06, Rechazo: /);
    expect(await eventsOf("invoice.rejected")).toEqual([document]);
    expect(await eventsOf("invoice.issued")).toEqual([]);
    expect((await readSale(service, shop.accountId, id)).invoices).toMatchObject([{ status: "rejected" }]);
  });

  test("17: unavailable twice, then not received, then sent again and issued", async () => {
    const id = await sell(8_017);
    await worker.workOff();
    expect((await documentOf(id)).status).toBe("pending");
    await pass(20 * second);
    const document = await documentOf(id);
    expect(document.status).toBe("issued");
    expect(await sendsOf(document)).toBe(2);
    expect(await eventsOf("invoice.issued")).toHaveLength(1);
  });

  test("19: processed before, and a query shows that it was accepted", async () => {
    const id = await sell(8_019);
    await worker.workOff();
    const document = await documentOf(id);
    expect(document.status).toBe("issued");
    expect(await sendsOf(document)).toBe(1);
    expect(await eventsOf("invoice.rejected")).toEqual([]);
  });

  test("23: a configuration fault fails the emission until somebody corrects it", async () => {
    const id = await sell(8_023);
    await pass(10 * minute, minute);
    const document = await documentOf(id);
    expect(document).toMatchObject({ status: "emission_failed", dian_status: "89" });
    expect(document.dian_message).toContain("no autorizado a enviar documentos");
    expect(await sendsOf(document)).toBe(1);
    expect(await eventsOf("invoice.rejected")).toEqual([]);
    const { rows } = await service.deps.pool.query(sql`
      select kind, times from notices where account_id = ${shop.accountId}`);
    expect(rows).toEqual([{ kind: "emission_failed", times: 1 }]);
  });

  test.each([
    ["pos", "pos_adjustment_note", 26],
    ["invoice", "other", 4],
  ] as const)(
    "a cancelled sale's %s gets a note, and is annulled when the note is accepted",
    async (kind, type, typeId) => {
      const id = await sell(10_000, kind);
      await pass(3 * second);
      const cancelled = await changeSale(service, shop.accountId, id, { status: "cancelled" });
      expect(cancelled.invoices).toMatchObject([{ status: "issued" }, { status: "pending", document_type: type }]);
      await pass(3 * second);
      const [original, note] = await documentsOf(service, shop.accountId, id);
      expect(original!.status).toBe("annulled");
      expect(note).toMatchObject({
        status: "issued",
        document_type: type,
        type_document_id: typeId,
        prefix: "NA",
        number: 1,
        document_reason: "Anulación de la venta",
        total: original!.total,
      });
      expect((await readSale(service, shop.accountId, id)).invoices.map(({ status }) => status)).toEqual([
        "annulled",
        "issued",
      ]);
      // One event per document; annulling the first one has no event of its own.
      expect((await eventsOf("invoice.issued")).map((one) => one.id).sort()).toEqual([original!.id, note!.id].sort());
    },
  );
});

test("a sale cancelled while its document is pending gets its note once that is decided", async () => {
  const id = await sell(10_000);
  await worker.workOff();
  expect((await changeSale(service, shop.accountId, id, { status: "cancelled" })).invoices).toHaveLength(1);
  await pass(3 * second);
  expect((await documentsOf(service, shop.accountId, id)).map(({ status }) => status)).toEqual(["issued", "pending"]);
  await pass(3 * second);
  expect((await documentsOf(service, shop.accountId, id)).map(({ status }) => status)).toEqual(["annulled", "issued"]);
});

test("a cancelled sale whose document was rejected needs no note", async () => {
  const id = await sell(8_013);
  await pass(3 * second);
  await changeSale(service, shop.accountId, id, { status: "cancelled" });
  await pass(3 * second);
  expect((await documentsOf(service, shop.accountId, id)).map(({ status }) => status)).toEqual(["rejected"]);
});

test("cancelling again or changing a cancelled sale creates no second note", async () => {
  const id = await sell(10_000);
  await pass(3 * second);
  for (const notes of ["una", "dos"]) await changeSale(service, shop.accountId, id, { status: "cancelled", notes });
  await pass(3 * second);
  await changeSale(service, shop.accountId, id, { notes: "tres" });
  expect(await documentsOf(service, shop.accountId, id)).toHaveLength(2);
});

test("two workers together submit each document once", async () => {
  await ringUp(service, shop.accountId, (at) => Array.from({ length: 60 }, () => plainSale(at, 10_000)));
  const other = fiscalWorker(service.deps, authorityFor(service.deps), { cap: 7 });
  const asked = await Promise.all([worker.workOff(), other.workOff()]);
  expect(asked[0]! + asked[1]!).toBe(60);
  advance(service, 3 * second);
  await Promise.all([worker.workOff(), other.workOff()]);
  const { rows } = await service.deps.pool.query(sql`
    select sends, count(*) from simulated_authority where account_id = ${shop.accountId} group by sends`);
  expect(rows).toEqual([{ sends: 1, count: 60 }]);
  expect(await eventsOf("invoice.issued")).toHaveLength(60);
});

test("after a worker died holding a document, the next one queries it before sending", async () => {
  const id = await sell(10_000);
  const { pool, config, clock } = service.deps;
  const dead = await claimDocuments(pool, { secretKey: config.secretKey, now: clock.now(), most: 10, leaseMs: -1 });
  expect(dead).toMatchObject([{ standing: { state: "queued", doubt: false } }]);
  const [heir] = await claimDocuments(pool, { secretKey: config.secretKey, now: clock.now(), most: 10, leaseMs: -1 });
  expect(heir!.standing).toMatchObject({ state: "queued", doubt: true });
  await pass(4 * second);
  const document = await documentOf(id);
  expect(document.status).toBe("issued");
  expect(await sendsOf(document)).toBe(1);
});

test("a decision from a worker that lost its lease is ignored, and one reported twice counts once", async () => {
  const id = await sell(10_000);
  const { pool, config, clock } = service.deps;
  const wish = { secretKey: config.secretKey, now: clock.now(), most: 10, leaseMs: -1 };
  const [late] = await claimDocuments(pool, wish);
  const [heir] = await claimDocuments(pool, wish);
  const { invoiceId } = late!;
  const said = { kind: "verdict", status: "rejected", code: "99", message: "tarde" } as const;
  await recordVerdicts(service.deps, shop.accountId, [{ invoiceId, claim: late!.claim, step: said }]);
  expect((await documentOf(id)).status).toBe("pending");
  const accepted = { kind: "verdict", status: "issued", code: "00", message: null } as const;
  for (let i = 0; i < 2; i++)
    await recordVerdicts(service.deps, shop.accountId, [{ invoiceId, claim: heir!.claim, step: accepted }]);
  expect((await documentOf(id)).status).toBe("issued");
  expect([await eventsOf("invoice.issued"), await eventsOf("invoice.rejected")]).toMatchObject([
    [{ status: "issued" }],
    [],
  ]);
});

test("a clock jump does not take a document away from the worker that holds it", async () => {
  await sell(10_000);
  const { pool, config, clock } = service.deps;
  const wish = { secretKey: config.secretKey, most: 10 };
  expect(await claimDocuments(pool, { ...wish, now: clock.now() })).toHaveLength(1);
  advance(service, 30 * 60 * minute);
  expect(await claimDocuments(pool, { ...wish, now: clock.now() })).toHaveLength(0);
  // Leaves nothing under way for the other tests.
  await pool.query(sql`update fiscal_documents set leased_until = null where account_id = ${shop.accountId}`);
  await pass(4 * second);
});

test("a document that is due again before its worker knows it was put back is not forgotten", async () => {
  const id = await sell(8_019);
  const { pool } = service.deps;
  const putBack = Promise.withResolvers<void>();
  const heard = Promise.withResolvers<void>();
  interfere(pool, "set state = r.state", async (run) => {
    const result = await run();
    putBack.resolve();
    await heard.promise;
    return result;
  });
  const works = [worker.workOff()];
  await putBack.promise;
  works.push(worker.workOff());
  await eventually(async () => {
    const { rows } = await pool.query(sql`
      select from fiscal_documents where account_id = ${shop.accountId} and leased_until is not null`);
    return rows.length === 1;
  });
  // The claim is committed, but the worker has not yet received the result.
  await delay(50);
  heard.resolve();
  await Promise.all(works);
  expect((await documentOf(id)).status).toBe("issued");
});

test("a decision that the database could not store is kept until it can", async () => {
  const id = await sell(10_000);
  interfere(service.deps.pool, "set state = r.state", serverGone);
  await worker.workOff();
  advance(service, 3 * second);
  refuseTransaction(service.deps.pool);
  await worker.workOff();
  expect((await documentOf(id)).status).toBe("issued");
  expect(await eventsOf("invoice.issued")).toHaveLength(1);
});

test("documents already claimed are processed even when the rest of the claim failed", async () => {
  const later = await fiscalBusiness(service);
  await sell(8_019, "pos", later);
  const { pool, config, clock } = service.deps;
  interfere(pool, "with recursive waiting", (run) => {
    interfere(pool, "with recursive waiting", serverGone);
    return run();
  });
  const wish = { secretKey: config.secretKey, now: clock.now(), most: 10, leaseMs: -1, after: shop.accountId };
  expect(await claimDocuments(pool, wish)).toMatchObject([{ accountId: later.accountId }]);
  await pass(4 * second);
});

test("a claim under way when its worker stopped is released unsent", async () => {
  const id = await sell(10_000);
  const { pool } = service.deps;
  const never = () => new Promise<never>(() => {});
  const ending = fiscalWorker(service.deps, { send: never, query: never });
  const stopped = new Promise<void>((resolve) => {
    interfere(pool, "with recursive waiting", async (run) => {
      const claimed = await run();
      resolve(ending.stop());
      return claimed;
    });
  });
  ending.start();
  await stopped;
  await worker.workOff();
  expect(await sendsOf(await documentOf(id))).toBe(1);
  await pass(4 * second);
});

test("a business with a long queue does not delay the others", async () => {
  const rush = shop;
  await ringUp(service, rush.accountId, (at) => Array.from({ length: 200 }, () => plainSale(at, 10_000)));
  const others = await Promise.all([1, 2, 3].map(() => fiscalBusiness(service)));
  for (const other of others) await sell(10_000, "pos", other);
  const asked: string[] = [];
  const attentive = authorityFor(service.deps);
  const narrow = fiscalWorker(
    service.deps,
    {
      query: attentive.query,
      send(submission) {
        asked.push(submission.accountId);
        return attentive.send(submission);
      },
    },
    { cap: 10 },
  );
  await narrow.workOff();
  expect(asked).toHaveLength(203);
  for (const { accountId } of others) expect(asked.indexOf(accountId)).toBeLessThan(30);
  await pass(4 * second);
});
