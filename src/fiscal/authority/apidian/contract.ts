import type { TypeDocumentId } from "../../content/document-content.ts";
import { correctCustomer, correctProfile, correctSale } from "../document-problem.ts";
import * as ids from "./ids.ts";

/** What the provider asks of one field. It answers 422 to a request that does not follow it. */
export interface FieldRule {
  /** `[]` stands for each entry of a list; a rule about an absent entry holds. */
  path: string;
  is: "text" | "amount" | "quantity" | "integer" | "boolean" | "list" | "object";
  /** The kinds of document that must have it. Elsewhere it may be absent. */
  required: readonly TypeDocumentId[];
  /** Required only of entries like these, where it is required at all. */
  when?: (entry: Readonly<Record<string, unknown>>) => boolean;
  /** For a number that is the id of a row. */
  among?: readonly number[];
  matches?: RegExp;
  most?: number;
  /** How a person knows the field. */
  words: string;
  advice: string;
}

const all = [1, 4, 15, 26] as const;
const own = [1, 15] as const;
const notes = [4, 26] as const;
const pos = [15] as const;
const none = [] as const;

const at = (path: string, is: FieldRule["is"], required: FieldRule["required"], words: string, advice: string) => ({
  path,
  is,
  required,
  words,
  advice,
});
const day = /^\d{4}-\d\d-\d\d$/;
const known = (table: Readonly<Record<string, number>>) => [...new Set(Object.values(table))];
const taxes = known(ids.taxIds);
const units = known(ids.unitIds);
const range = "Corrija el rango de numeración en el perfil fiscal y reenvíe el documento.";
const system = "Avise a quien opera Mostrador: es un error del servicio.";

const ofBags: NonNullable<FieldRule["when"]> = ({ tax_id }) => tax_id === ids.taxIds["22"];

const header: readonly FieldRule[] = [
  { ...at("type_document_id", "integer", all, "el tipo de documento", system), among: all },
  at("number", "integer", all, "el número del documento", range),
  { ...at("prefix", "text", none, "el prefijo", range), matches: /^[A-Z0-9]{0,4}$/ },
  { ...at("resolution_number", "text", none, "el número de la resolución", range), matches: /^\S+$/ },
  { ...at("date", "text", all, "la fecha", system), matches: day },
  { ...at("time", "text", all, "la hora", system), matches: /^\d\d:\d\d:\d\d$/ },
  {
    ...at("postal_zone_code", "text", pos, "la zona postal del negocio (6 dígitos)", correctProfile),
    matches: /^\d{6}$/,
  },
  at("customer", "object", all, "el cliente", correctCustomer),
  {
    ...at("customer.identification_number", "text", all, "el número de documento del cliente", correctCustomer),
    matches: /^[\p{L}\p{N}]{1,15}$/u,
  },
  {
    ...at("customer.dv", "text", all, "el dígito de verificación del cliente", correctCustomer),
    when: (customer) => customer.type_document_identification_id === ids.identificationIds.NIT,
    matches: /^\d$/,
  },
  { ...at("customer.name", "text", all, "el nombre del cliente", correctCustomer), matches: /\S/ },
  { ...at("customer.phone", "text", none, "el teléfono del cliente", correctCustomer), most: 20 },
  { ...at("customer.email", "text", none, "el correo del cliente", correctCustomer), matches: /^[^\s@]+@[^\s@]+$/ },
  {
    ...at(
      "customer.type_document_identification_id",
      "integer",
      all,
      "el tipo de documento del cliente",
      correctCustomer,
    ),
    among: known(ids.identificationIds),
  },
  {
    ...at("customer.type_organization_id", "integer", all, "si el cliente es persona o empresa", correctCustomer),
    among: known(ids.organizations),
  },
  {
    ...at("customer.type_liability_id", "integer", all, "la responsabilidad del cliente", system),
    among: [7, 9, 14, 112, 117],
  },
  { ...at("customer.type_regime_id", "integer", all, "el régimen del cliente", system), among: known(ids.regimes) },
  { ...at("customer.municipality_id", "integer", none, "el municipio del negocio", correctProfile), most: 1_200 },
  {
    ...at("payment_form.payment_form_id", "integer", all, "la forma de pago", correctSale),
    among: known(ids.paymentForms),
  },
  // The provider's table of means has 75 rows.
  { ...at("payment_form.payment_method_id", "integer", all, "el medio de pago", correctSale), most: 75 },
  { ...at("payment_form.payment_due_date", "text", all, "la fecha de pago", system), matches: day },
  { ...at("payment_form.duration_measure", "text", all, "el plazo de pago", system), matches: /^\d{1,3}$/ },
];

const posOnly: readonly FieldRule[] = [
  ...["name", "business_name", "software_name"].map((name) => ({
    ...at(`software_manufacturer.${name}`, "text", pos, "el fabricante del software", correctProfile),
    matches: /\S/,
  })),
  ...["code", "name", "points"].map((name) => ({
    ...at(`buyer_benefits.${name}`, "text", pos, "los beneficios del comprador", system),
    matches: /\S/,
  })),
  { ...at("cash_information.plate_number", "text", pos, "el nombre de la caja", correctSale), matches: /\S/ },
  { ...at("cash_information.location", "text", pos, "la ubicación de la caja", correctProfile), matches: /\S/ },
  { ...at("cash_information.cashier", "text", pos, "el cajero", correctSale), matches: /\S/ },
  { ...at("cash_information.cash_type", "text", pos, "el tipo de caja", correctProfile), matches: /\S/ },
  { ...at("cash_information.sales_code", "text", pos, "el código de la venta", system), matches: /\S/ },
  at("cash_information.subtotal", "amount", pos, "el subtotal de la caja", system),
];

const noteOnly: readonly FieldRule[] = [
  { ...at("billing_reference.number", "text", notes, "el documento que la nota corrige", system), matches: /\S/ },
  {
    ...at("billing_reference.uuid", "text", notes, "el CUFE o CUDE del documento que la nota corrige", system),
    matches: /^[0-9a-f]{96}$/i,
  },
  { ...at("billing_reference.issue_date", "text", notes, "la fecha del documento corregido", system), matches: day },
  {
    ...at("billing_reference.type_document_id", "integer", [26], "el tipo del documento corregido", system),
    among: [15, 16, 17, 18, 19, 20, 21, 22, 23, 24],
  },
  {
    ...at("discrepancyresponsecode", "integer", notes, "el motivo de la nota", system),
    among: [1, 2, 3, 4, 5, 6],
  },
  { ...at("type_operation_id", "integer", notes, "el tipo de operación", system), among: [7, 8, 12, 30, 31, 32] },
  at("is_eqdoc", "boolean", [26], "que la nota es de un documento POS", system),
];

const amounts: readonly FieldRule[] = [
  ...[
    ["line_extension_amount", "el valor antes de impuestos"],
    ["tax_exclusive_amount", "la base de los impuestos"],
    ["tax_inclusive_amount", "el valor con impuestos"],
    ["payable_amount", "el total a pagar"],
  ].map(([name, words]) => at(`legal_monetary_totals.${name}`, "amount", all, words!, correctSale)),
  at("legal_monetary_totals.charge_total_amount", "amount", none, "el total de cargos", correctSale),
  ...charge("allowance_charges[]", none),
  // Of a tip; `discount_id` is another list.
  { ...at("allowance_charges[].type_discount_id", "integer", all, "la clase de cargo", system), among: [1, 2, 3, 4] },
  ...tax("tax_totals[]", all),
];

const lines = (path: string, required: readonly TypeDocumentId[]): readonly FieldRule[] => [
  at(path, "list", required, "las líneas de la venta", correctSale),
  { ...at(`${path}[].unit_measure_id`, "integer", required, "la unidad de medida", correctSale), among: units },
  at(`${path}[].invoiced_quantity`, "quantity", required, "la cantidad", correctSale),
  at(`${path}[].line_extension_amount`, "amount", required, "el valor", correctSale),
  at(`${path}[].free_of_charge_indicator`, "boolean", required, "si se regala", system),
  {
    ...at(`${path}[].reference_price_id`, "integer", required, "la clase de precio de referencia", system),
    when: (line) => line.free_of_charge_indicator === true,
    among: [1, 2, 3],
  },
  { ...at(`${path}[].description`, "text", required, "la descripción", correctSale), matches: /\S/ },
  { ...at(`${path}[].code`, "text", required, "el código", correctSale), matches: /\S/ },
  {
    ...at(`${path}[].type_item_identification_id`, "integer", required, "la clase de código", system),
    among: [1, 2, 3, 4],
  },
  at(`${path}[].price_amount`, "amount", required, "el precio", correctSale),
  at(`${path}[].base_quantity`, "quantity", required, "la cantidad", correctSale),
  ...charge(`${path}[].allowance_charges[]`, required),
  ...tax(`${path}[].tax_totals[]`, required),
];

function charge(path: string, required: FieldRule["required"]): FieldRule[] {
  return [
    at(`${path}.charge_indicator`, "boolean", required, "si es cargo o descuento", system),
    at(`${path}.allowance_charge_reason`, "text", required, "el motivo del descuento", system),
    at(`${path}.amount`, "amount", required, "el valor del descuento o cargo", correctSale),
    at(`${path}.base_amount`, "amount", required, "la base del descuento o cargo", correctSale),
  ];
}

function tax(path: string, required: FieldRule["required"]): FieldRule[] {
  return [
    { ...at(`${path}.tax_id`, "integer", required, "el impuesto", correctSale), among: taxes },
    at(`${path}.tax_amount`, "amount", required, "el valor del impuesto", correctSale),
    at(`${path}.taxable_amount`, "amount", required, "la base del impuesto", correctSale),
    at(`${path}.percent`, "amount", required, "la tarifa del impuesto", correctSale),
    {
      ...at(`${path}.unit_measure_id`, "integer", required, "la unidad del impuesto", system),
      among: units,
      when: ofBags,
    },
    {
      ...at(`${path}.per_unit_amount`, "amount", required, "el valor por unidad del impuesto", correctSale),
      when: ofBags,
    },
    {
      ...at(`${path}.base_unit_measure`, "quantity", required, "las unidades del impuesto", correctSale),
      when: ofBags,
    },
  ];
}

/** Every field that a request of ours may have. */
export const contract: readonly FieldRule[] = [
  ...header,
  ...posOnly,
  ...noteOnly,
  ...amounts,
  ...lines("invoice_lines", own),
  ...lines("credit_note_lines", notes),
];
