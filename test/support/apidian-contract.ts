// What APIDIAN asks of a request and what the authority computes with it, as data of our own: read from its published
// rules, tables and templates, and kept apart from the adapter, so that both can disagree.

// biome-ignore lint/suspicious/noExplicitAny: what a provider receives is read as data
type Json = any;

type Kind = 1 | 4 | 15 | 26;
type Check = (value: Json) => boolean;

const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

/** The rows of the provider's tables that matter here. */
export const tables = {
  taxes: upTo(15),
  units: [70, 636, 692, 767, 802, 821, 852, 907],
  paymentMethods: upTo(75),
  paymentForms: [1, 2],
  identifications: upTo(10),
  organizations: [1, 2],
  regimes: [1, 2],
  liabilities: [7, 9, 14, 112, 117],
  referencePrices: [1, 2, 3],
  chargeTypes: [1, 2, 3, 4],
  itemCodes: [1, 2, 3, 4],
  noteOperations: [7, 8, 12, 30, 31, 32],
} as const;

const text: Check = (value) => typeof value === "string" && value.trim() !== "";
const numeric: Check = (value) =>
  value !== "" && value !== null && typeof value !== "boolean" && Number.isFinite(Number(value));
const whole: Check = (value) => numeric(value) && Number.isInteger(Number(value));
const truth: Check = (value) => typeof value === "boolean";
const rows: Check = (value) => Array.isArray(value) && value.length > 0;
const day: Check = (value) =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
const time: Check = (value) => typeof value === "string" && /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(value);
const oneOf =
  (list: readonly number[]): Check =>
  (value) =>
    list.includes(Number(value));
const all: readonly Kind[] = [1, 4, 15, 26];

/** Path, the kinds of document that need it, and what it must be wherever it is. */
export const requirements: readonly (readonly [path: string, needed: readonly Kind[], check: Check])[] = [
  ["type_document_id", all, oneOf(all)],
  ["number", all, whole],
  ["date", all, day],
  ["time", all, time],
  ["postal_zone_code", [15], numeric],
  ["software_manufacturer.name", [15], text],
  ["software_manufacturer.business_name", [15], text],
  ["software_manufacturer.software_name", [15], text],
  ["buyer_benefits.code", [15], text],
  ["buyer_benefits.name", [15], text],
  ["buyer_benefits.points", [15], text],
  ["cash_information.plate_number", [15], text],
  ["cash_information.location", [15], text],
  ["cash_information.cashier", [15], text],
  ["cash_information.cash_type", [15], text],
  ["cash_information.sales_code", [15], text],
  ["cash_information.subtotal", [15], numeric],
  ["customer.identification_number", all, (value) => /^[\p{L}\p{N}]{1,15}$/u.test(String(value))],
  ["customer.name", all, text],
  ["customer.phone", [], (value) => typeof value === "string" && value.length <= 20],
  ["customer.email", [], (value) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)],
  ["customer.type_document_identification_id", [], oneOf(tables.identifications)],
  ["customer.type_organization_id", [], oneOf(tables.organizations)],
  ["customer.type_regime_id", [], oneOf(tables.regimes)],
  ["customer.type_liability_id", [], oneOf(tables.liabilities)],
  ["payment_form.payment_form_id", [], oneOf(tables.paymentForms)],
  ["payment_form.payment_method_id", [], oneOf(tables.paymentMethods)],
  ["payment_form.payment_due_date", [], day],
  ["payment_form.duration_measure", [], (value) => /^\d{1,3}$/.test(String(value))],
  ["allowance_charges.*.charge_indicator", all, truth],
  ["allowance_charges.*.allowance_charge_reason", all, text],
  ["allowance_charges.*.amount", all, numeric],
  ["allowance_charges.*.base_amount", all, numeric],
  ["allowance_charges.*.type_discount_id", [], oneOf(tables.chargeTypes)],
  ...taxes("tax_totals.*"),
  ["legal_monetary_totals.line_extension_amount", all, numeric],
  ["legal_monetary_totals.tax_exclusive_amount", all, numeric],
  ["legal_monetary_totals.tax_inclusive_amount", all, numeric],
  ["legal_monetary_totals.payable_amount", all, numeric],
  ["billing_reference.number", [4, 26], text],
  ["billing_reference.uuid", [4, 26], (value) => typeof value === "string" && value.length === 96],
  ["billing_reference.issue_date", [4, 26], day],
  ["billing_reference.type_document_id", [26], oneOf(upTo(24).slice(14))],
  ["discrepancyresponsecode", [], oneOf(upTo(6))],
  ["type_operation_id", [], oneOf(tables.noteOperations)],
  ["is_eqdoc", [26], truth],
  ["invoice_lines", [1, 15], rows],
  ...lines("invoice_lines", [1, 15]),
  ["credit_note_lines", [4, 26], rows],
  ...lines("credit_note_lines", [4, 26]),
];

function taxes(path: string) {
  return [
    [`${path}.tax_id`, all, oneOf(tables.taxes)],
    [`${path}.tax_amount`, all, numeric],
    [`${path}.taxable_amount`, all, numeric],
    [`${path}.percent`, all, numeric],
    [`${path}.unit_measure_id`, [], oneOf(tables.units)],
    [`${path}.per_unit_amount`, [], numeric],
    [`${path}.base_unit_measure`, [], numeric],
  ] as const;
}

function lines(path: string, needed: readonly Kind[]) {
  return [
    [`${path}.*.unit_measure_id`, needed, oneOf(tables.units)],
    [`${path}.*.invoiced_quantity`, needed, numeric],
    [`${path}.*.line_extension_amount`, needed, numeric],
    [`${path}.*.free_of_charge_indicator`, needed, truth],
    [`${path}.*.reference_price_id`, [], oneOf(tables.referencePrices)],
    [`${path}.*.description`, needed, text],
    [`${path}.*.code`, needed, text],
    [`${path}.*.type_item_identification_id`, needed, oneOf(tables.itemCodes)],
    [`${path}.*.price_amount`, needed, numeric],
    [`${path}.*.base_quantity`, needed, numeric],
    [`${path}.*.allowance_charges.*.charge_indicator`, needed, truth],
    [`${path}.*.allowance_charges.*.allowance_charge_reason`, needed, text],
    [`${path}.*.allowance_charges.*.amount`, needed, numeric],
    [`${path}.*.allowance_charges.*.base_amount`, needed, numeric],
    ...taxes(`${path}.*.tax_totals.*`),
  ] as const;
}

/** The fields that the provider refuses, as it lists them in a 422. */
export function refusals(body: Json): Record<string, string[]> {
  const kind = body.type_document_id as Kind;
  const errors: Record<string, string[]> = {};
  for (const [path, needed, check] of requirements)
    for (const [at, value] of valuesAt(body, path.split(".")))
      if (value === undefined ? needed.includes(kind) : !check(value))
        errors[at] = [`El campo ${at} ${value === undefined ? "es obligatorio" : "no es válido"}.`];
  const free = [...(body.invoice_lines ?? []), ...(body.credit_note_lines ?? [])];
  free.forEach((line: Json, i: number) => {
    if (line.free_of_charge_indicator === true && line.reference_price_id === undefined)
      errors[`lines.${i}.reference_price_id`] = ["El campo es obligatorio."];
    for (const tax of line.tax_totals ?? [])
      if (
        Number(tax.tax_id) === 10 &&
        [tax.unit_measure_id, tax.per_unit_amount, tax.base_unit_measure].includes(undefined)
      )
        errors[`lines.${i}.tax_totals`] = ["La bolsa necesita sus unidades."];
  });
  const { identification_number, dv, type_document_identification_id } = body.customer ?? {};
  if (type_document_identification_id === 6 && dv === undefined) errors["customer.dv"] = ["El campo es obligatorio."];
  if (dv !== undefined && Number(dv) !== checkDigit(String(identification_number)))
    errors["customer.dv"] = ["El dígito de verificación no corresponde."];
  return errors;
}

function valuesAt(value: Json, [step, ...rest]: string[], at = ""): [string, Json][] {
  if (step === undefined) return [[at, value]];
  if (step === "*") return Array.isArray(value) ? value.flatMap((one, i) => valuesAt(one, rest, `${at}.${i}`)) : [];
  const path = at === "" ? step : `${at}.${step}`;
  const inner = value?.[step];
  // Of a part that is not there, only its own requirement speaks; a missing required parent is told by its fields.
  if (inner === undefined && rest.includes("*")) return [];
  return valuesAt(inner, rest, path);
}

/** Modulo 11 with the authority's primes, from the right. */
function checkDigit(number: string): number {
  const primes = [3, 7, 13, 17, 19, 23, 29, 37, 41, 43, 47, 53, 59, 67, 71];
  const rest = [...number].reverse().reduce((sum, digit, i) => sum + Number(digit) * primes[i]!, 0) % 11;
  return rest < 2 ? rest : 11 - rest;
}

/** Every computed amount may be two pesos off. */
const tolerance = 2;

/** The authority's rules that a request breaks, over the amounts as the provider prints them: with two decimals. */
export function rejections(body: Json): string[] {
  const broken: string[] = [];
  const must = (rule: string, expected: number, got: number, where: string) => {
    if (Math.abs(expected - got) > tolerance + 1e-6)
      broken.push(`Regla: ${rule}, Rechazo: ${where}: ${expected} ≠ ${got}`);
  };
  const entries: Json[] = body.invoice_lines ?? body.credit_note_lines;
  for (const [i, line] of entries.entries()) {
    const where = `línea ${i + 1}`;
    // What is given away is worth nothing; its price is only a reference.
    const price = line.free_of_charge_indicator ? 0 : printed(line.price_amount);
    must("FAV06", price * Number(line.base_quantity) + charges(line), printed(line.line_extension_amount), where);
    for (const tax of line.tax_totals) must("FAX07", taxOf(tax), printed(tax.tax_amount), where);
  }
  for (const tax of body.tax_totals) must("FAS07", taxOf(tax), printed(tax.tax_amount), "documento");
  const totals = body.legal_monetary_totals;
  const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
  const net = printed(totals.line_extension_amount);
  must("FAU02", sum(entries.map((line) => printed(line.line_extension_amount))), net, "valor bruto");
  const base = (line: Json) => Math.max(0, ...line.tax_totals.map((tax: Json) => printed(tax.taxable_amount)));
  must("FAU04", sum(entries.map(base)), printed(totals.tax_exclusive_amount), "bases");
  const taxed = net + sum(body.tax_totals.map((tax: Json) => printed(tax.tax_amount)));
  must("FAU06", taxed, printed(totals.tax_inclusive_amount), "con tributos");
  must("FAU14", printed(totals.tax_inclusive_amount) + charges(body), printed(totals.payable_amount), "a pagar");
  for (const charge of [
    ...(body.allowance_charges ?? []),
    ...entries.flatMap((line) => line.allowance_charges ?? []),
  ]) {
    const percent = Number(((printed(charge.amount) / printed(charge.base_amount)) * 100).toFixed(2));
    must("cargo", (printed(charge.base_amount) * percent) / 100, printed(charge.amount), "descuento o cargo");
  }
  const lineTaxes = sum(entries.flatMap((line) => line.tax_totals.map((tax: Json) => printed(tax.tax_amount))));
  must(
    "tributos",
    lineTaxes,
    sum(body.tax_totals.map((tax: Json) => printed(tax.tax_amount))),
    "tributos de las líneas",
  );
  return broken;
}

function taxOf(tax: Json): number {
  if (tax.per_unit_amount !== undefined) return printed(tax.per_unit_amount) * Number(tax.base_unit_measure);
  return (printed(tax.taxable_amount) * Number(tax.percent)) / 100;
}

function charges(part: Json): number {
  return (part.allowance_charges ?? []).reduce(
    (total: number, one: Json) => total + (one.charge_indicator ? 1 : -1) * printed(one.amount),
    0,
  );
}

function printed(amount: string): number {
  return Number(Number(amount).toFixed(2));
}
