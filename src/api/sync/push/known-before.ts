import type { CashSession } from "../../../business/cash-sessions/schema.ts";
import type { Taken } from "./judge-rights.ts";
import type { Incoming } from "./read-record.ts";

interface Sets {
  cashSessions: { get(id: string): { body: CashSession } | undefined };
}

/** Whether what takes a right was there before this push: asked while the records of a push are as they were. */
export function knownBefore({ cashSessions }: Sets, records: readonly Incoming[]) {
  const known = new Set(
    records.flatMap(({ type, id }) =>
      type === "cash_session" ? (cashSessions.get(id)?.body.movements.map((one) => one.id) ?? []) : [],
    ),
  );
  return (_: Incoming, { right, part, isKnown = false }: Taken): boolean =>
    right === "cash" ? known.has(part ?? "") : isKnown;
}
