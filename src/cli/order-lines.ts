import type { Mostrador } from "../../sdk/src/index.ts";
import { pesos } from "./event-line.ts";

type Orders = Mostrador["orders"];
type Order = Awaited<ReturnType<Orders["get"]>>;
type Preview = Awaited<ReturnType<Orders["preview"]>>;

/** One order on one line: number, state, total, who, and its id. */
export function orderLine({ number, status, total, contact, source, id }: Order): string {
  const who = [contact?.name, source].filter(Boolean).join(", ");
  return `#${String(number).padEnd(5)} ${status.padEnd(10)} ${`$${pesos.format(total)}`.padStart(12)}  ${id}  ${who}`.trimEnd();
}

/** The same with what was ordered below; a preview has no number yet. */
export function orderLines(order: Order | Preview): string {
  const head = "number" in order ? orderLine(order) : `Total $${pesos.format(order.total)}`;
  const lines = order.items.map(
    ({ quantity, description, subtotal }) => `  ${quantity} × ${description}  $${pesos.format(subtotal)}`,
  );
  return [head, ...lines].join("\n");
}
