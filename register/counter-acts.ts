import { actDraft, actsOf, allowedActs, type Became, lineText, type OwnAct, removedFromKept } from "./acts.ts";
import type { Cashier, Permit } from "./cashiers.ts";
import type { Draft } from "./protocol.ts";
import type { Shift } from "./shift.ts";
import type { Ticket } from "./ticket.ts";
import { placeName, since } from "./ticket-name.ts";

interface Options {
  state: () => { cashier: Cashier | undefined; shift: Shift | undefined };
  now: () => Date;
  newId: () => string;
  accepts: () => boolean;
}

/** What a counter tells the owner besides its records; nothing where the service does not take it. */
export function counterActs({ state, now, newId, accepts }: Options) {
  function drafts({ of, ...act }: OwnAct, by?: Cashier): Draft[] {
    if (!accepts()) return [];
    const { cashier, shift } = state();
    const who = { cashier_id: of ?? cashier?.id ?? null, authorized_by: by?.id ?? null, shift_id: shift?.id ?? null };
    return [actDraft(act, { id: newId(), at: now(), ...who })];
  }
  /** Of an act that has a record of its own, only what a supervisor allowed is told besides. */
  const allowed = (act: OwnAct, permit: Permit | undefined) => (permit?.by ? drafts(act, permit.by) : []);
  return {
    drafts,
    allowed,
    marked(own: readonly Draft[], act: OwnAct, permit: Permit): Draft[] {
      const { cashier } = state();
      const beside = { ...(cashier && { cashier_id: cashier.id, acts: actsOf(cashier.id, [permit]) }) };
      return [...own.map((draft) => ({ ...draft, ...beside })), ...allowed(act, permit)];
    },
    removal(before: Ticket, after: Ticket, permits: readonly Permit[]): Draft[] {
      const by = permits.find(({ right }) => right === "remove_kept")?.by;
      return removedFromKept(before, after).flatMap((line) => {
        const amount = Math.round(line.price * line.quantity);
        return drafts({ kind: "line_removed", label: labelOf(before), amount, detail: lineText(line) }, by);
      });
    },
    drop(ticket: Ticket, by?: Cashier, how = ""): Draft[] {
      const { lines, kept } = ticket;
      const amount = Math.round(lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0));
      const about = { label: labelOf(ticket), amount, detail: how + lines.map(lineText).join("; ") };
      return drafts({ kind: "ticket_dropped", ...about, kept: kept !== undefined }, by);
    },
    /** What a supervisor allowed while the ticket was open, of whatever it became. */
    ofTicket(ticket: Ticket, became: Became): Draft[] {
      if (!accepts()) return [];
      const shift_id = state().shift?.id ?? null;
      return allowedActs(ticket, became).map(({ act, cashier_id, authorized_by }) =>
        actDraft(act, { id: newId(), at: now(), cashier_id, authorized_by, shift_id }),
      );
    },
  };
}

/** A ticket as the owner can tell it from others. */
function labelOf({ table_label, opened_at }: Ticket): string {
  return table_label === null ? `Tiquete de ${since(opened_at)}` : placeName(table_label);
}
