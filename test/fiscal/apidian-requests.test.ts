import { describe, expect, test } from "vitest";
import { customers } from "../../src/business/customers/resource.ts";
import { setProfile } from "../../src/fiscal/profile/set-profile.ts";
import { computeTaxes } from "../../src/taxes/tax.ts";
import { workedExamples } from "../../src/taxes/worked-examples.fixture.ts";
import { apidianPerTest } from "../support/apidian-shop.ts";
import { changeSale, documentsOf } from "../support/fiscal.ts";
import { customerBody, saleBody, store } from "../support/records.ts";

const { service, apidian, shop, worker, sellOne, untilDecided } = apidianPerTest();

describe("a request to the provider", () => {
  test("lets the provider compute the same code, for each kind of document", async () => {
    const at = service.deps.clock.now().toISOString();
    const buyer = customerBody(at, { document_type: "NIT", document_number: "900.166.483-1", person_type: "company" });
    await store(service.deps, shop.accountId, customers, () => [{ body: buyer }]);
    for (const [name, { input }] of Object.entries(workedExamples)) {
      const { lines, ...totals } = computeTaxes(input);
      const items = lines.map((line, i) => ({
        ...saleBody(at).items[0]!,
        quantity: Number(input.lines[i]!.quantity),
        unit_price: input.lines[i]!.unit_price,
        subtotal: line.subtotal,
        taxes: line.taxes,
        tax_class: input.lines[i]!.discountable === false ? "passthrough" : "standard",
      }));
      for (const document_kind of ["pos", "invoice"] as const) {
        const customer_id = document_kind === "invoice" ? buyer.id : null;
        const id = await sellOne({ ...totals, items, document_kind, customer_id });
        expect((await untilDecided(id)).status, name).toBe("issued");
        await changeSale(service, shop.accountId, id, { status: "cancelled" });
        await worker.workOff();
        const [original, note] = await documentsOf(service, shop.accountId, id);
        expect([original!.status, note!.status]).toEqual(["annulled", "issued"]);
        expect(apidian.sends.at(-2)!.cufe).toBe(original!.cufe);
        expect(apidian.sends.at(-1)!.cufe).toBe(note!.cufe);
        const sum = apidian.sends
          .at(-2)!
          .body.invoice_lines.reduce(
            (all: number, line: { line_extension_amount: string }) => all + Number(line.line_extension_amount),
            0,
          );
        expect(`${sum}.00`).toBe(apidian.sends.at(-2)!.body.legal_monetary_totals.line_extension_amount);
      }
    }
    expect(apidian.queries).toEqual([]);
  });

  test("goes to the path of its kind of document, with the company's token", async () => {
    const pos = await sellOne();
    await worker.workOff();
    await changeSale(service, shop.accountId, pos, { status: "cancelled" });
    await worker.workOff();
    await sellOne({ document_kind: "invoice" });
    await worker.workOff();
    expect(apidian.sends.map(({ path }) => path)).toEqual(["/eqdoc", "/credit-note", "/invoice"]);
    expect(new Set(apidian.sends.map(({ token }) => token))).toEqual(new Set(["secreto"]));
    expect(apidian.sends[1]!.body).toMatchObject({
      is_eqdoc: true,
      type_document_id: 26,
      discrepancyresponsecode: 2,
      billing_reference: { number: "EPOS1", uuid: apidian.sends[0]!.cufe, type_document_id: 15 },
    });
    await setProfile(service.deps, shop.accountId, { authorityToken: "propio" });
    await sellOne();
    await worker.workOff();
    expect(apidian.sends.at(-1)!.token).toBe("propio");
  });
});
