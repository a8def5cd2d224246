import { type ActKind, kindOf, maxDetailLength, maxLabelLength } from "../src/business/counter/act-kinds.ts";
import type { Right } from "../src/business/counter/rights.ts";
import { type Cashier, may, type Permit } from "./cashiers.ts";
import { pesos, quantity } from "./format.ts";
import type { Draft, EntryAct } from "./protocol.ts";
import type { Ticket, TicketLine } from "./ticket.ts";

/** What happened at the counter, for the owner to see; it is no sale. */
export interface Act {
  kind: ActKind;
  sale_id?: string | null;
  /** The ticket as the cashier knows it. */
  label?: string | null;
  amount?: number | null;
  detail?: string | null;
  /** Of a thrown-away ticket: whether it was ever put on hold. */
  kept?: boolean;
}

/** An act of somebody else than whoever is signed in. */
export type OwnAct = Act & { of?: string };

/** Who did it and who allowed it, where and when. */
export interface ActContext {
  id: string;
  at: Date;
  cashier_id: string | null;
  authorized_by: string | null;
  shift_id: string | null;
}

export function actDraft(act: Act, { id, at, ...who }: ActContext): Draft {
  const { kind, sale_id = null, label = null, amount = null, detail = null, kept } = act;
  const data = {
    kind,
    occurred_at: at.toISOString(),
    ...who,
    sale_id,
    label: label?.slice(0, maxLabelLength) ?? null,
    amount,
    detail: detail?.slice(0, maxDetailLength) ?? null,
    ...(kept !== undefined && { kept }),
  };
  return { type: "counter_act", id, data };
}

/** Who did what took a right, as it travels beside a record; nothing where nobody signs in. */
export function actsOf(cashierId: string | undefined, permits: readonly Permit[]): EntryAct[] {
  if (cashierId === undefined) return [];
  return permits.map(({ right, by }) => ({ right, cashier_id: cashierId, authorized_by: by?.id ?? null }));
}

/** The last one of each right counts. */
export function withActs(before: readonly EntryAct[] | undefined, acts: readonly EntryAct[]): EntryAct[] {
  return [...(before ?? []).filter(({ right }) => !acts.some((one) => one.right === right)), ...acts];
}

/** What of a ticket that was put on hold is not on it any more after a change. */
export function removedFromKept({ kept = {}, lines }: Ticket, after: Pick<Ticket, "lines">): TicketLine[] {
  return lines.flatMap((line) => {
    const left = after.lines.find(({ id }) => id === line.id)?.quantity ?? 0;
    const gone = Math.min(kept[line.id] ?? 0, line.quantity) - left;
    return gone > 0 ? [{ ...line, quantity: Math.round(gone * 1e6) / 1e6 }] : [];
  });
}

/** What a change of a ticket takes the right to. Taking a discount back takes none. */
export function rightsFor(before: Ticket, after: Ticket): Right[] {
  const former = new Map(before.lines.map((line) => [line.id, line]));
  const some = (test: (line: TicketLine, was: TicketLine | undefined) => boolean) =>
    after.lines.some((line) => test(line, former.get(line.id)));
  /** What was allowed for a line, for so many: more of it is asked for again. */
  const growing = (isAllowed: (line: TicketLine) => boolean) =>
    some(
      (line, was) => was !== undefined && isAllowed(line) && line.quantity > Math.max(was.quantity, line.quoted ?? 0),
    );
  const isDiscounted = after.discount !== null && JSON.stringify(after.discount) !== JSON.stringify(before.discount);
  const taken: [Right, boolean][] = [
    [
      "discount",
      isDiscounted ||
        some((line, was) => line.discount_percent > (was?.discount_percent ?? 0)) ||
        growing((line) => line.discount_percent > 0),
    ],
    [
      "price",
      some((line, was) => (was === undefined ? isRepriced(line) : line.price !== was.price)) || growing(isRepriced),
    ],
    ["free_line", some((line, was) => was === undefined && line.product_id === null)],
    ["remove_kept", removedFromKept(before, after).length > 0],
  ];
  return taken.flatMap(([right, isTaken]) => (isTaken ? [right] : []));
}

/**
 * A share that somebody else allowed is allowed of what was on the ticket then: it is fixed in pesos, or it would grow with every line
 * that is added later.
 */
export function withFixedDiscount(
  before: Ticket,
  after: Ticket,
  permits: readonly Permit[],
  totals: (ticket: Ticket) => { discount: number },
): Ticket {
  const isAllowed = permits.some(({ right, by }) => right === "discount" && by !== undefined);
  const isNew = JSON.stringify(after.discount) !== JSON.stringify(before.discount);
  if (!isAllowed || !isNew || after.discount === null || !("percent" in after.discount)) return after;
  return { ...after, discount: { pesos: totals(after).discount } };
}

/**
 * A share that one person gave of what was on the ticket then, when another who may give none goes on with it: fixed in pesos too.
 * Undefined where there is nothing to fix.
 */
export function withOthersDiscount(
  ticket: Ticket,
  cashier: Cashier,
  totals: (ticket: Ticket) => { discount: number },
): Ticket | undefined {
  const { discount, acts = [] } = ticket;
  if (discount === null || !("percent" in discount) || may(cashier, "discount")) return undefined;
  const giver = acts.find(({ right }) => right === "discount")?.cashier_id;
  return giver === cashier.id ? undefined : { ...ticket, discount: { pesos: totals(ticket).discount } };
}

/** A ticket that is put on hold: from now on taking something off it takes a right. */
export function keptTicket(ticket: Ticket): Ticket {
  return { ...ticket, kept: Object.fromEntries(ticket.lines.map(({ id, quantity: units }) => [id, units])) };
}

/** What a ticket became, and what was taken off all of it. */
export interface Became extends Required<Pick<Act, "sale_id" | "label">> {
  discount: number;
}

/** The acts of a sold or quoted ticket that somebody else allowed, each with what it was about. */
export function allowedActs(ticket: Ticket, { discount, ...about }: Became): (EntryAct & { act: Act })[] {
  const isAbout = (right: Right, line: TicketLine) =>
    right === "discount"
      ? line.discount_percent > 0
      : right === "price"
        ? isRepriced(line)
        : right === "free_line" && line.product_id === null;
  return (ticket.acts ?? []).flatMap((done) => {
    if (done.authorized_by === null) return [];
    const lines = ticket.lines.filter((line) => isAbout(done.right, line));
    const amount =
      done.right === "discount"
        ? discountOf(ticket, discount)
        : done.right === "price" && lines.length > 0
          ? takenOff(lines)
          : null;
    const detail = lines.map(done.right === "price" ? repricedText : lineText).join("; ") || null;
    return [{ ...done, act: { kind: kindOf(done.right), ...about, amount, detail } }];
  });
}

function discountOf({ lines }: Ticket, ofTicket: number): number {
  return lines.reduce(
    (sum, one) => sum + Math.round((one.price * one.quantity * one.discount_percent) / 100),
    ofTicket,
  );
}

export const isRepriced = ({ price, priced_from = price }: TicketLine) => priced_from !== price;

/** By changes of prices; below zero where they raised them. */
function takenOff(lines: readonly TicketLine[]): number {
  return lines.reduce(
    (sum, { price, priced_from = price, quantity: units }) => sum + Math.round((priced_from - price) * units),
    0,
  );
}

export function repricedText({ quantity: units, description, price, priced_from = price }: TicketLine): string {
  return `${quantity(units)} × ${description}, de ${pesos(priced_from)} a ${pesos(price)}`;
}

export function lineText({ quantity: units, description, price }: TicketLine): string {
  return `${quantity(units)} × ${description}, ${pesos(price)}`;
}
