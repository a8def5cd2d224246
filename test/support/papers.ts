import { customers } from "../../src/business/customers/resource.ts";
import type { Customer } from "../../src/business/customers/schema.ts";
import type { Sale, SaleItem } from "../../src/business/sales/schema.ts";
import { setProfile } from "../../src/fiscal/profile/set-profile.ts";
import { setRange } from "../../src/fiscal/profile/set-range.ts";
import { computeTaxes } from "../../src/taxes/tax.ts";
import { lineFor, type Regime, type TaxClass } from "../../src/taxes/tax-classes.ts";
import { ringUp, softwarePin, technicalKey } from "./fiscal.ts";
import { openPortal, type Portal } from "./portal.ts";
import { customerBody, saleBody, saleItemBody, store } from "./records.ts";
import type { Service } from "./service.ts";

export interface Goods {
  description: string;
  quantity: number;
  price: number;
  taxClass: TaxClass;
}

/** One of every class of tax, with weighed goods and a free bag. */
export const everyClass: Goods[] = [
  { description: "Gaseosa cola 400 ml", quantity: 2, price: 6500, taxClass: "standard" },
  { description: "Café molido 250 g", quantity: 1, price: 15_900, taxClass: "reduced_5" },
  { description: "Huevos AA por 30", quantity: 1, price: 17_500, taxClass: "exempt" },
  { description: "Papa pastusa (kg)", quantity: 1.735, price: 2600, taxClass: "excluded" },
  { description: "Domicilio", quantity: 1, price: 5000, taxClass: "service_19" },
  { description: "Salón para eventos", quantity: 1, price: 120_000, taxClass: "event_package" },
  { description: "Recarga de celular", quantity: 1, price: 10_000, taxClass: "passthrough" },
  { description: "Bolsa plástica", quantity: 2, price: 0, taxClass: "bag" },
];

/** A signed-in owner whose business issues documents under a resolution. */
export async function openPapers(service: Service, { regime = "iva" }: { regime?: Regime } = {}): Promise<Portal> {
  const owner = await openPortal(service);
  await issuePapers(service.deps, owner.accountId, regime);
  return owner;
}

/** A profile and the ranges of a resolution. */
export async function issuePapers(deps: Service["deps"], accountId: string, regime: Regime = "iva"): Promise<void> {
  await setProfile(deps, accountId, { nit: "900373923-8", regime, softwarePin });
  const range = { first: 1, last: 5000, validUntil: "2099-12-31", resolution: "18760000001" };
  await setRange(deps, accountId, { ...range, kind: "pos", prefix: "EPOS" });
  await setRange(deps, accountId, { ...range, kind: "invoice", prefix: "SETP", technicalKey });
}

/** A sale of these goods, computed as a register does. */
export function saleOf(
  at: string,
  goods: readonly Goods[],
  fields: Partial<Sale> & { regime?: Regime; tip?: number } = {},
): Sale {
  const { regime = "iva", tip = 0, discount_percent = 0, ...rest } = fields;
  const profile = { regime, pricesIncludeTax: true };
  const lines = goods.map((one) =>
    lineFor({ tax_class: one.taxClass, base_price: one.price }, one.quantity, profile, new Date(at)),
  );
  const taxes = computeTaxes({ lines, discountPercent: discount_percent, tip });
  const items = goods.map(
    (one, i): SaleItem =>
      saleItemBody({
        description: one.description,
        quantity: one.quantity,
        unit_price: lines[i]!.unit_price,
        subtotal: taxes.lines[i]!.subtotal,
        tax_class: one.taxClass,
        taxes: taxes.lines[i]!.taxes,
      }),
  );
  const { subtotal, discount, tax, tip_amount, total, tax_breakdown } = taxes;
  return saleBody(at, { items, subtotal, discount, discount_percent, tax, tip_amount, total, tax_breakdown, ...rest });
}

/** Sells, and returns the id of the sale's document. */
export async function sellOf(service: Service, accountId: string, make: (at: string) => Sale): Promise<string> {
  const [sale] = await ringUp(service, accountId, (at) => [make(at)]);
  return sale!.invoices[0]!.id;
}

export async function newBuyer(
  { deps }: Pick<Service, "deps">,
  accountId: string,
  fields: Partial<Customer> = {},
): Promise<Customer> {
  const [buyer] = await store(deps, accountId, customers, (at) => [
    {
      body: customerBody(at, {
        name: "Panadería La Espiga S.A.S.",
        person_type: "company",
        document_type: "NIT",
        document_number: "901234567-7",
        email: "compras@laespiga.example",
        phone: "300 123 4567",
        ...fields,
      }),
    },
  ]);
  return buyer!;
}
