import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { readConcerns } from "../../src/api/portal/home/attention.ts";
import { sql } from "../../src/db/sql.ts";
import { day, hour } from "../../src/lib/clock.ts";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { dayText } from "../../src/taxes/words.ts";
import { atCounters } from "../support/counter-shop.ts";
import { advance, plainSale } from "../support/fiscal.ts";
import { verifiedService } from "../support/fixtures.ts";
import { upload } from "../support/register.ts";

const service = verifiedService();
const { shop } = atCounters(service);
const clock = { now: () => service.deps.clock.now() };
/** Noon of today, or as many days before, in Colombia. */
const noon = (daysAgo = 0) => new Date(Date.parse(`${bogotaDate(clock.now())}T12:00:00-05:00`) - daysAgo * day);
const onDay = (daysAgo: number) => dayText(bogotaDate(noon(daysAgo)));

const saleAt = (at: Date, total = 1_000) => {
  const { id, ...data } = upload(plainSale(at.toISOString(), total));
  return { type: "sale", id, data, edited_at: at.toISOString() };
};

async function told(accountId: string) {
  const concerns = await readConcerns({ ...service.deps, reads: service.deps.pool }, accountId, clock.now());
  return concerns.flatMap((one) => (one.kind === "finding" ? [one.message] : []));
}

test("sales of days that were over are told once for each register and day, with all that came", async () => {
  const here = await shop();
  // Every push is in the middle of a day.
  advance(service, noon(-1).getTime() - clock.now().getTime());
  const { accountId, till } = here;
  await till.push([saleAt(new Date(clock.now().getTime() - hour))]);
  expect(await told(accountId)).toEqual([]);
  await till.push([saleAt(noon(5), 30_000), saleAt(noon(4), 10_000), saleAt(noon(0))]);
  expect(await told(accountId)).toEqual([
    `La caja «Caja 1» subió el ${onDay(0)} 2 ventas por $40.000 del ${onDay(5)} al ${onDay(4)}: esos días ya habían terminado.`,
  ]);
  const again = saleAt(noon(1), 5_000);
  for (let i = 0; i < 2; i++) await till.push([again]);
  const cancelled = { ...saleAt(noon(3)), data: { ...saleAt(noon(3)).data, status: "cancelled" } };
  await till.push([cancelled]);
  const all = `La caja «Caja 1» subió el ${onDay(0)} 3 ventas por $45.000 del ${onDay(5)} al ${onDay(1)}: esos días ya habían terminado.`;
  expect(await told(accountId)).toEqual([all]);
  // The next day it is another notice; one sale alone is named with its day.
  const first = onDay(0);
  advance(service, day);
  await till.push([saleAt(noon(1), 2_000)]);
  expect(await told(accountId)).toEqual(
    expect.arrayContaining([
      `La caja «Caja 1» subió el ${onDay(0)} 1 venta por $2.000 del ${first}: ese día ya había terminado.`,
    ]),
  );
  expect(await told(accountId)).toHaveLength(2);
});

test("a sale of before midnight that arrives a moment after it is not late", async () => {
  const here = await shop();
  advance(service, noon(-1).getTime() + 12 * hour + 600_000 - clock.now().getTime());
  await here.till.push([saleAt(new Date(clock.now().getTime() - 1_200_000))]);
  expect(await told(here.accountId)).toEqual([]);
});

test("what a register deletes stands in the audit log: who, at which register and what, a person's name apart", async () => {
  const here = await shop();
  const { till, owner, ana, productId } = here;
  const [variant, category, customer] = [randomUUID(), randomUUID(), randomUUID()];
  const variants = [{ id: variant, label: "Mini", sku: null, base_price: 2_000, final_price: 2_000, active: true }];
  const other = randomUUID();
  await till.push([
    { type: "category", id: category, data: { name: "Panadería" } },
    { type: "customer", id: customer, data: { name: "Rosa Díaz" } },
    { type: "product", id: other, data: { name: "Leche", base_price: 1_000, final_price: 1_000, variants } },
  ]);
  const gone = (type: string, id: string, data: object | null = null) => ({ type, id, op: "delete" as const, data });
  const by = { cashier_id: ana } as object;
  await till.push([gone("product_variant", variant, { product_id: other })]);
  for (let i = 0; i < 2; i++)
    await till.push([
      { ...gone("product", productId), ...by },
      { ...gone("product", other), ...by },
      gone("customer", customer),
      gone("category", category),
      gone("category", randomUUID()),
    ]);
  const { body } = await owner.get("/audit-log?action=record.deleted&limit=10");
  const entries = body.data.map(
    (one: { actor: string; person_name: string | null; remote_address: string; details: object }) => one,
  );
  expect(
    entries
      .map(({ details: { name }, person_name }: { details: { name: string }; person_name: string | null }) => [
        name,
        person_name,
      ])
      .sort(),
  ).toEqual([
    ["2 productos: Pan, Leche · Caja 1", "Ana"],
    ["un cliente · Caja 1", null],
    ["una categoría: Panadería · Caja 1", null],
    ["una variante: Leche · Mini · Caja 1", null],
  ]);
  for (const { actor, remote_address, details } of entries) {
    expect(actor).toBe("register");
    expect(remote_address).toBe("127.0.0.1");
    expect(details).toMatchObject({ device_id: till.deviceId });
  }
  expect(JSON.stringify(body)).not.toContain("Rosa");
  const { rows } = await service.deps.pool.query(
    sql`select count(*)::int as n from audit_log where account_id = ${here.accountId} and action = 'record.deleted'`,
  );
  expect(rows[0].n).toBe(4);
});
