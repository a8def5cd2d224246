import type { Static } from "typebox";
import {
  constant,
  exactText,
  includeDeleted,
  instant,
  label,
  line,
  listQuery,
  nullable,
  oneOf,
  optional,
  price,
  recordVersion,
  searchQuery,
  text,
  uuid,
  webAddress,
} from "../../engine/resources/fields.ts";
import { externalIdFilter, newOwnFields, ownFieldChanges, ownFields } from "../../engine/resources/own-fields.ts";
import { Type } from "../../lib/schema.ts";
import { taxClasses } from "../../taxes/tax-classes.ts";
import { NewBarcodes, ProductBarcode } from "./barcodes.ts";

export const baseUnits = ["und", "g", "kg", "lb", "oz", "ml", "l", "doc"] as const;
export const productKinds = ["simple", "composite"] as const;

const at = "2026-09-28T19:05:09.120Z";

export const ProductVariant = Type.Object(
  {
    object: constant("product_variant"),
    id: uuid(),
    product_id: uuid(),
    label: Type.String({ description: "Nombre de la variante, por ejemplo talla y color." }),
    sku: nullable(Type.String()),
    base_price: Type.Integer(),
    final_price: Type.Integer({ description: "Precio de la variante; con 0 la caja usa el del producto." }),
    percent_discount: Type.Number(),
    images: Type.Array(Type.String()),
    is_default: Type.Boolean(),
    active: Type.Boolean(),
    created_at: instant(),
    updated_at: instant(),
    deleted_at: nullable(instant()),
  },
  {
    $id: "product_variant",
    examples: [
      {
        object: "product_variant",
        id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c31",
        product_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c13",
        label: "Talla M",
        sku: "CAM-M",
        base_price: 45000,
        final_price: 45000,
        percent_discount: 0,
        images: [],
        is_default: true,
        active: true,
        created_at: at,
        updated_at: at,
        deleted_at: null,
      },
    ],
  },
);
export type ProductVariant = Static<typeof ProductVariant>;

export const Product = Type.Object(
  {
    object: constant("product"),
    id: uuid(),
    name: Type.String(),
    description: Type.String(),
    description_short: Type.String(),
    sku: nullable(Type.String()),
    category_id: nullable(uuid()),
    kind: oneOf(productKinds, {
      description: "Un producto `composite` se arma con una receta y no descuenta existencias propias.",
    }),
    sellable: Type.Boolean({ description: "`false`: ingrediente que no se vende solo." }),
    active: Type.Boolean(),
    tax_class: oneOf(taxClasses),
    base_price: Type.Integer({ description: "Precio de lista, antes del descuento propio." }),
    final_price: Type.Integer({ description: "Precio al que vende la caja." }),
    percent_discount: Type.Number({ description: "Descuento sobre `base_price`, de 0 a 100." }),
    base_unit: oneOf(baseUnits),
    sold_by_weight: Type.Boolean(),
    stock: nullable(
      Type.Integer({
        description: "Existencias en unidades base, redondeadas hacia abajo; null si es compuesto o tiene variantes.",
      }),
    ),
    unit_cost: Type.Number({
      description:
        "Costo promedio por unidad base: el de todas las entradas que llegaron con costo, también las de lo que ya se vendió, cada una según su cantidad. Sin ninguna, el costo que se dio al crear el producto.",
    }),
    image_url: nullable(Type.String({ format: "uri" })),
    images: Type.Array(Type.String()),
    has_variants: Type.Boolean(),
    variants: Type.Array(ProductVariant),
    // Records stored before it have none, until they are written again.
    barcodes: Type.Optional(
      Type.Array(ProductBarcode, {
        description: "Otros códigos del producto y sus presentaciones, además de `sku`. Sin el campo, ninguno.",
      }),
    ),
    ...ownFields,
    created_at: instant(),
    updated_at: instant(),
    deleted_at: nullable(instant()),
    version: recordVersion,
  },
  {
    $id: "product",
    examples: [
      {
        object: "product",
        id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c13",
        name: "Gaseosa cola 400 ml",
        description: "",
        description_short: "",
        sku: "7702535011089",
        category_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c12",
        kind: "simple",
        sellable: true,
        active: true,
        tax_class: "standard",
        base_price: 3200,
        final_price: 3200,
        percent_discount: 0,
        base_unit: "und",
        sold_by_weight: false,
        stock: 48,
        unit_cost: 2100,
        image_url: null,
        images: [],
        has_variants: false,
        variants: [],
        barcodes: [{ code: "17702535011086", units: 24, name: "Caja x24", price: 72000, variant_id: null }],
        external_id: "shop-8841",
        metadata: { pasillo: "3" },
        created_at: at,
        updated_at: at,
        deleted_at: null,
        version: 1,
      },
    ],
  },
);
export type Product = Static<typeof Product>;

const sku = line(100);
const percent = Type.Number({ minimum: 0, maximum: 100 });
const images = Type.Array(webAddress(2000), { maxItems: 10 });

export const maxVariants = 100;

export const NewVariant = Type.Object(
  {
    label: label(120),
    sku: optional(sku),
    base_price: optional(
      price({ description: "Precio de lista; por omisión, `final_price`. Con 0 la caja usa el precio del producto." }),
    ),
    final_price: optional(price({ description: "Por omisión, `base_price` menos `percent_discount`." })),
    percent_discount: optional(percent),
    images: optional(images),
    is_default: optional(Type.Boolean()),
    active: optional(Type.Boolean()),
  },
  { additionalProperties: false, examples: [{ label: "Talla M", sku: "CAM-M", final_price: 45000 }] },
);
export type NewVariant = Static<typeof NewVariant>;

export const VariantChanges = Type.Object(
  {
    label: Type.Optional(label(120)),
    sku: Type.Optional(nullable(sku)),
    base_price: Type.Optional(price()),
    final_price: Type.Optional(price()),
    percent_discount: Type.Optional(percent),
    images: Type.Optional(images),
    is_default: Type.Optional(Type.Boolean()),
    active: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, minProperties: 1, examples: [{ final_price: 4200, active: true }] },
);
export type VariantChanges = Static<typeof VariantChanges>;

/** At most one variant is the default one; the refusal names the second. */
const oneDefault = {
  contains: { required: ["is_default"], properties: { is_default: { const: true } } },
  minContains: 0,
  maxContains: 1,
};

export const NewProduct = Type.Object(
  {
    name: label(200),
    base_price: price(),
    description: optional(text(5000)),
    description_short: optional(text(300)),
    sku: optional(sku),
    category_id: optional(uuid()),
    final_price: optional(price({ description: "Por omisión, `base_price` menos `percent_discount`." })),
    percent_discount: optional(percent),
    tax_class: optional(oneOf(taxClasses)),
    base_unit: optional(oneOf(baseUnits)),
    sold_by_weight: optional(Type.Boolean()),
    sellable: optional(Type.Boolean()),
    active: optional(Type.Boolean()),
    unit_cost: optional(Type.Number({ minimum: 0, maximum: 999_999_999_999 })),
    images: optional(images),
    variants: optional(Type.Array(NewVariant, { maxItems: maxVariants, "x-documented": oneDefault })),
    barcodes: optional(NewBarcodes),
    ...newOwnFields,
    initial_stock: optional(Type.Integer({ minimum: 0, maximum: 999_999_999 })),
    warehouse_id: optional(
      uuid({ description: "Bodega de las existencias iniciales; por omisión, la predeterminada." }),
    ),
  },
  {
    additionalProperties: false,
    "x-hints": {
      stock: "`stock` no se escribe directamente. Use `initial_stock` al crear y POST /inventory/movements después.",
      kind: "`kind` no se envía: por la API solo se crean productos `simple`.",
    },
    examples: [
      { name: "Gaseosa cola 400 ml", base_price: 3200, sku: "7702535011089", initial_stock: 48, unit_cost: 2100 },
    ],
  },
);
export type NewProduct = Static<typeof NewProduct>;

const useMovements = "Las existencias no se editan aquí. Registre la diferencia con POST /inventory/movements.";
const keptByRegister = (name: string) =>
  `\`${name}\` no se puede cambiar: cada caja conserva la suya. Cree otro producto; para las existencias use POST /inventory/movements.`;

export const ProductChanges = Type.Object(
  {
    name: Type.Optional(label(200)),
    description: Type.Optional(text(5000)),
    description_short: Type.Optional(text(300)),
    sku: Type.Optional(nullable(sku)),
    category_id: Type.Optional(nullable(uuid())),
    base_price: Type.Optional(price()),
    final_price: Type.Optional(price()),
    percent_discount: Type.Optional(percent),
    tax_class: Type.Optional(oneOf(taxClasses)),
    active: Type.Optional(Type.Boolean()),
    sellable: Type.Optional(Type.Boolean()),
    barcodes: Type.Optional(NewBarcodes),
    ...ownFieldChanges,
  },
  {
    additionalProperties: false,
    minProperties: 1,
    "x-hints": {
      stock: useMovements,
      base_unit: keptByRegister("base_unit"),
      sold_by_weight: keptByRegister("sold_by_weight"),
      kind: keptByRegister("kind"),
    },
    examples: [{ base_price: 3400, active: true }],
  },
);
export type ProductChanges = Static<typeof ProductChanges>;

export const ProductQuery = listQuery({
  active: Type.Optional(Type.Boolean({ description: "Solo activos (`true`) o inactivos (`false`)." })),
  category_id: Type.Optional(uuid({ description: "Productos de esa categoría." })),
  sku: exactText(100, { description: "SKU exacto del producto o de una de sus variantes." }),
  barcode: exactText(100, {
    description: "Cualquier código exacto del producto: su SKU, el de una variante o uno de `barcodes`.",
  }),
  ...externalIdFilter,
  q: searchQuery,
  include_deleted: includeDeleted,
});
export type ProductQuery = Static<typeof ProductQuery>;
