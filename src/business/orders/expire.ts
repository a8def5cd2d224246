import { ofAllAccounts } from "../../db/nodes.ts";
import { prepared } from "../../db/sql.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { writing } from "../../engine/writing/writing.ts";
import { second } from "../../lib/clock.ts";
import { runEvery } from "../../lib/run-every.ts";
import { moveOrder } from "./move-order.ts";
import { orders } from "./resource.ts";
import type { Order } from "./schema.ts";
import { isOpen } from "./states.ts";

/** More at once are found the next time. */
const mostAtOnce = 500;

/**
 * Ends the orders whose time is over, with what they kept apart. Any number of processes may look: each order is ended behind its
 * account's lock, and the second one finds it ended.
 */
export async function endDueOrders(deps: CoreDeps): Promise<number> {
  const now = deps.clock.now();
  const due = await ofAllAccounts(deps.pool, async (part) => {
    const text = `select account_id, id from orders where ends_at <= $1 and ${part.of("account_id", 2)} limit ${mostAtOnce}`;
    return (await deps.pool.query<{ account_id: string; id: string }>(prepared(text, [now, ...part.values]))).rows;
  });
  let ended = 0;
  for (const [accountId, some] of Map.groupBy(due, ({ account_id }) => account_id))
    for (const { id } of some) if (await endOne(deps, accountId, id)) ended += 1;
  return ended;
}

function endOne(deps: CoreDeps, accountId: string, id: string): Promise<boolean> {
  return writing(deps, accountId, async (write) => {
    const order = await write.load(orders, id);
    if (!order || !isDue(order.body, write.at)) {
      write.discard();
      return false;
    }
    await moveOrder(write, order, "expired");
    return true;
  });
}

/** Nobody accepted it by then, or it was not handed over by then. */
function isDue({ status, accept_by, expires_at }: Order, at: Date): boolean {
  const isOver = (end: string | null) => end !== null && new Date(end) <= at;
  return isOpen(status) && (isOver(expires_at) || (status === "placed" && isOver(accept_by)));
}

const lookEveryMs = 5 * second;

export function startOrderExpiry(deps: CoreDeps): { stop: () => Promise<void> } {
  return runEvery(
    deps.clock,
    lookEveryMs,
    () => endDueOrders(deps),
    (error) => deps.log.warn({ err: error }, "orders not ended; trying again in a moment"),
  );
}
