import { describe, expect, test } from "vitest";
import type { Invoice } from "../../src/business/invoices/schema.ts";
import { sql } from "../../src/db/sql.ts";
import { resendDocument } from "../../src/fiscal/documents/resend-document.ts";
import { minute, second } from "../../src/lib/clock.ts";
import { advance, changeSale, documentsOf, readSale } from "../support/fiscal.ts";
import { issuerPerTest } from "../support/issuing.ts";

const { service, shop, worker, sell, documentOf, pass, eventsOf } = issuerPerTest();

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
    // Each has an instant of its own; the sale follows its document.
    expect(after.updated_at > document.updated_at).toBe(true);
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

test("a document that was rejected is issued with its number when it is sent again, and each event comes once", async () => {
  const id = await sell(8_013);
  await pass(4 * second);
  const rejected = await documentOf(id);
  expect(rejected.status).toBe("rejected");
  await resendDocument(service.deps, shop.accountId, rejected.id);
  await pass(4 * second);
  expect(await documentOf(id)).toMatchObject({ id: rejected.id, status: "issued", number: rejected.number });
  expect([await eventsOf("invoice.rejected"), await eventsOf("invoice.issued")]).toMatchObject([
    [{ id: rejected.id }],
    [{ id: rejected.id }],
  ]);
});
