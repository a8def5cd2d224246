import { randomUUID } from "node:crypto";
import type { Draft } from "./register.ts";

const items: [name: string, price: number, taxClass: string, unit: string][] = [
  ["Gaseosa 400 ml", 3200, "standard", "und"],
  ["Cerveza lata", 3600, "standard", "und"],
  ["Papas 105 g", 6900, "standard", "und"],
  ["Aceite 1 L", 11900, "standard", "und"],
  ["Azúcar kg", 4350, "reduced_5", "und"],
  ["Café 250 g", 15900, "reduced_5", "und"],
  ["Leche 1 L", 4700, "exempt", "und"],
  ["Queso campesino", 27800, "exempt", "kg"],
  ["Papa", 2600, "excluded", "kg"],
  ["Tomate", 3900, "excluded", "kg"],
  ["Bolsa", 0, "bag", "und"],
  ["Domicilio", 5000, "service_19", "und"],
];

/** The products of a shop that has none yet, created at its first register, and a warehouse where the account has none. */
export function starterCatalog(hasWarehouse = false): Draft[] {
  const warehouse = {
    type: "warehouse",
    id: randomUUID(),
    data: { name: "Principal", address: "Cra 45 # 12-34", city: "Medellín", is_default: true, active: true },
  };
  const products = items.map(([name, price, taxClass, unit]) => ({
    type: "product",
    id: randomUUID(),
    data: {
      name,
      base_price: price,
      final_price: price,
      percent_discount: 0,
      tax_class: taxClass,
      base_unit: unit,
      sold_by_weight: unit === "kg",
      variants: [],
    },
  }));
  return hasWarehouse ? products : [warehouse, ...products];
}
