import { publish } from "../engine/writing/operations.ts";
import { cashSessions } from "./cash-sessions/resource.ts";
import { categoryOperations } from "./categories/operations.ts";
import { categories } from "./categories/resource.ts";
import { customerOperations } from "./customers/operations.ts";
import { customers } from "./customers/resource.ts";
import { createMovement } from "./inventory/create-movement.ts";
import { createProduct } from "./inventory/create-product.ts";
import { stockMovements, warehouses } from "./inventory/resource.ts";
import { NewMovement } from "./inventory/schema.ts";
import { warehouseOperations } from "./inventory/warehouse-operations.ts";
import { invoices } from "./invoices/resource.ts";
import { products } from "./products/resource.ts";
import { NewProduct, ProductChanges } from "./products/schema.ts";
import { updateProduct } from "./products/update-product.ts";
import { quotes } from "./quotes/resource.ts";
import { returns } from "./returns/resource.ts";
import { sales } from "./sales/resource.ts";

/** The only list of resources, in the order of the reference. */
export const registry = [
  publish(customers, customerOperations),
  publish(categories, categoryOperations),
  publish(products, {
    create: {
      body: NewProduct,
      run: createProduct,
      emits: ["product.created", "inventory.movement.created"],
      errors: ["NOT_FOUND", "CONFLICT", "SKU_ALREADY_EXISTS", "NO_WAREHOUSE", "VARIANT_STOCK_UNSUPPORTED"],
    },
    update: {
      body: ProductChanges,
      run: updateProduct,
      errors: ["SKU_ALREADY_EXISTS", "DEVICES_OUTDATED"],
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
];

export type ResourceName = (typeof registry)[number]["resource"]["name"];

export const resources = registry.map(({ resource }) => resource);
