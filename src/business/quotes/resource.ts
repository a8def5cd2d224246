import { equal } from "../../engine/resources/filters.ts";
import type { ReadTransform } from "../../engine/resources/list-spec.ts";
import { externalIdColumn } from "../../engine/resources/own-fields.ts";
import { atLocation, locationColumn } from "../../engine/resources/placed.ts";
import type { Condition } from "../../engine/resources/read-list.ts";
import { defineResource } from "../../engine/resources/resource.ts";
import { Quote, QuoteQuery } from "./schema.ts";

/** Published quotes have no deleted_at; only the column records a deletion. */
export const quotes = defineResource<Quote>({
  name: "quote",
  table: "quotes",
  path: "/quotes",
  scope: "quotes",
  tag: { name: "Cotizaciones", text: "Cotizaciones con sus líneas. El vencimiento se calcula al leer." },
  spanish: { one: "una cotización", many: "cotizaciones" },
  schema: Quote,
  query: QuoteQuery,
  isDeletable: true,
  events: { created: "quote.created", updated: "quote.updated" },
  derived: {
    status: { type: "text", from: (body) => body.status },
    customer_id: { type: "uuid", from: (body) => body.customer_id },
    ...externalIdColumn,
    expires_at: { type: "timestamptz", from: (body) => body.expires_at },
    ...locationColumn,
  },
  private: {},
  // Lines and totals only make sense together, so they are one unit. The fields about its status are the other.
  units: ({ body, deletedAt }) => {
    const { object, id, created_at, updated_at, version, location_id, ...fields } = body;
    const { status, sent_at, accepted_at, rejected_at, converted_at, sale_id, ...others } = fields;
    const { external_id = null, metadata = null, ...document } = others;
    const outcome = { status, sent_at, accepted_at, rejected_at, converted_at, sale_id };
    return { document, outcome, external_id, metadata, deleted: (deletedAt ?? null) !== null };
  },
  conditions: (query: QuoteQuery, now: Date, accountId: string) => [
    ...atLocation(query.location_id, accountId),
    { sql: "deleted_at is null", values: [] },
    ...statusIs(query.status, now),
    ...equal("customer_id", query.customer_id),
    ...equal("external_id", query.external_id),
  ],
  transform: applyExpiry,
});

/** An open quote expires without a write, so the expiry is applied when it is read. */
function applyExpiry(body: string, now: Date): ReturnType<ReadTransform> {
  // Most quotes are no longer open: this check avoids parsing them.
  if (!body.includes('"status":"draft"') && !body.includes('"status":"sent"')) return { text: body, state: "" };
  const quote = JSON.parse(body) as Quote;
  const isOpen = quote.status === "draft" || quote.status === "sent";
  if (!isOpen || quote.expires_at === null || new Date(quote.expires_at) > now) return { text: body, state: "" };
  return { text: JSON.stringify({ ...quote, status: "expired" }), state: "x" };
}

/** The same rule in SQL, so that filters agree with what is shown. */
function statusIs(status: QuoteQuery["status"], now: Date): Condition[] {
  switch (status) {
    case undefined:
      return [];
    case "expired":
      return [{ sql: "(status = 'expired' or (status in ('draft', 'sent') and expires_at <= ?))", values: [now] }];
    case "draft":
    case "sent":
      return [...equal("status", status), { sql: "(expires_at is null or expires_at > ?)", values: [now] }];
    case "accepted":
    case "rejected":
    case "converted":
      return equal("status", status);
  }
}
