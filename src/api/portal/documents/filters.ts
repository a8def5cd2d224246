import type { Static } from "typebox";
import { invoiceStatuses } from "../../../business/invoices/schema.ts";
import { bound, oneOf, page, text, uuid } from "../../../engine/resources/fields.ts";
import { equal, since, until } from "../../../engine/resources/filters.ts";
import type { Condition } from "../../../engine/resources/read-list.ts";
import { Type } from "../../../lib/schema.ts";
import { allDocumentTypes } from "../../../taxes/document-types.ts";
import { numbered } from "../tables/conditions.ts";

const documentFilters = {
  issued_since: bound("Con fecha desde este instante, inclusive."),
  issued_until: bound("Con fecha antes de este instante."),
  status: Type.Optional(oneOf(invoiceStatuses)),
  document_type: Type.Optional(oneOf(allDocumentTypes)),
  number: Type.Optional(text(40, { minLength: 1 })),
  /** The buyer. */
  customer_id: Type.Optional(uuid()),
};

const closed = { additionalProperties: false };
export const DocumentFilters = Type.Object(documentFilters, closed);
export type DocumentFilters = Static<typeof DocumentFilters>;
export const DocumentListQuery = Type.Object({ ...page, ...documentFilters }, closed);

/** The documents of an account that pass the filters, as conditions on the table `invoices`. */
export function documentConditions(accountId: string, query: DocumentFilters): Condition[] {
  return [
    { sql: "account_id = ?", values: [accountId] },
    ...since("issued_at", query.issued_since),
    ...until("issued_at", query.issued_until),
    ...equal("status", query.status),
    ...equal("document_type", query.document_type),
    ...numbered(query.number),
    ...boughtBy(accountId, query.customer_id),
  ];
}

function boughtBy(accountId: string, customerId: string | undefined): Condition[] {
  if (customerId === undefined) return [];
  return [
    {
      sql: "sale_id in (select id from sales where account_id = ? and customer_id = ?)",
      values: [accountId, customerId],
    },
  ];
}
