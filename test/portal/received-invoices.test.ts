import { describe, expect, test } from "vitest";
import { enterAs } from "../support/people.ts";
import { openAgain, type Portal } from "../support/portal.ts";
import { buyingShop, type Json } from "../support/purchases.ts";
import { attached, cufe, invoiceXml, lineXml, zipped } from "../support/received.ts";

const { service, shop, soda, rice, received, stockOf } = buyingShop();
const owner = () => openAgain(service, shop, "");

async function upload({ cookie }: Portal, file: string | Buffer, type = "application/xml"): Promise<Json> {
  const headers = { cookie, "content-type": type, origin: service.baseUrl };
  const answer = await fetch(`${service.baseUrl}/portal/api/purchase-invoices`, {
    ...{ method: "POST", headers, body: new Uint8Array(Buffer.from(file)) },
  });
  return { status: answer.status, body: await answer.json() };
}

describe("a supplier's electronic invoice", () => {
  test("makes a supplier and a draft; what is no product is asked once, and the next invoice knows it", async () => {
    const portal = await owner();
    const { status, body } = await upload(
      portal,
      await zipped({ "ad.xml": attached(invoiceXml()) }),
      "application/zip",
    );
    expect([status, body.unmatched, body.new_supplier]).toEqual([200, 1, true]);
    const { purchase } = body;
    expect(purchase).toMatchObject({
      ...{ status: "draft", supplier_name: "Distribuidora La Sabana S.A.S.", invoice_number: "FV1029", cufe },
      ...{ invoice_date: "2026-09-28", due_date: "2026-10-13", total: 571_200, rounding: 0 },
    });
    const supplier = (await portal.get(`/suppliers/${purchase.supplier_id}`)).body.supplier;
    expect(supplier).toMatchObject({ document_number: "900373923-8", email: "facturas@lasabana.example" });
    const refused = await shop.api.post(`/purchases/${purchase.id}/receipts`, {});
    expect([refused.status, refused.body.error.errors[0].message]).toEqual([
      ...[400, expect.stringContaining("nadie ha dicho qué producto es")],
    ]);
    const match = { line_id: purchase.lines[0].id, product_id: soda.id, unit: "Caja x24", factor: 24 };
    const matched = await portal.post(`/purchases/${purchase.id}/matches`, { lines: [match] });
    expect([matched.status, matched.body.total, matched.body.lines[0].landed_unit_cost]).toEqual([200, 571_200, 2_000]);
    expect((await received(purchase)).owed).toBe(571_200);
    expect(await stockOf(soda)).toBe(240);
    const next = await upload(portal, invoiceXml({ number: "FV1030", cufe: "b".repeat(96) }));
    expect([next.body.unmatched, next.body.new_supplier, next.body.purchase.lines[0]]).toMatchObject([
      ...[0, false, { product_id: soda.id, unit: "Caja x24", factor: 24, landed_unit_cost: 2_000 }],
    ]);
  });

  test("is matched by a code of ours too: a box's code buys boxes", async () => {
    const portal = await owner();
    const lines = [
      lineXml({ barcode: "17702535011086" }),
      lineXml({ code: "GAS", quantity: "3", net: "6300", price: "2100" }),
      lineXml({ code: "OTRO", quantity: "1", net: "100", price: "100" }),
    ];
    const { body } = await upload(portal, invoiceXml({ lines, payable: "486400" }));
    expect(body.purchase.lines).toMatchObject([
      { product_id: soda.id, unit: "Caja x24", factor: 24 },
      { product_id: soda.id, factor: 1 },
      { product_id: null, supplier_code: "OTRO" },
    ]);
  });

  test("the same one twice is refused, by its code or by its number, and says where it is", async () => {
    const portal = await owner();
    expect((await upload(portal, invoiceXml())).status).toBe(200);
    const again = await upload(portal, attached(invoiceXml({ number: "OTRA-1" })));
    expect([again.status, again.body.error.param, again.body.error.message]).toEqual([
      ...[409, "cufe", expect.stringContaining("compra 1")],
    ]);
    const number = await upload(portal, invoiceXml({ cufe: "c".repeat(96), number: "fv-1029" }));
    expect([number.status, number.body.error.param]).toEqual([409, "invoice_number"]);
    expect((await portal.get("/purchases/totals")).body.count).toBe(1);
  });

  test("keeps several taxes, discounts, charges and cents, to the peso that it says", async () => {
    const portal = await owner();
    const line = lineXml({
      ...{ code: "G-24", quantity: "3", net: "99999.67", price: "36666.5566", discount: "10000.00" },
      taxes: [
        ["01", "19.00", "18999.94"],
        ["34", "0.00", "650.00"],
      ],
    });
    const beside = `<cac:AllowanceCharge><cbc:ChargeIndicator>true</cbc:ChargeIndicator><cbc:Amount>5000.00</cbc:Amount></cac:AllowanceCharge><cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:Amount>1000.00</cbc:Amount></cac:AllowanceCharge>`;
    const { body } = await upload(portal, invoiceXml({ lines: [line], beside, payable: "123649.61" }));
    expect(body.purchase).toMatchObject({
      total: 123_650,
      charges: [{ amount: 5_000 }],
      discount: 11_000,
      tax: 19_650,
    });
    expect(body.purchase.lines[0].taxes).toMatchObject([{ recoverable: true }, { code: "34", recoverable: false }]);
  });

  test("that does not add up, is broken or hostile leaves nothing behind", async () => {
    const portal = await owner();
    const bad = [
      invoiceXml({ payable: "999999.00" }),
      invoiceXml().slice(0, 800),
      `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${invoiceXml()}`,
      "",
    ];
    for (const file of bad) {
      const { status, body } = await upload(portal, file);
      expect([status, body.error.code, body.error.param]).toEqual([400, "VALIDATION_ERROR", "file"]);
    }
    expect((await upload(portal, Buffer.alloc(3 * 1024 * 1024, 32))).status).toBe(413);
    expect((await portal.get("/purchases/totals")).body.count).toBe(0);
    expect((await portal.get("/records/suppliers?q=sabana%20s.a.s")).body.data).toEqual([]);
  });

  test("is uploaded and matched by who buys, and only while nothing of it came", async () => {
    const accountant = await enterAs(service, shop, "accountant");
    expect((await upload(accountant, invoiceXml())).status).toBe(403);
    const portal = await owner();
    const { purchase } = (await upload(portal, invoiceXml())).body;
    const match = (product_id: string) => ({ lines: [{ line_id: purchase.lines[0].id, product_id }] });
    expect((await accountant.post(`/purchases/${purchase.id}/matches`, match(rice.id))).status).toBe(403);
    expect((await portal.post(`/purchases/${purchase.id}/matches`, match(rice.id))).status).toBe(200);
    await received(purchase);
    expect((await portal.post(`/purchases/${purchase.id}/matches`, match(soda.id))).status).toBe(409);
  });
});
