import { Type } from "../../lib/schema.ts";
import type { Json } from "../api-calls.ts";

const inPesos = new Intl.NumberFormat("es-CO", { maximumFractionDigits: 0 });

/** `$1.000`, as people write it here. */
export function pesos(amount: number): string {
  return `${amount < 0 ? "-" : ""}$${inPesos.format(Math.abs(amount))}`;
}

/** A calendar day of Colombia. */
export function dayField(description: string) {
  return Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: `${description} Se escribe 2026-09-28.` });
}

/** The instants between which a day of Colombia lies. */
export const startOfDay = (day: string) => `${day}T00:00:00-05:00`;

export const maxShown = 20;

export function limitField(most = maxShown) {
  return Type.Optional(
    Type.Integer({ minimum: 1, maximum: most, description: `Cuántos, de 1 a ${most}; por omisión, 10.` }),
  );
}

export const defaultShown = 10;

/** What it takes to recognize a product and say what it costs. */
export function shortProduct(product: Json): object {
  const { id, name, sku, final_price, base_price, percent_discount, stock, base_unit, active, has_variants } = product;
  return {
    ...{ id, name, sku, final_price, base_price, percent_discount, stock, base_unit, active },
    ...(product.barcodes?.length > 0 && { barcodes: product.barcodes.map(({ code }: Json) => code) }),
    ...(has_variants && {
      variants: product.variants.map((one: Json) => ({
        ...{ id: one.id, label: one.label, sku: one.sku, final_price: one.final_price, active: one.active },
      })),
    }),
  };
}

export function shortCustomer(customer: Json): object {
  const { id, name, last_name, document_type, document_number, email, phone } = customer;
  return { id, name, last_name, document_type, document_number, email, phone };
}
