import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { documentFiles } from "../../src/paper/attachments.ts";
import { newPress } from "../../src/paper/press.ts";
import { readPdf } from "../support/pdf.ts";
import { enterAs } from "../support/people.ts";
import { mailsTo, openAgain } from "../support/portal.ts";
import { buyingShop, type Json } from "../support/purchases.ts";

const { service, shop, supplier, soda, stockOf, bought } = buyingShop();
const once = () => ({ "idempotency-key": randomUUID() });
const owner = () => openAgain(service, shop, "");
const line = () => ({ product_id: soda.id, unit: "Caja x24", factor: 24, quantity: 10, unit_cost: 48_000 });

describe("Compras in the portal", () => {
  test("makes, orders, receives, returns and closes a purchase, each told in the audit log", async () => {
    const portal = await owner();
    const made = await portal.post("/purchases", { supplier_id: supplier.id, lines: [line()] }, once());
    expect([made.status, made.body.status]).toEqual([201, "draft"]);
    const path = `/purchases/${made.body.id}`;
    expect((await portal.patch(path, { status: "ordered" })).body.status).toBe("ordered");
    const received = await portal.post(`${path}/receipts`, {}, once());
    expect([received.status, received.body.status, await stockOf(soda)]).toEqual([200, "received", 240]);
    const line_id = made.body.lines[0].id;
    const back = await portal.post(`${path}/receipts`, { kind: "return", lines: [{ line_id, quantity: 1 }] }, once());
    expect([back.body.owed, await stockOf(soda)]).toEqual([432_000, 216]);
    expect((await portal.patch(path, { status: "closed" })).body.status).toBe("closed");
    const actions = (await portal.get("/audit-log")).body.data.map(({ action }: Json) => action);
    expect(actions.slice(0, 5)).toEqual([
      ...["purchase.changed", "purchase.received", "purchase.received", "purchase.changed", "purchase.created"],
    ]);
    const detail = (await portal.get(path)).body;
    expect([detail.supplier.name, detail.warehouse, detail.products]).toEqual([
      ...["La Sabana", "Principal", [{ id: soda.id, name: "Gaseosa", base_unit: "und" }]],
    ]);
  });

  test("lists them with what is owed, as a file too", async () => {
    const portal = await owner();
    const { id } = await bought([line()], { invoice_number: "FV-88" });
    await portal.post(`/purchases/${id}/receipts`, {}, once());
    await bought([line()]);
    expect((await portal.get("/purchases/totals")).body).toEqual({
      count: 2,
      total: 960_000,
      awaited: 0,
      balance: 480_000,
    });
    const rows = (await portal.get("/purchases?q=FV-88")).body.data;
    expect(rows).toEqual([expect.objectContaining({ id, owed: 480_000, line_count: 1 })]);
    expect(rows[0]).not.toHaveProperty("lines");
    const file = (await portal.download("/tables/purchases.csv")).bytes.toString("utf8");
    expect(file).toContain("FV-88");
  });

  test("a supplier shows what he sells, as it was bought last, and what is owed to him", async () => {
    const portal = await owner();
    const { id } = await bought([{ ...line(), supplier_code: "G-24" }]);
    await portal.post(`/purchases/${id}/receipts`, {}, once());
    const { items, totals } = (await portal.get(`/suppliers/${supplier.id}`)).body;
    expect(items).toEqual([
      expect.objectContaining({ code: "G-24", name: "Gaseosa", unit: "Caja x24", factor: 24, last_cost: 48_000 }),
    ]);
    expect(totals).toEqual({ purchases: 1, bought: 480_000, balance: 480_000 });
  });

  test("an accountant reads and changes nothing; a stranger sees nothing", async () => {
    const { id } = await bought([line()]);
    const accountant = await enterAs(service, shop, "accountant");
    expect((await accountant.get(`/purchases/${id}`)).status).toBe(200);
    expect((await accountant.post(`/purchases/${id}/receipts`, {}, once())).status).toBe(403);
    expect((await accountant.patch(`/suppliers/${supplier.id}`, { term_days: 1 })).status).toBe(403);
    const stranger = await openAgain(service, await service.business(), "");
    expect((await stranger.get(`/purchases/${id}`)).status).toBe(404);
    expect((await stranger.post(`/purchases/${id}/receipts`, {}, once())).status).toBe(404);
  });

  test("whoever has another sede neither sees a purchase nor receives it, and buys for hers", async () => {
    const { id } = await bought([line()]);
    const portal = await owner();
    const { body: sede } = await portal.post("/locations", { name: "Sur" });
    const manager = await enterAs(service, shop, "manager", { locationIds: [sede.id] });
    expect((await manager.get("/purchases")).body.data).toEqual([]);
    expect((await manager.get(`/purchases/${id}`)).status).toBe(404);
    expect((await manager.post(`/purchases/${id}/receipts`, {}, once())).status).toBe(404);
    const order = { supplier_id: supplier.id, lines: [line()] };
    expect((await manager.post("/purchases", order, once())).body.error.code).toBe("NO_WAREHOUSE");
    await portal.post("/warehouses", { name: "Bodega Sur", location_id: sede.id }, once());
    const own = await manager.post("/purchases", order, once());
    expect([own.status, own.body.location_id]).toEqual([201, sede.id]);
    expect((await manager.get("/purchases")).body.data).toHaveLength(1);
  });

  test("is a paper, and goes to the supplier by mail with it, or to where whoever sends it says", async () => {
    const portal = await owner();
    const { id } = await bought([{ ...line(), supplier_code: "G-24" }], {
      status: "ordered",
      notes: "Antes del viernes",
    });
    const pdf = await portal.download(`/purchases/${id}/pdf`);
    expect([pdf.status, pdf.headers.get("content-disposition")]).toEqual([
      ...[200, 'inline; filename="orden-de-compra-1.pdf"'],
    ]);
    const { text } = await readPdf(pdf.bytes);
    for (const part of [
      "ORDEN DE COMPRA",
      "La Sabana",
      "G-24 · Gaseosa",
      "10 Caja x24",
      "$ 480.000",
      "Antes del viernes",
    ])
      expect(text).toContain(part);
    const unknown = await portal.post(`/purchases/${id}/mail`, {});
    expect([unknown.status, unknown.body.error.param]).toEqual([400, "email"]);
    await portal.patch(`/suppliers/${supplier.id}`, { email: "pedidos@lasabana.example" });
    expect((await portal.post(`/purchases/${id}/mail`, {})).body).toEqual({ email: "pedidos@lasabana.example" });
    const [mail] = await mailsTo(service, "pedidos@lasabana.example");
    expect(mail?.subject).toContain("Orden de compra 1");
    const press = newPress();
    const { attachments } = await documentFiles(service.deps, press)(shop.accountId, id);
    await press.stop();
    expect(attachments.map(({ filename }) => filename)).toEqual(["orden-de-compra-1.pdf"]);
    await portal.patch(`/purchases/${id}`, { status: "cancelled" });
    expect((await portal.post(`/purchases/${id}/mail`, {})).status).toBe(409);
  });
});
