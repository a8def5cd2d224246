import { describe, expect, test } from "vitest";
import type { CashSession } from "../../src/business/cash-sessions/schema.ts";
import type { Sale } from "../../src/business/sales/schema.ts";
import { sql } from "../../src/db/sql.ts";
import { type Closing, readDayClosing, readShiftClosing } from "../../src/fiscal/closing/closing.ts";
import { resendDocument } from "../../src/fiscal/documents/resend-document.ts";
import { setRange } from "../../src/fiscal/profile/set-range.ts";
import { day, minute } from "../../src/lib/clock.ts";
import { must } from "../../src/lib/must.ts";
import { paperText } from "../../src/paper/paper-text.ts";
import { closingPaper } from "../../src/paper/papers/closing-paper.ts";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { advance } from "../support/fiscal.ts";
import { cashSessionBody, customerBody } from "../support/records.ts";
import { ableToReturn, enrol, type Till, upload } from "../support/register.ts";
import { returningShop, returnOf, saleOf } from "../support/returning.ts";

const { service, shop, decide, documents } = returningShop();
const now = () => service.deps.clock.now();

async function paperOf(closing: Closing): Promise<string> {
  const text = paperText(await closingPaper(service.deps, shop.accountId, closing, now()));
  return text.replaceAll(/Impreso.*/g, "");
}
const readDay = (date: string) => readDayClosing(service.deps.pool, shop.accountId, date);
const readShift = async (id: string) =>
  must(await readShiftClosing(service.deps.pool, shop.accountId, id), "The shift was made by this test");

/** A register by the service's clock, with an open shift. */
async function counter(name: string) {
  const till = await enrol(service, shop.accountId, { name, capabilities: ableToReturn, clock: now });
  const shift = cashSessionBody(now().toISOString(), { register_name: name });
  await till.put("cash_session", upload(shift));
  advance(service, minute);
  const sell = async (total: number, quantity = 2): Promise<Sale> => {
    const fields = { occurred_at: now().toISOString(), cash_session_id: shift.id };
    const sale = saleOf([{ quantity, unit_price: total / quantity, taxes: [], tax_class: "excluded" }], fields);
    await till.put("sale", upload(sale));
    advance(service, minute);
    return sale;
  };
  const close = () => closeShift(till, shift);
  return { till, shift, sell, close };
}

async function closeShift(till: Till, shift: CashSession): Promise<void> {
  const closed = { status: "closed", closed_at: now().toISOString(), counted_amount: 100_000, difference: 0 } as const;
  await till.put("cash_session", upload({ ...shift, ...closed }));
  advance(service, minute);
}

async function takeBack({ till, shift }: Pick<Counter, "till" | "shift">, sale: Sale, quantity: number) {
  const fields = { occurred_at: now().toISOString(), cash_session_id: shift.id };
  await till.put("return", returnOf(sale, [quantity], fields));
  advance(service, minute);
}
type Counter = Awaited<ReturnType<typeof counter>>;

const cancel = ({ till }: Pick<Counter, "till">, sale: Sale) =>
  till.put("sale", upload({ ...sale, status: "cancelled" }));

async function makeInvoice({ till }: Counter, sale: Sale): Promise<void> {
  const buyer = customerBody(now().toISOString(), { document_type: "NIT", document_number: "901234567-7" });
  await till.put("customer", upload(buyer));
  await till.put("sale", upload({ ...sale, document_kind: "invoice", customer_id: buyer.id }));
}

/** The next noon in Bogotá, so that a day does not end within the test. */
function startAtNoon(): string {
  const date = bogotaDate(new Date(now().getTime() + day));
  advance(service, Date.parse(`${date}T12:00:00-05:00`) - now().getTime());
  return date;
}

const figures = ({ documents }: Closing) =>
  documents.map(({ document_type, count, annulled, total }) => ({ document_type, count, annulled, total }));
const [pos, note, invoice] = ["pos_document", "pos_adjustment_note", "electronic_invoice"] as const;

describe("what happens after a shift and its day are over", () => {
  test("changes no letter of their Z, and is in the Z of the shift and the day in which it happens", async () => {
    const first = startAtNoon();
    const old = await counter("Caja 1");
    const [inPart, cancelled, full, twice, later, switched] = [
      await old.sell(10_000),
      await old.sell(20_000),
      await old.sell(30_000),
      await old.sell(40_000),
      await old.sell(50_000),
      await old.sell(60_000),
    ];
    const rejected = await old.sell(70_013, 1);
    await decide();
    await takeBack(old, inPart, 1);
    await cancel(old, cancelled);
    await decide();
    await old.sell(80_000);
    await old.close();
    const keptShift = await paperOf(await readShift(old.shift.id));
    expect(keptShift).toContain("POS EPOS (1 anulado): desde 1, hasta 8, cantidad 8 ");
    expect(keptShift).toContain("Nota de ajuste NA: desde 1, hasta 2, cantidad 2 ");

    advance(service, day);
    const kept = [keptShift, await paperOf(await readDay(first))];
    expect(kept[1]).toContain("POS EPOS (1 anulado): desde 1, hasta 8, cantidad 8 ");
    await decide();
    const second = bogotaDate(now());
    const other = await counter("Caja 2");
    await takeBack(other, full, 2);
    await takeBack(other, twice, 1);
    await takeBack(other, twice, 1);
    await cancel(old, later);
    await makeInvoice(old, switched);
    await resendDocument(service.deps, shop.accountId, must((await documents(rejected.id))[0], "It has one").id);
    await decide();
    expect((await documents(rejected.id))[0]).toMatchObject({ status: "issued", number: 7 });
    expect([await paperOf(await readShift(old.shift.id)), await paperOf(await readDay(first))]).toEqual(kept);

    expect(figures(await readShift(other.shift.id))).toEqual([
      { document_type: note, count: 3, annulled: 0, total: 70_000 },
    ]);
    expect(figures(await readDay(second))).toEqual([
      { document_type: invoice, count: 1, annulled: 0, total: 60_000 },
      { document_type: note, count: 5, annulled: 0, total: 180_000 },
      { document_type: pos, count: 0, annulled: 2, total: 0 },
    ]);
    await other.close();
    advance(service, day);
    const secondKept = [await paperOf(await readShift(other.shift.id)), await paperOf(await readDay(second))];
    expect(secondKept[1]).toContain("POS EPOS (2 anulados): desde –, hasta –, cantidad 0 ");
    await takeBack(await counter("Caja 3"), inPart, 1);
    await decide();
    expect([await paperOf(await readShift(old.shift.id)), await paperOf(await readDay(first))]).toEqual(kept);
    expect([await paperOf(await readShift(other.shift.id)), await paperOf(await readDay(second))]).toEqual(secondKept);
  });

  test("is of no shift when it is issued later: a document that lacked a number, a note that waited for a verdict", async () => {
    startAtNoon();
    const { accountId } = shop;
    await service.deps.pool.query(
      sql`update numbering_ranges set last_number = 2 where account_id = ${accountId} and kind = 'pos'`,
    );
    const old = await counter("Caja 1");
    await old.sell(10_000);
    const waiting = await old.sell(20_000);
    const unnumbered = await old.sell(30_000);
    await takeBack(old, waiting, 1);
    await old.close();
    const id = old.shift.id;
    const kept = await paperOf(await readShift(id));
    expect(kept).toContain("POS EPOS: desde 1, hasta 2, cantidad 2 ");

    await setRange(service.deps, accountId, {
      kind: "pos",
      prefix: "EPOS",
      first: 1,
      last: 50,
      validUntil: "2099-12-31",
    });
    advance(service, day);
    await resendDocument(service.deps, accountId, must((await documents(unnumbered.id))[0], "It has one").id);
    await decide();
    expect((await documents(waiting.id)).map(({ status }) => status)).toEqual(["issued", "issued"]);
    expect(figures(await readDay(bogotaDate(now())))).toMatchObject([
      { document_type: note, count: 1 },
      { document_type: pos, count: 1, total: 30_000 },
    ]);
    expect(await paperOf(await readShift(id))).toBe(kept);
  });

  test("is of its shift when its register was offline until after the close", async () => {
    const date = startAtNoon();
    const till = await enrol(service, shop.accountId, { name: "Caja 1", capabilities: ableToReturn, clock: now });
    const at = now().toISOString();
    advance(service, minute);
    const shift = { ...cashSessionBody(at), status: "closed" as const, closed_at: now().toISOString() };
    const sale = saleOf([{ quantity: 2, unit_price: 5_000 }], { occurred_at: at, cash_session_id: shift.id });
    advance(service, day);
    await till.put("cash_session", upload(shift), { edited_at: at });
    await till.put("sale", upload(sale), { edited_at: at });
    await till.put("return", returnOf(sale, [1], { occurred_at: at, cash_session_id: shift.id }), { edited_at: at });
    await decide();
    expect(figures(await readShift(shift.id))).toMatchObject([{ document_type: pos, count: 1 }]);
    await till.put("return", returnOf(sale, [1], { occurred_at: at, cash_session_id: shift.id }), { edited_at: at });
    await decide();
    expect(figures(await readShift(shift.id))).toMatchObject([
      { document_type: note, count: 1, total: 5_000 },
      { document_type: pos, count: 1 },
    ]);
    expect(figures(await readDay(date))).toEqual([]);
  });
});
