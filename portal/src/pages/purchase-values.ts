import { linesOf, totalsOf } from "../../../src/business/purchases/amounts.ts";
import type { PurchaseDetail } from "../lib/buying-queries.ts";
import type { ListedProduct } from "../lib/stock-queries.ts";

/** What stands in the form of a purchase, and how it is sent. */
export interface FormLine {
  key: string;
  product_id: string;
  name: string;
  base_unit: string;
  supplier_code: string;
  unit: string;
  factor: number | string;
  quantity: number | string;
  unit_cost: number | string;
  discount: number | string;
  rate: string;
  /** Taxes that the form has no field for, as an invoice had them. */
  others: { code: "01" | "04" | "22" | "34" | "35"; rate: number | null; amount: number }[];
}

export const emptyPurchase = (supplier_id: string | null = null) => ({
  supplier_id,
  warehouse_id: null as string | null,
  invoice_number: "",
  invoice_date: "",
  due_date: "",
  notes: "",
  freight: "" as number | string,
  freight_by: "value",
  freight_own: true,
  lines: [] as FormLine[],
  key: crypto.randomUUID() as string,
  /** What happens once it is stored. */
  next: "draft" as "draft" | "ordered" | "received",
});
export type PurchaseValues = ReturnType<typeof emptyPurchase>;

export const rateOptions = [
  { value: "", label: "Sin IVA" },
  { value: "5", label: "IVA 5 %" },
  { value: "19", label: "IVA 19 %" },
];

/** What the class of a product is usually bought with. */
const rateOfClass: Partial<Record<ListedProduct["tax_class"], string>> = {
  standard: "19",
  service_19: "19",
  reduced_5: "5",
};

export function lineOf(product: ListedProduct): FormLine {
  const { id, name, base_unit, unit_cost, tax_class } = product;
  return {
    ...{ key: crypto.randomUUID(), product_id: id, name, base_unit, supplier_code: "", unit: base_unit, factor: 1 },
    ...{ quantity: 1, unit_cost: unit_cost > 0 ? unit_cost : "", discount: "", others: [] },
    rate: rateOfClass[tax_class] ?? "",
  };
}

/** The purchase as its form shows it. */
export function valuesOf({ purchase, products }: PurchaseDetail): PurchaseValues {
  const byId = new Map(products.map((product) => [product.id, product]));
  const [freight] = purchase.charges;
  return {
    ...emptyPurchase(purchase.supplier_id),
    warehouse_id: purchase.warehouse_id,
    invoice_number: purchase.invoice_number ?? "",
    invoice_date: purchase.invoice_date ?? "",
    due_date: purchase.due_date ?? "",
    notes: purchase.notes ?? "",
    freight: freight?.amount ?? "",
    freight_by: freight?.spread_by === "quantity" ? "quantity" : "value",
    freight_own: freight?.in_invoice ?? true,
    lines: purchase.lines.map((line) => {
      const iva = line.taxes.find(({ code, rate }) => code === "01" && rate !== null);
      return {
        key: line.id,
        product_id: line.product_id ?? "",
        name: byId.get(line.product_id ?? "")?.name ?? line.description,
        base_unit: byId.get(line.product_id ?? "")?.base_unit ?? "und",
        supplier_code: line.supplier_code ?? "",
        ...{ unit: line.unit, factor: line.factor, quantity: line.quantity, unit_cost: line.unit_cost },
        discount: line.discount > 0 ? line.discount : "",
        rate: iva ? String(iva.rate) : "",
        others: line.taxes.flatMap(({ code, rate, amount }) =>
          code === iva?.code ? [] : [{ code: code as FormLine["others"][number]["code"], rate, amount }],
        ),
      };
    }),
  };
}

/** As the service takes it. An unchanged list of several charges is left as it is. */
export function bodyOf(values: PurchaseValues) {
  const { supplier_id, warehouse_id, invoice_number, invoice_date, due_date, notes, lines, freight } = values;
  const { freight_by: spread_by, freight_own: in_invoice } = values;
  return {
    supplier_id,
    ...(warehouse_id !== null && { warehouse_id }),
    invoice_number: invoice_number.trim() || null,
    invoice_date: invoice_date || null,
    due_date: due_date || null,
    notes: notes.trim() || null,
    lines: lines.map(sentLine),
    charges: Number(freight) > 0 ? [{ description: "Flete", amount: Number(freight), spread_by, in_invoice }] : [],
  };
}

function sentLine({ product_id, supplier_code, unit, factor, quantity, unit_cost, discount, rate, others }: FormLine) {
  return {
    product_id,
    ...(supplier_code.trim() !== "" && { supplier_code: supplier_code.trim() }),
    unit: unit.trim(),
    factor: Number(factor),
    quantity: Number(quantity),
    unit_cost: Number(unit_cost),
    discount: Number(discount) || 0,
    taxes: [...(rate === "" ? [] : [{ code: "01", rate: Number(rate) }]), ...others],
  };
}

/** The sums while it is typed, by the arithmetic of the service. */
export function sumsOf({ lines, freight, freight_own }: Pick<PurchaseValues, "lines" | "freight" | "freight_own">) {
  const amount = Number(freight) || 0;
  const charges = [
    {
      ...{ object: "purchase_charge" as const, id: "", description: "Flete", amount, tax: 0 },
      ...{ spread_by: "value" as const, in_invoice: freight_own },
    },
  ];
  const computed = linesOf(
    lines.filter(isWhole).map((line) => ({
      ...{ id: line.key, product_id: line.product_id, variant_id: null, supplier_code: null, description: line.name },
      ...{ unit: line.unit, factor: Number(line.factor), quantity: Number(line.quantity) },
      ...{ unit_cost: Number(line.unit_cost), discount: Number(line.discount) || 0, weight: null },
      taxes: [...(line.rate === "" ? [] : [{ code: "01", rate: Number(line.rate) }]), ...line.others],
    })),
    charges,
    true,
  );
  return {
    ...totalsOf({ lines: computed, charges, rounding: 0 }),
    lines: new Map(computed.map((one) => [one.id, one])),
  };
}

export const isWhole = ({ product_id, quantity, factor, unit_cost }: FormLine): boolean =>
  product_id !== "" && Number(quantity) > 0 && Number(factor) > 0 && unit_cost !== "" && Number(unit_cost) >= 0;
