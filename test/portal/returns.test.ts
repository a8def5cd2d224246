import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Sale } from "../../src/business/sales/schema.ts";
import { second } from "../../src/lib/clock.ts";
import { advance } from "../support/fiscal.ts";
import { openPortal } from "../support/portal.ts";
import { refusal } from "../support/refusal.ts";
import { upload } from "../support/register.ts";
import { returningShop, saleOf } from "../support/returning.ts";

const { service, owner, till, decide, stock, sell, documents, read, returnsOf } = returningShop();

const sodas = (fields: object = {}) => saleOf([{ quantity: 3, unit_price: 3200 }], fields);
const asking = ({ items }: Sale, quantity: number, fields: object = {}) => ({
  lines: [{ item_id: items[0]!.id, quantity }],
  payment_method: "CARD",
  reason: "No le gustó",
  ...fields,
});

describe("the owner returns some of a sale", () => {
  test("and gets the return with its note, and the sale", async () => {
    const { product, shift } = await stock();
    const sale = await sell(
      saleOf([{ quantity: 3, unit_price: 3200, product_id: product.id }], { cash_session_id: shift.id }),
    );
    await decide();
    const made = await owner.post(`/sales/${sale.id}/returns`, asking(sale, 2, { payment_method: "CASH" }));
    expect(made.status).toBe(201);
    const [, note] = await documents(sale.id);
    expect(made.body.return).toMatchObject({ total: 6400, invoice_id: note!.id, cash_session_id: shift.id });
    expect(made.body.return).toEqual((await returnsOf(sale.id))[0]);
    expect(made.body.sale).toEqual(await read(`/sales/${sale.id}`));
    expect((await read(`/products/${product.id}`)).stock).toBe(99);
    expect(await read(`/cash-sessions/${shift.id}`)).toMatchObject({ cash_refunds: 6400, expected_amount: 93_600 });
    const [log] = (await owner.get("/audit-log")).body.data;
    expect(log).toMatchObject({ action: "sale.returned", details: { sale_id: sale.id, total: 6400 } });
  });

  test("once, however often the button is pressed", async () => {
    const sale = await sell(sodas());
    const body = asking(sale, 1);
    const answers = await Promise.all(Array.from({ length: 5 }, () => owner.post(`/sales/${sale.id}/returns`, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201]);
    expect(await returnsOf(sale.id)).toHaveLength(1);
    advance(service, 60 * second);
    expect((await owner.post(`/sales/${sale.id}/returns`, body)).status).toBe(201);
  });

  test("once for each id, at any time", async () => {
    const sale = await sell(sodas());
    const body = { ...asking(sale, 1), id: randomUUID() };
    expect((await owner.post(`/sales/${sale.id}/returns`, body)).status).toBe(201);
    advance(service, 600 * second);
    expect((await owner.post(`/sales/${sale.id}/returns`, body)).status).toBe(200);
    const reused = await owner.post(`/sales/${sale.id}/returns`, { ...body, reason: "Otra cosa" });
    expect(refusal(reused)).toEqual([409, "RETURN_NOT_POSSIBLE", "id"]);
  });

  test("never more than was sold, with two requests at once", async () => {
    const sale = await sell(sodas());
    const answers = await Promise.all(
      ["uno", "dos", "tres", "cuatro"].map((reason) =>
        owner.post(`/sales/${sale.id}/returns`, asking(sale, 1, { reason })),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409]);
    expect((await read(`/sales/${sale.id}`)).total).toBe(9600);
    const { body } = answers.find(({ status }) => status === 409)!;
    expect(body.error.message).toBe("De «Gaseosa cola 400 ml» ya se devolvió todo.");
  });
});

describe("a return is refused", () => {
  test.each<[string, (sale: Sale) => object, string | undefined]>([
    [
      "for a line that the sale does not have",
      (sale) => ({ ...asking(sale, 1), lines: [{ item_id: randomUUID(), quantity: 1 }] }),
      "lines",
    ],
    ["for more than was sold", (sale) => asking(sale, 4), "lines"],
  ])("%s", async (_name, body, param) => {
    const sale = await sell(sodas());
    expect(refusal(await owner.post(`/sales/${sale.id}/returns`, body(sale)))).toEqual([
      409,
      "RETURN_NOT_POSSIBLE",
      param,
    ]);
  });

  test.each<[string, object, string]>([
    ["without lines", { lines: [] }, "lines"],
    ["of nothing", { lines: [{ item_id: randomUUID(), quantity: 0 }] }, "lines.0.quantity"],
    ["of a text", { lines: [{ item_id: randomUUID(), quantity: "1" }] }, "lines.0.quantity"],
    ["with an empty means of payment", { payment_method: " " }, "payment_method"],
    ["with something unknown", { total: 1 }, "total"],
  ])("%s", async (_name, fields, param) => {
    const sale = sodas();
    const answer = await owner.post(`/sales/${sale.id}/returns`, { ...asking(sale, 1), ...fields });
    expect(refusal(answer)).toEqual([400, "VALIDATION_ERROR", param]);
  });

  test("of a sale that is open, cancelled, unknown or another shop's", async () => {
    const [open, cancelled] = [await sell(sodas({ status: "open" })), await sell(sodas({ status: "cancelled" }))];
    for (const sale of [open, cancelled]) {
      const answer = await owner.post(`/sales/${sale.id}/returns`, asking(sale, 1));
      expect(refusal(answer)).toEqual([409, "RETURN_NOT_POSSIBLE", undefined]);
    }
    const sale = await sell(sodas());
    const stranger = await openPortal(service);
    expect(refusal(await stranger.post(`/sales/${sale.id}/returns`, asking(sale, 1)))).toEqual([
      404,
      "NOT_FOUND",
      "id",
    ]);
    expect(refusal(await owner.post(`/sales/${randomUUID()}/returns`, asking(sale, 1)))).toEqual([
      404,
      "NOT_FOUND",
      "id",
    ]);
  });

  test("in cash when the shift is closed and no other is open", async () => {
    const { shift } = await stock();
    const sale = await sell(sodas({ cash_session_id: shift.id }));
    await till.put("cash_session", upload({ ...shift, status: "closed", counted_amount: 100_000 }));
    const answer = await owner.post(`/sales/${sale.id}/returns`, asking(sale, 1, { payment_method: "CASH" }));
    expect(refusal(answer)).toEqual([409, "RETURN_NOT_POSSIBLE", "payment_method"]);
    expect(answer.body.error.message).toContain("turno de caja abierto");
    expect((await owner.post(`/sales/${sale.id}/returns`, asking(sale, 1))).status).toBe(201);
  });
});
