import { beforeEach, expect, test } from "vitest";
import type { Sale } from "../../src/business/sales/schema.ts";
import { sql } from "../../src/db/sql.ts";
import { authorityFor } from "../../src/fiscal/authority/authority-for.ts";
import { fiscalWorker } from "../../src/fiscal/documents/worker.ts";
import { setRange } from "../../src/fiscal/profile/set-range.ts";
import { second } from "../../src/lib/clock.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import { advance, fiscalBusiness, plainSale, ringUp } from "../support/fiscal.ts";
import { sharedService } from "../support/fixtures.ts";
import type { Business } from "../support/service.ts";

const service = sharedService();
let shop: Business;
let made: Sale[];
beforeEach(async () => {
  await service.deps.pool.query(
    "truncate sales, sale_hours, sale_shifts, sale_products, sale_taxes, invoices, events, fiscal_profiles, numbering_ranges, fiscal_documents, skipped_numbers",
  );
  shop = await fiscalBusiness(service);
  made = await ringUp(service, shop.accountId, (at) => [1000, 2000, 3000, 4000].map((total) => plainSale(at, total)));
  const worker = fiscalWorker(service.deps, authorityFor(service.deps));
  await worker.workOff();
  advance(service, 3 * second);
  await worker.workOff();
  expect((await verify(service.deps.pool)).problems).toEqual([]);
});

async function problems(): Promise<string[]> {
  return (await verify(service.deps.pool)).problems.map((problem) => problem.split(":")[0]!);
}

test("a missing document is found as a gap and in its sale", async () => {
  await service.deps.pool.query(sql`delete from invoices where id = ${made[1]!.invoices[0]!.id}`);
  expect(await problems()).toEqual([
    "la numeración de un rango tiene huecos o repetidos",
    "el resumen de un documento en su venta no es el del documento",
    "el trabajo sobre un documento no concuerda con su estado",
  ]);
});

test("a number used twice is found", async () => {
  await service.deps.pool.query(sql`
    update invoices set body = replace(body::text, '"number":2', '"number":3')::json
    where id = ${made[1]!.invoices[0]!.id}`);
  expect(await problems()).toContain("la numeración de un rango tiene huecos o repetidos");
});

test("numbers skipped on purpose are not a gap, and a document that uses one of them is found", async () => {
  const range = { kind: "pos", prefix: "EPOS", first: 1, last: 5000, validUntil: "2099-12-31" } as const;
  await expect(setRange(service.deps, shop.accountId, { ...range, next: 8 })).rejects.toThrow("del 5 al 7");
  const reason = "emitidos después de la copia";
  await setRange(service.deps, shop.accountId, { ...range, next: 8, reason });
  await setRange(service.deps, shop.accountId, {
    ...range,
    prefix: "OTRO",
    next: 11,
    reason: "usados en otro sistema",
  });
  // Numbers that registers used have documents, so they are not skipped.
  await service.deps.pool.query(sql`update numbering_ranges set next_number = 1 where prefix = 'EPOS'`);
  await service.deps.pool.query("delete from skipped_numbers where first_number = 5");
  await setRange(service.deps, shop.accountId, { ...range, next: 8, reason });
  const { rows } = await service.deps.pool.query(
    "select first_number, last_number from skipped_numbers order by first_number",
  );
  expect(rows.map((row) => [row.first_number, row.last_number])).toEqual([
    [1, 10],
    [5, 7],
  ]);
  const [sale] = await ringUp(service, shop.accountId, (at) => [plainSale(at, 5000)]);
  expect(sale!.invoices[0]!.number).toBe(8);
  expect(await problems()).toEqual([]);

  await service.deps.pool.query(sql`
    update invoices set body = replace(body::text, '"number":8', '"number":6')::json
    where id = ${sale!.invoices[0]!.id}`);
  expect(await problems()).toContain("la numeración de un rango tiene huecos o repetidos");
});

test("a completed sale without a document is found", async () => {
  await service.deps.pool.query(sql`
    update sales set body = (body::jsonb || '{"invoices": []}')::json where id = ${made[0]!.id}`);
  expect(await problems()).toContain("una venta completada no tiene documento");
});

test("a summary with another status is found", async () => {
  await service.deps.pool.query(sql`
    update sales set body = replace(body::text, '"status":"issued"', '"status":"pending"')::json where id = ${made[0]!.id}`);
  expect(await problems()).toEqual(["el resumen de un documento en su venta no es el del documento"]);
});

test("an event emitted twice is found", async () => {
  await service.deps.pool.query(sql`
    insert into events (account_id, created_at, id, seq, type, body)
    select account_id, created_at, gen_random_uuid(), seq, type, body from events
    where type = 'invoice.issued' limit 1`);
  expect(await problems()).toEqual(["un evento que ocurre una sola vez está repetido"]);
});

test("a pending document that no worker will process is found", async () => {
  await ringUp(service, shop.accountId, (at) => [plainSale(at, 5000)]);
  await service.deps.pool.query(sql`update fiscal_documents set due_at = null`);
  expect(await problems()).toEqual(["el trabajo sobre un documento no concuerda con su estado"]);
});
