import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { verifiedService } from "../support/fixtures.ts";
import { enterAs } from "../support/people.ts";
import { openPortal } from "../support/portal.ts";
import { cashSessionBody, quoteBody, saleBody } from "../support/records.ts";
import { enrol, upload } from "../support/register.ts";

const service = verifiedService();

test("whoever has one sede sees nothing of the other: lists, sums, search, files, papers and ids", async () => {
  const owner = await openPortal(service);
  const norte = (await owner.post("/locations", { name: "Norte" })).body.id as string;
  const sold: { sale: string; shift: string; quote: string }[] = [];
  for (const place of [owner.accountId, norte]) {
    const till = await enrol(service, owner.accountId, {
      name: `Caja ${sold.length + 1}`,
      capabilities: ["counter_act.1"],
    });
    await owner.put(`/devices/${till.deviceId}/location`, { location_id: place });
    const at = new Date().toISOString();
    const [sale, shift, quote] = [saleBody(at, { total: 7_000 + sold.length }), cashSessionBody(at), quoteBody(at)];
    const act = { kind: "drawer_opened", occurred_at: at, cashier_id: null, label: null, amount: null, detail: null };
    await till.push([
      { type: "counter_act", id: randomUUID(), data: act },
      { type: "cash_session", id: shift.id, data: upload(shift) },
      { type: "sale", id: sale.id, data: upload({ ...sale, cash_session_id: shift.id }) },
      { type: "quote", id: quote.id, data: upload(quote) },
    ]);
    sold.push({ sale: sale.id, shift: shift.id, quote: quote.id });
  }
  const [hers, other] = [sold[1]!, sold[0]!];
  const manager = await enterAs(service, owner.business, "manager", { locationIds: [norte] });
  for (const path of ["/sales", "/quotes", "/records/sales", "/records/cash-sessions", "/records/quotes"]) {
    const { status, text } = await manager.get(path);
    expect([status, text.includes(hers.sale) || text.includes(hers.shift) || text.includes(hers.quote)], path).toEqual([
      200,
      true,
    ]);
    for (const id of Object.values(other)) expect(text, path).not.toContain(id);
  }
  expect((await manager.get("/today")).body.sold.tickets).toBe(1);
  expect((await manager.get(`/today?location_id=${owner.accountId}`)).body.sold.tickets).toBe(0);
  expect((await manager.get(`/sales?location_id=${owner.accountId}`)).body.data).toEqual([]);
  expect((await manager.get("/sales/totals")).body.count ?? 1).toBe(1);
  for (const path of [
    `/sales/${other.sale}`,
    `/records/sales/${other.sale}`,
    `/quotes/${other.quote}`,
    `/quotes/${other.quote}/pdf`,
    `/cash-sessions/${other.shift}/z`,
    `/cash-sessions/${other.shift}/z.pdf`,
    `/records/cash-sessions/${other.shift}`,
  ])
    expect((await manager.get(path)).status, path).toBe(404);
  expect(
    (await manager.post(`/sales/${other.sale}/returns`, { lines: [], payment_method: "CASH", reason: null })).status,
  ).not.toBe(201);
  expect((await manager.get(`/sales/${hers.sale}`)).status).toBe(200);
  for (const [path, named] of [
    ["sales.csv", /"Ventas 2/],
    [`sales.csv?location_id=${norte}`, /"Ventas Norte 2/],
    ["customers.csv", /"Clientes 2/],
  ] as const)
    expect((await owner.download(`/tables/${path}`)).headers.get("content-disposition")).toMatch(named);
  expect((await manager.get(`/cash-sessions/${hers.shift}/z`)).status).toBe(200);
  const found = (await manager.get(`/search?q=${other.sale}`)).body.data;
  expect(found).toEqual([]);
  const other7 = await enrol(service, owner.accountId, { name: "Caja 3" });
  const hers7 = quoteBody(new Date(Date.now() - 60_000).toISOString(), { prefix: "COT", number: 4711 });
  const herTill = await enrol(service, owner.accountId, { name: "Caja 4" });
  await owner.put(`/devices/${herTill.deviceId}/location`, { location_id: norte });
  await herTill.push([{ type: "quote", id: hers7.id, data: upload(hers7) }]);
  await other7.push(
    Array.from({ length: 6 }, () => {
      const quote = quoteBody(new Date().toISOString(), { prefix: "COT", number: 4711 });
      return { type: "quote", id: quote.id, data: upload(quote) };
    }),
  );
  const numbered = (await manager.get("/search?q=COT 4711")).body.data;
  expect(numbered, "what is of other sedes takes no place").toMatchObject([{ kind: "quote", id: hers7.id }]);
  const sums = await manager.get(`/cash-sessions/sums?ids=${hers.shift},${other.shift}`);
  expect(sums.text).toContain(hers.shift);
  expect(sums.text).not.toContain(other.shift);
  expect((await manager.get("/devices")).body.data).toMatchObject([{ name: "Caja 2" }, { name: "Caja 4" }]);
  const acts = (await owner.get("/counter-acts")).body.data as { register: string }[];
  expect(acts.map(({ register }) => register).toSorted()).toEqual(["Caja 1", "Caja 2"]);
  expect((await manager.get("/counter-acts")).body.data).toMatchObject([{ register: "Caja 2" }]);
  expect((await manager.get("/records/locations")).body.data).toMatchObject([{ id: norte }]);
});

test("the files of a business with several sedes say of which each row is, and those of any other do not", async () => {
  const owner = await openPortal(service);
  const till = await enrol(service, owner.accountId);
  const sell = async () => {
    const at = new Date().toISOString();
    const [sale, quote] = [saleBody(at), quoteBody(at)];
    await till.push([
      { type: "sale", id: sale.id, data: upload(sale) },
      { type: "quote", id: quote.id, data: upload(quote) },
    ]);
  };
  const linesOf = async (file: string) =>
    Buffer.from((await owner.download(`/tables/${file}.csv`)).bytes)
      .toString()
      .trim()
      .split("\r\n");
  await sell();
  for (const file of ["sales", "quotes"]) expect((await linesOf(file))[0]).not.toContain("Sede");
  const norte = (await owner.post("/locations", { name: "Norte" })).body.id as string;
  await owner.put(`/devices/${till.deviceId}/location`, { location_id: norte });
  await sell();
  for (const file of ["sales", "quotes"]) {
    const [head, ...rows] = await linesOf(file);
    expect(head).toMatch(/;Sede$/);
    expect(rows.map((row) => row.split(";").at(-1))).toEqual(["Norte", "Tienda de prueba"]);
  }
  for (const file of ["invoices", "orders", "stock-movements"]) expect((await linesOf(file))[0]).toMatch(/;Sede$/);
  for (const file of ["products", "customers"]) expect((await linesOf(file))[0]).not.toContain("Sede");
});
