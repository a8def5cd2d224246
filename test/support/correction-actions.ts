import fc from "fast-check";

/** Something that happens at a shop after or around its sales. `pick` chooses among the sales of that moment. */
export type CorrectionAction =
  | { kind: "sell"; register: number; lines: [product: number, quantity: number][]; document: SoldAs; tip: boolean }
  | { kind: "pay" | "edit" | "cancel" | "repeat"; register: number; pick: number }
  | { kind: "return"; by: "register" | "portal"; register: number; pick: number; quantities: number[]; cash: boolean }
  | { kind: "invoice"; by: "register" | "portal"; pick: number }
  | { kind: "customer" | "outage" | "recovery" | "resend" | "shift" | "kill" }
  | { kind: "work"; seconds: number };

/** `late`: an invoice whose buyer arrives later. `register`: the register brings its own document. `open`: not paid yet. */
export type SoldAs = "pos" | "invoice" | "late" | "register" | "open";

const register = fc.nat({ max: 1 });
const pick = fc.nat({ max: 1000 });
const by = fc.constantFrom("register" as const, "portal" as const);

export const anyCorrection: fc.Arbitrary<CorrectionAction> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("sell" as const),
      register,
      lines: fc.array(fc.tuple(fc.nat({ max: 3 }), fc.integer({ min: 1, max: 4 })), { minLength: 1, maxLength: 3 }),
      document: fc.constantFrom<SoldAs>("pos", "pos", "pos", "invoice", "late", "register", "open"),
      tip: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constantFrom("pay", "edit", "cancel", "repeat"), register, pick }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("return" as const),
      by,
      register,
      pick,
      quantities: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 3 }),
      cash: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("invoice" as const), by, pick }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom("customer", "outage", "recovery", "recovery", "resend", "shift", "kill"),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("work" as const), seconds: fc.integer({ min: 1, max: 12 }) }) },
);
