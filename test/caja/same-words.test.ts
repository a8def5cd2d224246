import { expect, test } from "vitest";
import { pesos } from "../../register/format.ts";
import type { Block } from "../../register/paper.ts";
import { shiftPaper } from "../../register/shift-paper.ts";
import { freeLine, type Ticket, withLine } from "../../register/ticket.ts";
import { paymentName } from "../../src/taxes/means.ts";
import { type Desk, desks, receive, storeKinds, upload } from "../support/desk.ts";
import { verifiedService } from "../support/fixtures.ts";
import { openPortal } from "../support/portal.ts";

const service = verifiedService();
const { open } = desks();

interface Rung {
  price: number;
  topUp?: number;
  tip?: number;
  lineDiscount?: number;
  discount?: number;
  nequi?: number;
}

async function ring({ counter }: Desk, { price, topUp = 0, tip = 0, lineDiscount = 0, discount = 0, nequi = 0 }: Rung) {
  counter.edit((empty) => {
    const line = { ...freeLine(crypto.randomUUID(), "Algo", price, "standard"), discount_percent: lineDiscount };
    const sold: Ticket = { ...withLine(empty, line), tip, discount: discount > 0 ? { pesos: discount } : null };
    return topUp > 0 ? withLine(sold, freeLine(crypto.randomUUID(), "Recarga", topUp, "passthrough")) : sold;
  });
  const result = await counter.charge(nequi > 0 ? [{ payment_method: "NEQUI", amount: nequi }] : []);
  if ("problem" in result) throw new Error(result.problem.kind);
  return result.sale;
}

function sumBeside(blocks: readonly Block[], name: string): string | undefined {
  const found = blocks.find((one) => (one.kind === "row" || one.kind === "total") && one.left.trim() === name);
  return found && "right" in found ? found.right : undefined;
}

/** A sale of the day before, two in which nothing is special, and all that takes something off or back. */
async function busyShift(desk: Desk) {
  const { counter } = desk;
  await counter.openShift(100_000);
  const former = await ring(desk, { price: 12_000, tip: 1_000, topUp: 5_000 });
  await counter.closeShift(118_000);
  await counter.openShift(50_000);
  await ring(desk, { price: 30_100, lineDiscount: 15, discount: 1_333 });
  await ring(desk, { price: 59_999, nequi: 39_999, tip: 3_000, topUp: 10_000 });
  const cancelled = await ring(desk, { price: 32_000, tip: 800, topUp: 2_000, discount: 500 });
  const whole = await ring(desk, { price: 20_000, tip: 1_500, discount: 700 });
  const inPart = await ring(desk, { price: 9_000, topUp: 4_000 });
  await counter.cancel(cancelled);
  const all = ({ data }: typeof whole) => data.items.map(({ id, quantity }) => ({ item_id: id, quantity }));
  await counter.takeBack(whole, all(whole), "NEQUI", "");
  await counter.takeBack(inPart, all(inPart).slice(0, 1), "CASH", "");
  await counter.takeBack(former, all(former), "CASH", "");
  return counter.closeShift(0);
}

test.each(storeKinds)("Caja's Z of a shift says what the portal's says, word for word (%s)", async (kind) => {
  const owner = await openPortal(service);
  const desk = await open(kind, service, owner.accountId);
  const shift = await busyShift(desk);
  await upload(desk);
  await receive(desk);
  const { body: z } = await owner.get(`/cash-sessions/${shift.id}/z`);
  const { sums, sales, returns } = z;
  const { reversals, ...own } = await desk.counter.sumsOf(shift);
  expect(own).toEqual(sums);
  expect(reversals).toBe(returns.count);
  const paper = shiftPaper(shift, desk.counter.state().business, await desk.counter.reportOf(shift));
  const words = {
    Ventas: String(sales.count),
    "Ventas brutas": pesos(sums.gross),
    [`Devoluciones y anulaciones (${returns.count})`]: pesos(-sums.returned),
    "Ventas netas": pesos(sums.net),
    Propinas: pesos(sums.tip),
    "Recaudos para terceros": pesos(sums.passthrough),
    Recibido: pesos(sums.received),
    Descuentos: pesos(-sums.discount),
    ...Object.fromEntries(
      sales.payments.map((one: { payment_method: string; count: number; amount: number }) => [
        `${paymentName(one.payment_method)} (${one.count})`,
        pesos(one.amount),
      ]),
    ),
  };
  for (const [word, sum] of Object.entries(words)) expect([word, sumBeside(paper, word)]).toEqual([word, sum]);
  expect(sums.discount, "no line's").toBe(1_333);
  expect(sumBeside(paper, "Rebajas en líneas")).toBe("-$4.515");
  desk.store.close();
});
