import { useEffect, useMemo, useRef, useState } from "react";
import type { OrderView } from "../../register/order.ts";
import { play } from "./ui/sounds.ts";
import { useCounterPart, useNews, useOpen } from "./use-device.ts";

const tickMs = 10_000;
/** Calm, and not to be missed. */
const ringEveryMs = 8_000;

/** The orders of this register's sede, as they stand now. */
export function useOrders(): { orders: readonly OrderView[]; now: Date } {
  const { counter } = useOpen();
  const news = useNews();
  const steps = useCounterPart((state) => state.orderSteps);
  const [tick, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTick((before) => before + 1), tickMs);
    return () => clearInterval(timer);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was received, what was done here, and time change them
  return useMemo(() => ({ orders: counter.orders(), now: new Date() }), [counter, news, steps, tick]);
}

export interface NewOrders {
  /** How many wait for an answer. */
  count: number;
  /** Whether there has been any: a shop without orders need not see a place for them. */
  hasAny: boolean;
}

const isNew = ({ status, isOver }: OrderView) => status === "placed" && !isOver;

/** Rings for what is new until somebody looks at the orders. */
function useNewOrders(isLooking: boolean): NewOrders {
  const { counter } = useOpen();
  const { orders, now } = useOrders();
  // biome-ignore lint/correctness/useExhaustiveDependencies: time alone ends an order too
  useEffect(() => counter.settleOrders(), [counter, now]);
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const fresh = orders.filter(isNew).map(({ id }) => id);
  const isRinging = !isLooking && fresh.some((id) => !seen.has(id));
  const key = fresh.join();
  const wasLooking = useRef(false);
  // One that arrives while they are looked at is heard once.
  useEffect(() => {
    if (isLooking) {
      const all = key === "" ? [] : key.split(",");
      if (wasLooking.current && all.some((id) => !seen.has(id))) play("order");
      if (all.some((id) => !seen.has(id))) setSeen(new Set(all));
    }
    wasLooking.current = isLooking;
  }, [isLooking, key, seen]);
  useEffect(() => {
    if (!isRinging) return;
    play("order");
    const timer = setInterval(() => play("order"), ringEveryMs);
    return () => clearInterval(timer);
  }, [isRinging]);
  return { count: fresh.length, hasAny: orders.length > 0 };
}

/** Listens for them wherever the cashier is; apart, so that a screen full of products is not drawn again with each tick. */
export function OrderBell({ isLooking, onChange }: { isLooking: boolean; onChange: (now: NewOrders) => void }): null {
  const { count, hasAny } = useNewOrders(isLooking);
  useEffect(() => onChange({ count, hasAny }), [onChange, count, hasAny]);
  return null;
}
