import { afterEach, beforeAll, expect, test } from "vitest";
import { authorityFor } from "../../src/fiscal/authority/authority-for.ts";
import { fiscalWorker } from "../../src/fiscal/documents/worker.ts";
import { second } from "../../src/lib/clock.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import { advance, fiscalBusiness } from "../support/fiscal.ts";
import { sharedService } from "../support/fixtures.ts";
import { cashSessionBody, productBody } from "../support/records.ts";
import { ableToReturn, enrol, upload } from "../support/register.ts";
import { returnOf, saleOf } from "../support/returning.ts";

const service = sharedService();
const tables = ["returns", "sales", "invoices", "stock_movements", "cash_sessions", "products", "parked_returns"];
const run = (text: string) => service.deps.pool.query(text);

/** A sale of three, of which one came back for cash; everything is decided. */
beforeAll(async () => {
  const { accountId } = await fiscalBusiness(service);
  const till = await enrol(service, accountId, { capabilities: ableToReturn });
  const at = new Date().toISOString();
  const [product, shift] = [productBody(at), cashSessionBody(at)];
  const sale = saleOf([{ quantity: 3, unit_price: 3200, product_id: product.id }]);
  await till.put("product", upload(product));
  await till.put("cash_session", upload(shift));
  await till.put("sale", upload(sale));
  await till.put("return", returnOf(sale, [1], { payment_method: "CASH", cash_session_id: shift.id }));
  const worker = fiscalWorker(service.deps, authorityFor(service.deps));
  for (let i = 0; i < 8; i++) {
    await worker.workOff();
    advance(service, 1.5 * second);
  }
  for (const table of tables) await run(`create table kept_${table} as select * from ${table}`);
  expect((await verify(service.deps.pool)).problems).toEqual([]);
});

afterEach(async () => {
  for (const table of tables) {
    await run(`truncate ${table}`);
    await run(`insert into ${table} select * from kept_${table}`);
  }
});

const edited = (table: string, from: string, to: string) =>
  `update ${table} set body = replace(body::text, '${from}', '${to}')::json`;

test.each<[problem: string, fault: string]>([
  ["se devolvió más de lo vendido", edited("returns", '"quantity":1,', '"quantity":4,')],
  ["se devolvió más dinero del que valía la venta", edited("returns", '"total":3200', '"total":9900')],
  ["una devolución no suma sus líneas", edited("returns", '"discount":0,"tax"', '"discount":5,"tax"')],
  ["una venta con devoluciones no lo recuerda", "update sales set settled = null"],
  ["lo devuelto no volvió a las existencias", "update stock_movements set delta_milli = 2000 where from_api"],
  ["el efectivo devuelto no salió de su turno", edited("cash_sessions", '"cash_refunds":3200', '"cash_refunds":0')],
  ["la nota de una devolución no es la suya", "delete from invoices where document_type = 'pos_adjustment_note'"],
  ["una devolución espera su nota, y su documento ya está emitido", "update returns set invoice_id = null"],
  [
    "las notas de un documento suman más que él",
    `${edited("invoices", '"total":3200', '"total":9900')} where document_type = 'pos_adjustment_note'`,
  ],
  [
    "un documento no es de la sede de su venta o de su devolución",
    `update invoices set location_id = '019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c51' where document_type = 'pos_adjustment_note'`,
  ],
  [
    "una devolución sigue esperando la venta que ya llegó",
    `insert into parked_returns (account_id, id, sale_id, device_id, device_seq, received_at, data, beside)
     select account_id, gen_random_uuid(), id, device_id, 1, now(), '{}', '{}' from sales`,
  ],
])("verify finds: %s", async (problem, fault) => {
  await run(fault);
  const found = (await verify(service.deps.pool)).problems.map((text) => text.split(":")[0]);
  expect(found).toContain(problem);
});
