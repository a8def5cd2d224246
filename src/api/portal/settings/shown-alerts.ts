import type { Session } from "../../../access/people/session.ts";
import type { Deps } from "../../../deps.ts";
import type { AlertChoice } from "../../../notices/alert-choices.ts";
import { alertKind } from "../../../notices/alert-kinds.ts";
import { readOrderWait } from "../../../notices/order-wait.ts";

/** An alert as its reader chooses it. */
export interface ShownAlert extends AlertChoice {
  title: string;
  text: string;
  /** How long an order may wait, for the whole business. */
  wait_minutes: number | null;
}

export async function shownTo(
  { pool }: Pick<Deps, "pool">,
  { accountId }: Session,
  choices: readonly AlertChoice[],
): Promise<ShownAlert[]> {
  const orderWait = await readOrderWait(pool, accountId);
  return choices.map((choice) => {
    const { title, text } = alertKind(choice.kind);
    return { ...choice, title, text, wait_minutes: choice.kind === "orders_waiting" ? orderWait : null };
  });
}
