import type { Right } from "../src/business/counter/rights.ts";
import { isRepriced, lineText, removedFromKept, repricedText } from "./acts.ts";
import { pesos, quantity } from "./format.ts";
import type { Ticket, TicketLine } from "./ticket.ts";

type Sums = { discount: number; total: number };

/** What of a change takes a right, for whoever allows it: nobody signs for what she cannot read. */
export function changeTexts(right: Right, before: Ticket, after: Ticket, totals: (ticket: Ticket) => Sums): string[] {
  const former = new Map(before.lines.map((line) => [line.id, line]));
  const changed = after.lines.filter((line) => JSON.stringify(line) !== JSON.stringify(former.get(line.id)));
  if (right === "remove_kept") return removedFromKept(before, after).map((line) => `Quitar ${lineText(line)}`);
  if (right === "free_line") return changed.filter(({ product_id }) => product_id === null).map(lineText);
  if (right === "price") return [...changed.flatMap((line) => repriced(line, former.get(line.id))), ...sums()];
  if (right === "discount")
    return [...changed.flatMap((line) => discounted(line, former.get(line.id))), ...ofTicket(after), ...sums()];
  return [];

  function sums(): string[] {
    const [was, is] = [sumsOf(before, totals), sumsOf(after, totals)];
    const off =
      was.discount === is.discount ? [] : [`Descuento del tiquete: de ${pesos(was.discount)} a ${pesos(is.discount)}`];
    return [...off, `Total: de ${pesos(was.total)} a ${pesos(is.total)}`];
  }
  function ofTicket({ discount }: Ticket): string[] {
    if (discount === null || JSON.stringify(discount) === JSON.stringify(before.discount)) return [];
    return "percent" in discount ? [`${quantity(discount.percent)} % sobre todo el tiquete`] : [];
  }
}

function repriced(line: TicketLine, was: TicketLine | undefined): string[] {
  if (isRepriced(line)) return [repricedText(line)];
  // Set back to what it was at first.
  return was && was.price !== line.price ? [repricedText({ ...line, priced_from: was.price })] : [];
}

function discounted(line: TicketLine, was: TicketLine | undefined): string[] {
  const [from, to] = [was?.discount_percent ?? 0, line.discount_percent];
  if (to === 0) return [];
  return [`${lineText(line)}: descuento de ${quantity(from)} % a ${quantity(to)} %`];
}

/** An empty ticket is worth nothing, and so is one that cannot be sold as it is. */
function sumsOf(ticket: Ticket, totals: (ticket: Ticket) => Sums): Sums {
  try {
    return totals(ticket);
  } catch {
    return { discount: 0, total: 0 };
  }
}
