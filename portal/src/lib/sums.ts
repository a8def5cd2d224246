import type { Answer } from "./answers.ts";

/** The figures of sales; the guide "Qué dice cada cifra" says what each is. */
export type Sums = Omit<Answer<"GET /cash-sessions/sums">["data"][number], "id">;

/** Of what was sold, before anything was taken back. */
export function averageOf({ gross, tickets }: Pick<Sums, "gross" | "tickets">): number {
  return tickets === 0 ? 0 : Math.round(gross / tickets);
}

/** The address of the sales of some days, with what took sales back on them: their list adds up to the net sales. */
export function salesOf(from: string, to: string, more: Record<string, string> = {}): string {
  return `/ventas?${new URLSearchParams({ desde: from, hasta: to, ...more })}`;
}
