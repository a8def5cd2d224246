import { equal, since, until } from "../../../engine/resources/filters.ts";
import { atLocations } from "../../../engine/resources/placed.ts";
import type { Condition } from "../../../engine/resources/read-list.ts";
import type { documentList } from "../lists/documents.ts";
import type { Asked } from "../lists/list.ts";
import { numbered } from "../tables/conditions.ts";
import type { OfSedes } from "../tables/sedes.ts";

export type DocumentFilters = Asked<typeof documentList.filters> & OfSedes;

/** The documents of an account that pass the filters, as conditions on the table `invoices`. */
export function documentConditions(accountId: string, query: DocumentFilters): Condition[] {
  return [
    { sql: "account_id = ?", values: [accountId] },
    ...atLocations(query.location_ids ?? null, accountId),
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
