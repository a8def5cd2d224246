import type { NeededRight } from "../access/people/needed-right.ts";
import type { NoticeKind } from "../notices/record-notices.ts";

interface Needed {
  /** For what the mail says to do. */
  step: NeededRight;
  /** For the page that it leads to. */
  page: NeededRight;
}

const ofNumbers = { step: "fiscal", page: "settings:read" } as const;
const ofDocuments = { step: "documents:write", page: "documents:read" } as const;

/** What somebody who is mailed a notice must be allowed to do. Whoever may not is told whom to ask. */
export const neededFor: Readonly<Record<NoticeKind, Needed>> = {
  huge_total: { step: "registers:write", page: "sales:read" },
  numbering_unavailable: ofNumbers,
  emission_failed: ofNumbers,
  document_rejected: ofDocuments,
  document_unsealed: ofDocuments,
  two_documents: { step: "sales:correct", page: "documents:read" },
  number_taken: ofNumbers,
  sale_changed: { step: "sales:correct", page: "documents:read" },
  sale_without_lines: { step: "anyone", page: "documents:read" },
  foreign_shift: { step: "registers:write", page: "sales:read" },
  wrong_clock: { step: "anyone", page: "registers:read" },
  certificate_ending: ofNumbers,
  range_ending: ofNumbers,
  unauthorized_act: { step: "cashiers", page: "shifts:read" },
  shift_short: { step: "shifts:read", page: "shifts:read" },
  register_silent: { step: "anyone", page: "registers:read" },
  orders_waiting: { step: "orders:write", page: "orders:read" },
  stock_low: { step: "stock:read", page: "stock:read" },
  authority_away: { step: "anyone", page: "documents:read" },
  authority_stalled: { step: "anyone", page: "documents:read" },
  pos_above_limit: { step: "anyone", page: "settings:read" },
};
