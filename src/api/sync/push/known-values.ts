import { cashSessionStatuses } from "../../../business/cash-sessions/schema.ts";
import { allActKinds } from "../../../business/counter/act-kinds.ts";
import { invoiceStatuses } from "../../../business/invoices/schema.ts";
import { baseUnits, productKinds } from "../../../business/products/schema.ts";
import { quoteStatuses } from "../../../business/quotes/schema.ts";
import { forMerged } from "../../../business/registry.ts";
import { documentKinds } from "../../../business/sales/schema.ts";
import type { MergedResource } from "../../../engine/resources/resource.ts";
import { type Fields, type Finding, finding } from "../../../fiscal/findings/finding.ts";
import { must } from "../../../lib/must.ts";
import { allDocumentTypes } from "../../../taxes/document-types.ts";
import { taxClasses } from "../../../taxes/tax-classes.ts";
import type { RecordType } from "../protocol.ts";

/** An enumerated field, and the value that replaces an unknown one. */
interface Choice {
  field: string;
  values: readonly (string | null)[];
  fallback: string;
}

const choice = (field: string, values: readonly string[], fallback: string): Choice => ({ field, values, fallback });

const choices: Record<RecordType, readonly Choice[]> = {
  ...forMerged(choicesOf),
  product: [
    choice("kind", productKinds, "simple"),
    choice("tax_class", taxClasses, "standard"),
    choice("base_unit", baseUnits, "und"),
  ],
  sale: [choice("document_kind", documentKinds, "pos")],
  // An unknown status must emit no event, so the fallback is the status before any.
  invoice: [choice("document_type", allDocumentTypes, "other"), choice("status", invoiceStatuses, "pending")],
  cash_session: [choice("status", cashSessionStatuses, "open")],
  quote: [choice("status", quoteStatuses, "draft")],
  counter_act: [choice("kind", allActKinds, "other")],
  // What it may say depends on where the order is: see apply-order.ts.
  order: [],
  // A movement's type stays as it came, with a finding: see apply-movement.ts.
  stock_movement: [],
  product_variant: [],
  return: [],
  ticket_mail: [],
  sale_invoice: [],
};

/** The enumerated fields of a resource merged field by field. Its defaults are the fallbacks. */
function choicesOf({ schema, merged }: MergedResource): Choice[] {
  const properties: Record<string, { enum?: (string | null)[] }> = schema.properties;
  return Object.entries(merged.defaults).flatMap(([field, fallback]) => {
    const values = must(properties[field], "A merged field is in the schema").enum;
    return values ? [{ field, values, fallback: fallback as string }] : [];
  });
}

/** Cash of unknown direction must not count as being in the drawer. */
const cashMovementType = choice("type", ["in", "out"], "out");

/** Replaces each unknown value by its fallback and reports it as a finding. */
export function readKnownValues(type: RecordType, data: Fields): { data: Fields; findings: Finding[] } {
  const findings: Finding[] = [];
  let read = choices[type].reduce((fields, one) => normalize(fields, one, one.field, findings), data);
  if (type === "cash_session" && data.movements !== undefined) {
    const movements = (data.movements as Fields[]).map((movement) =>
      normalize(movement, cashMovementType, `movements.${String(movement.id)}.type`, findings),
    );
    read = { ...read, movements };
  }
  return { data: read, findings };
}

function normalize(fields: Fields, { field, values, fallback }: Choice, path: string, findings: Finding[]): Fields {
  const value = fields[field];
  if (value === undefined || values.includes(value as string | null)) return fields;
  const published = values.filter((one) => one !== null).join(", ");
  findings.push(finding(path, published, value, `Valor desconocido: se guardó «${fallback}».`));
  return { ...fields, [field]: fallback };
}
