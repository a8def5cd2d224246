import { cashSessionStatuses } from "../../../business/cash-sessions/schema.ts";
import { invoiceDocumentTypes, invoiceStatuses } from "../../../business/invoices/schema.ts";
import { baseUnits, productKinds } from "../../../business/products/schema.ts";
import { quoteStatuses } from "../../../business/quotes/schema.ts";
import { resources } from "../../../business/registry.ts";
import { documentKinds } from "../../../business/sales/schema.ts";
import type { Resource } from "../../../engine/resources/resource.ts";
import { type Fields, type Finding, finding } from "../../../fiscal/findings/finding.ts";
import { taxClasses } from "../../../taxes/tax-classes.ts";
import type { RecordType } from "../protocol.ts";

/** A field whose values are published as a closed list, and the one it takes when a register knows another. */
interface Choice {
  field: string;
  values: readonly (string | null)[];
  otherwise: string;
}

const choice = (field: string, values: readonly string[], otherwise: string): Choice => ({ field, values, otherwise });

const choices: Partial<Record<RecordType, readonly Choice[]>> = {
  ...Object.fromEntries(resources.filter(({ merged }) => merged).map((one) => [one.name, choicesOf(one)])),
  product: [
    choice("kind", productKinds, "simple"),
    choice("tax_class", taxClasses, "standard"),
    choice("base_unit", baseUnits, "und"),
  ],
  sale: [choice("document_kind", documentKinds, "pos")],
  // A state that nobody knows announces nothing: neither a document's verdict nor a shift's end.
  invoice: [choice("document_type", invoiceDocumentTypes, "other"), choice("status", invoiceStatuses, "pending")],
  cash_session: [choice("status", cashSessionStatuses, "open")],
  quote: [choice("status", quoteStatuses, "draft")],
};

/** The closed lists of a resource whose fields are merged one by one; its default stands in for what is not in them. */
function choicesOf({ schema, merged }: Resource): Choice[] {
  const { properties } = schema as unknown as { properties: Record<string, { enum?: (string | null)[] }> };
  return Object.entries(merged!.defaults).flatMap(([field, otherwise]) => {
    const values = properties[field]!.enum;
    return values ? [{ field, values, otherwise: otherwise as string }] : [];
  });
}

/** Money whose way nobody knows is not counted as being in the drawer. */
const cashMovementType = choice("type", ["in", "out"], "out");

/** The upload with a default in place of each value that is not published, and what it said instead. */
export function readKnownValues(type: RecordType, data: Fields): { data: Fields; findings: Finding[] } {
  const findings: Finding[] = [];
  let read = (choices[type] ?? []).reduce((fields, one) => settle(fields, one, one.field, findings), data);
  if (type === "cash_session" && data.movements !== undefined) {
    const movements = (data.movements as Fields[]).map((movement) =>
      settle(movement, cashMovementType, `movements.${String(movement.id)}.type`, findings),
    );
    read = { ...read, movements };
  }
  return { data: read, findings };
}

function settle(fields: Fields, { field, values, otherwise }: Choice, path: string, findings: Finding[]): Fields {
  const value = fields[field];
  if (value === undefined || values.includes(value as string | null)) return fields;
  const published = values.filter((one) => one !== null).join(", ");
  findings.push(finding(path, published, value, `Valor desconocido: se guardó «${otherwise}».`));
  return { ...fields, [field]: otherwise };
}
