import { randomUUID } from "node:crypto";
import { cashSessionBody, customerBody, productBody } from "./records.ts";
import { type Record, type Till, upload } from "./register.ts";
import { now, sale } from "./registered-shop.ts";

/** Numbers from 0 to 1 that one seed always gives. */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Pushes of a register that was offline: each has several versions of a few records among others. Products in `moved` have stock
 * movements, which change a product without an event of its own.
 */
export function randomPushes(till: Till, draw: () => number) {
  const ids = (count: number) => Array.from({ length: count }, () => randomUUID());
  const pools = { sales: ids(8), customers: ids(5), products: ids(5), moved: ids(2) };
  const pick = <T>(all: readonly T[]): T => all[Math.floor(draw() * all.length)]!;
  const record = (type: string, id: string, { id: _, ...data }: { id?: unknown }): Record => ({ type, id, data });
  const named = () => `Nombre ${Math.floor(draw() * 1e6)}`;
  const kinds: (() => Record)[] = [
    () => record("sale", pick(pools.sales), sale({ status: pick(["open", "completed", "cancelled"]), notes: named() })),
    () => record("customer", pick(pools.customers), upload(customerBody(now(), { name: named() }))),
    () => record("product", pick(pools.products), upload(productBody(now(), { name: named() }))),
    () => record("product", pick(pools.moved), upload(productBody(now(), { name: named() }))),
    () => record("cash_session", randomUUID(), upload(cashSessionBody(now(), { status: "closed", notes: named() }))),
    () => record("stock_movement", randomUUID(), { type: "in", quantity: 1, product_id: pick(pools.moved) } as object),
  ];
  async function next(): Promise<void> {
    const records = Array.from({ length: 1 + Math.floor(draw() * 12) }, () => pick(kinds)());
    const { status, body } = await till.push(records);
    if (status !== 200) throw new Error(`a push failed: ${JSON.stringify(body)}`);
  }
  return { next, pools };
}
