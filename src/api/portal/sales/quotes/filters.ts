import type { Static } from "typebox";
import { quoteStatuses } from "../../../../business/quotes/schema.ts";
import { createdWindow, oneOf, page, searchQuery, uuid } from "../../../../engine/resources/fields.ts";
import { Type } from "../../../../lib/schema.ts";

const closed = { additionalProperties: false };
const filters = {
  ...createdWindow,
  q: searchQuery,
  status: Type.Optional(oneOf(quoteStatuses)),
  customer_id: Type.Optional(uuid()),
};
export const QuoteFilters = Type.Object(filters, closed);
export type QuoteFilters = Static<typeof QuoteFilters>;
export const QuoteListQuery = Type.Object({ ...page, ...filters }, closed);
