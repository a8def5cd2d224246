import { randomUUID } from "node:crypto";
import { enrol, remoteEdit } from "./register.ts";
import type { Service } from "./service.ts";

/** A shop that sells pieces, weights, variants and bags. */
export async function stockMixedShop(service: Service, accountId: string): Promise<void> {
  const till = await enrol(service, accountId, { capabilities: [remoteEdit] });
  const product = (name: string, price: number, fields: object = {}) => ({
    type: "product",
    id: randomUUID(),
    data: {
      ...{
        name,
        base_price: price,
        final_price: price,
        tax_class: "standard",
        base_unit: "und",
        sold_by_weight: false,
      },
      ...{ active: true, sellable: true, variants: [], ...fields },
    },
  });
  const variant = (label: string, i: number) => ({
    id: randomUUID(),
    label,
    final_price: 30_000 + i * 1990,
    active: true,
  });
  const answer = await till.push([
    { type: "warehouse", id: randomUUID(), data: { name: "Principal", is_default: true, active: true } },
    product("Arroz", 4_350, { tax_class: "reduced_5" }),
    product("Bolsa", 300, { tax_class: "bag" }),
    product("Café", 12_990),
    product("Camiseta", 30_000, { variants: ["S", "M", "L"].map(variant) }),
    product("Queso", 24_000, { tax_class: "excluded", base_unit: "kg", sold_by_weight: true }),
  ]);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
}
