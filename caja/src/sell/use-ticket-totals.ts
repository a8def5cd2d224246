import type { Totals } from "../../../register/ticket.ts";
import { storeProblem } from "../ui/problems.ts";
import { useCounter, useOpen } from "../use-device.ts";

/** What the current ticket comes to, or why it cannot be sold as it is. */
export function useTicketTotals(): { totals?: Totals; problem?: string } {
  const { counter } = useOpen();
  const { current } = useCounter();
  try {
    return { totals: counter.totals(current) };
  } catch (error) {
    return { problem: storeProblem(error) };
  }
}

/** What is left to charge of the ticket: of an order a part may be paid. */
export function useRest(totals: Totals | undefined): { paid: number; rest: number } {
  const { parts = [] } = useCounter().current;
  const paid = parts.reduce((sum, { amount }) => sum + amount, 0);
  return { paid, rest: Math.max(0, (totals?.total ?? 0) - paid) };
}

/** How many articles: pieces are counted, and what is weighed is one. */
export function useArticles(): number {
  const { lines } = useCounter().current;
  return lines.reduce((sum, { quantity, sold_by_weight }) => sum + (sold_by_weight ? 1 : quantity), 0);
}
