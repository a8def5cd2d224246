import fc from "fast-check";

/** What may happen to an upload in transit. */
export type Mishap = "none" | "lost" | "unanswered" | "doubled";

/** Something that a register records. `pick` chooses among the records of that moment. */
export type RecordAction =
  | { kind: "sell" | "pay" | "cancel" | "invoice" | "shift" | "receive"; register: number; pick: number }
  | { kind: "customer" | "product" | "warehouse" | "quote" | "category"; register: number; pick: number }
  | { kind: "edit" | "delete"; register: number; type: Edited; pick: number; field: number }
  | { kind: "variants"; register: number; pick: number; field: number };

/** Something that happens at a shop. */
export type Action =
  | RecordAction
  | { kind: "push"; register: number; size: number; mishap: Mishap }
  | { kind: "together" }
  | { kind: "pull" | "crash" | "backup" | "restore" | "late"; register: number }
  | { kind: "api"; what: "customer" | "edit-customer" | "edit-product" | "movement" | "category"; pick: number };

export type Edited = "customer" | "product" | "category" | "quote";

const register = fc.nat({ max: 4 });
const pick = fc.nat({ max: 1000 });
const kinds = <K extends string>(...names: K[]) => fc.constantFrom(...names);

export const anyAction: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: kinds("sell", "pay", "cancel", "invoice", "shift", "receive"), register, pick }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: kinds("customer", "product", "warehouse", "quote", "category"), register, pick }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: kinds("edit", "edit", "edit", "delete"),
      register,
      type: kinds<Edited>("customer", "product", "category", "quote"),
      pick,
      field: pick,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("variants" as const), register, pick, field: pick }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("push" as const),
      register,
      size: fc.constantFrom(1, 2, 200),
      mishap: kinds<Mishap>("none", "none", "lost", "unanswered", "unanswered", "doubled"),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: "together" as const }) },
  {
    weight: 5,
    arbitrary: fc.record({ kind: kinds("pull", "pull", "pull", "crash", "backup", "restore", "late"), register }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("api" as const),
      what: kinds("customer", "edit-customer", "edit-product", "movement", "category"),
      pick,
    }),
  },
);
