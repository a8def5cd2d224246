import { createCategory } from "../../business/categories/operations.ts";
import { setCounterSettings } from "../../business/counter/business-info.ts";
import { createCustomer } from "../../business/customers/operations.ts";
import { customers } from "../../business/customers/resource.ts";
import type { Customer } from "../../business/customers/schema.ts";
import { createProduct } from "../../business/inventory/create-product.ts";
import { findWarehouse } from "../../business/inventory/find-warehouse.ts";
import { warehouses } from "../../business/inventory/resource.ts";
import { createWarehouse } from "../../business/inventory/warehouse-operations.ts";
import type { ProductLedger } from "../../business/products/ledger.ts";
import { products } from "../../business/products/resource.ts";
import type { NewProduct, Product } from "../../business/products/schema.ts";
import { loadMany } from "../../engine/resources/read-one.ts";
import type { Stored } from "../../engine/resources/resource.ts";
import type { Write } from "../../engine/writing/write.ts";
import { type WritingDeps, writing } from "../../engine/writing/writing.ts";
import { must } from "../../lib/must.ts";
import catalog from "./catalog.json" with { type: "json" };
import { people } from "./people.ts";
import type { Chance } from "./random.ts";

/** The shop's products, customers and warehouse. */
export interface Shop {
  products: Map<string, Stored<Product, ProductLedger>>;
  customers: Customer[];
  warehouseId: string;
}

/** Products with variants. */
const withVariants: NewProduct[] = [
  {
    name: "Camiseta La Esquina",
    base_price: 32000,
    variants: ["S", "M", "L", "XL"].map((size) => ({ label: size, sku: `CAM-${size}`, base_price: 32000 })),
  },
  {
    name: "Jugo natural en agua",
    base_price: 5000,
    variants: [
      { label: "Lulo", sku: "JUGO-LULO" },
      { label: "Mora", sku: "JUGO-MORA" },
      { label: "Guanábana", sku: "JUGO-GUAN", base_price: 6000 },
    ],
  },
  {
    name: "Helado de paila",
    base_price: 7000,
    percent_discount: 10,
    variants: [
      { label: "Sencillo", sku: "HEL-1" },
      { label: "Doble", sku: "HEL-2", base_price: 11000 },
    ],
  },
];

/** By SKU: a pack, and the articles as the shop's scale prints them. */
const otherCodes: Record<string, NonNullable<NewProduct["barcodes"]>> = {
  "7709999000017": [{ code: "17709999000014", units: 24, name: "Petaca x24", price: 79_200 }],
  "PLU-2101": [{ code: "2101" }],
  "PLU-2201": [{ code: "2201" }],
};
const counterSettings = {
  ...{ ticket_header: null, ticket_footer: null, color: null, cash_rounding: 0, tip_percent: 0, blind_count: false },
  scale_labels: ["20AAAAAGGGGGC", "21AAAAAPPPPPC"],
};

/** Creates warehouses, categories, products with stock and customers. */
export async function openShop(deps: WritingDeps, accountId: string, chance: Chance): Promise<Shop> {
  const warehouseId = await writing(deps, accountId, (write) => openWarehouses(write));

  const categoryIds = await writing(deps, accountId, (write) => {
    const names = [...new Set([...catalog.map((item) => item.category), "Ropa", "Heladería"])];
    return new Map(names.map((name, i) => [name, createCategory(write, { name, sort_order: (i + 1) * 10 }).id]));
  });

  await setCounterSettings(deps, accountId, counterSettings);
  await addDeletedAndInactive(deps, accountId);
  const productIds: string[] = [];
  const newProducts: NewProduct[] = [
    ...catalog.map((item) => newProduct(item, categoryIds, chance)),
    ...withVariants.map((product, i) => ({
      ...product,
      category_id: must(categoryIds.get(i === 0 ? "Ropa" : "Heladería"), "The demo names categories that it has made"),
    })),
  ];
  for (const input of newProducts) {
    productIds.push((await writing(deps, accountId, (write) => createProduct(write, input))).id);
  }
  const regulars = await writing(deps, accountId, (write) =>
    Promise.all(people.map((person) => createCustomer(write, person))),
  );
  return { products: await loadMany(deps.pool, products, accountId, productIds), customers: regulars, warehouseId };
}

/** The one that the account was born with, and another. */
async function openWarehouses(write: Write): Promise<string> {
  const first = await write.load(warehouses, await findWarehouse(write, undefined));
  const places = [
    { ...first!.body, address: "Cra 45 # 12-34", updated_at: write.at.toISOString() },
    { ...(await createWarehouse(write, { name: "Bodega" })), address: "Cl 10 # 43-20" },
  ];
  for (const place of places) write.put(warehouses, { body: { ...place, city: "Medellín" } });
  return first!.body.id;
}

function newProduct(item: (typeof catalog)[number], categoryIds: Map<string, string>, chance: Chance): NewProduct {
  const stocked = item.tax_class !== "service_19" && item.tax_class !== "passthrough";
  return {
    name: item.name,
    sku: item.sku,
    barcodes: otherCodes[item.sku] ?? [],
    category_id: must(categoryIds.get(item.category), "The demo names categories that it has made"),
    base_price: item.base_price,
    base_unit: item.base_unit as NonNullable<NewProduct["base_unit"]>,
    sold_by_weight: item.sold_by_weight,
    tax_class: item.tax_class as NonNullable<NewProduct["tax_class"]>,
    ...(stocked && {
      initial_stock: item.base_price === 0 ? 2000 : chance.between(60, 240),
      unit_cost: Math.round(item.base_price * (0.6 + chance.between(0, 15) / 100)),
    }),
  };
}

/** A deleted customer and an inactive product, so that include_deleted and active=false have results. */
async function addDeletedAndInactive(deps: WritingDeps, accountId: string): Promise<void> {
  await writing(deps, accountId, async (write) => {
    const duplicate = await createCustomer(write, { name: "Cliente repetido" });
    write.put(customers, { body: { ...duplicate, deleted_at: write.at.toISOString() } });
    await createProduct(write, {
      name: "Gaseosa retirada 250 ml",
      sku: "7702535000000",
      base_price: 1800,
      active: false,
    });
  });
}
