import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Ticket, TicketLine } from "../../../register/ticket.ts";
import { type Asking, ofTicket } from "./asking.ts";

/** What is asked in place of the products, as long as it makes sense of the ticket in front. */
export function useAsking(current: Ticket) {
  const [wanted, setAsking] = useState<Asking>();
  const line: TicketLine | undefined =
    wanted?.kind === "line" ? current.lines.find(({ id }) => id === wanted.id) : undefined;
  const isEmpty = current.lines.length === 0;
  // Another ticket may have been taken up meanwhile, or the last line was taken out.
  const isIdle = (wanted?.kind === "line" && !line) || (wanted && ofTicket.has(wanted.kind) && isEmpty);
  useEffect(() => {
    if (isIdle) setAsking(undefined);
  }, [isIdle]);
  const before = useRef(current);
  // What was to be charged for an order that is lost is another sum now: it is looked at before it is paid.
  useLayoutEffect(() => {
    const isLost = before.current.id === current.id && before.current.order_id && !current.order_id;
    before.current = current;
    if (isLost) setAsking((now) => (now?.kind === "charge" ? undefined : now));
  }, [current]);
  const close = () => setAsking(undefined);
  const ask = (next: Asking) => () => setAsking(next);
  return { asking: isIdle ? undefined : wanted, line, setAsking, close, ask };
}
