import type { MergedFields, MergedResource, Resource } from "../engine/resources/resource.ts";
import { type Published, publish } from "../engine/writing/operations.ts";
import { cashSessions } from "./cash-sessions/resource.ts";
import { categoryOperations } from "./categories/operations.ts";
import { categories } from "./categories/resource.ts";
import { customerOperations } from "./customers/operations.ts";
import { customers } from "./customers/resource.ts";
import { createMovement } from "./inventory/create-movement.ts";
import { createProduct, createProducts } from "./inventory/create-product.ts";
import { stockMovements, warehouses } from "./inventory/resource.ts";
import { NewMovement } from "./inventory/schema.ts";
import { warehouseOperations } from "./inventory/warehouse-operations.ts";
import { invoices } from "./invoices/resource.ts";
import { locations } from "./locations/resource.ts";
import { orderOperations } from "./orders/operations.ts";
import { orders } from "./orders/resource.ts";
import { products } from "./products/resource.ts";
import { NewProduct, ProductChanges } from "./products/schema.ts";
import { updateProduct } from "./products/update-product.ts";
import { purchaseOperations } from "./purchases/operations.ts";
import { purchases } from "./purchases/resource.ts";
import { quotes } from "./quotes/resource.ts";
import { returns } from "./returns/resource.ts";
import { sales } from "./sales/resource.ts";
import { supplierOperations } from "./suppliers/operations.ts";
import { suppliers } from "./suppliers/resource.ts";

/** The only list of resources, in the order of the reference. */
export const registry = [
  publish(customers, customerOperations),
  publish(categories, categoryOperations),
  publish(products, {
    create: {
      body: NewProduct,
      run: (write, input: NewProduct) => createProduct(write, input),
      batch: createProducts,
      emits: ["product.created", "inventory.movement.created"],
      errors: ["NOT_FOUND", "CONFLICT", "SKU_ALREADY_EXISTS", "NO_WAREHOUSE", "VARIANT_STOCK_UNSUPPORTED"],
    },
    update: {
      body: ProductChanges,
      run: updateProduct,
      errors: ["CONFLICT", "SKU_ALREADY_EXISTS", "DEVICES_OUTDATED"],
    },
  }),
  publish(sales),
  publish(returns),
  publish(invoices),
  publish(stockMovements, {
    create: {
      body: NewMovement,
      run: createMovement,
      emits: ["inventory.movement.created"],
      errors: ["NOT_FOUND", "CONFLICT", "NO_WAREHOUSE", "VARIANT_STOCK_UNSUPPORTED", "COMPOSITE_STOCK_UNSUPPORTED"],
      verb: "Registrar",
    },
  }),
  publish(warehouses, warehouseOperations),
  publish(cashSessions),
  publish(quotes),
  publish(orders, orderOperations),
  publish(locations),
  publish(suppliers, supplierOperations),
  publish(purchases, purchaseOperations),
];

type Registered = (typeof registry)[number]["resource"];
export type ResourceName = Registered["name"];
type MergedName = Extract<Registered, { merged: MergedFields }>["name"];

export const resources = registry.map(({ resource }) => resource);

/** An entry for each kind that is merged field by field. A table by kind of record has the others written out. */
export function forMerged<T>(make: (resource: MergedResource) => T): Record<MergedName, T> {
  const isMerged = (one: Resource): one is MergedResource => one.merged !== undefined;
  const all: readonly Resource[] = resources;
  const entries = all.filter(isMerged).map((one) => [one.name, make(one)]);
  return Object.fromEntries(entries) as Record<MergedName, T>;
}

/** An entry for each kind of record. */
export function forEach<T>(make: (published: Published) => T): Record<ResourceName, T> {
  return Object.fromEntries(registry.map((one) => [one.resource.name, make(one)])) as Record<ResourceName, T>;
}
