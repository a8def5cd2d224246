import type { Right } from "./rights.ts";

/**
 * What a register tells the owner besides sales, and the right that each takes. Of a thrown-away ticket only one that was kept
 * takes it. "other" is what this service does not know.
 */
export const actKinds = {
  discount: "discount",
  price: "price",
  free_line: "free_line",
  line_removed: "remove_kept",
  ticket_dropped: "remove_kept",
  sale_cancelled: "cancel",
  sale_returned: "return",
  cash_moved: "cash",
  drawer_opened: "drawer",
  stock_moved: "stock",
  expected_cash_seen: "expected_cash",
  shift_closed: "close_shift",
  product_created: "create_product",
  payment_corrected: "correct_payment",
  wrong_pins: null,
  pin_shared: null,
  other: null,
} as const satisfies Record<string, Right | null>;
export type ActKind = keyof typeof actKinds;
export const allActKinds = Object.keys(actKinds) as ActKind[];

/** The act that a right allows. */
export function kindOf(right: Right): ActKind {
  return allActKinds.find((kind) => actKinds[kind] === right) ?? "other";
}

/** What a register may say about an act; longer texts are cut. */
export const maxLabelLength = 120;
export const maxDetailLength = 500;
