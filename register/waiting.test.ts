import { expect, test } from "vitest";
import type { Entry } from "./protocol.ts";
import type { Store } from "./store.ts";
import { waitingCounts, waitingText } from "./waiting.ts";

test("a cashier counts sales, and whatever belongs to none of them", async () => {
  const entries: Pick<Entry, "device_seq" | "type" | "id" | "data">[] = [];
  const add = (type: string, id: string, data = {}) =>
    entries.push({ device_seq: entries.length + 1, type: type as Entry["type"], id, data });
  const store = {
    lastSeq: () => entries.length,
    entries: async (after: number) => entries.filter(({ device_seq }) => device_seq > after) as Entry[],
  };
  let acked = 0;
  const waiting = waitingCounts(store as Partial<Store> as Store, () => acked);
  const text = async () => waitingText(await waiting());
  add("cash_session", "shift");
  expect(await text()).toBe("1 cambio por subir");
  add("sale", "a");
  add("stock_movement", "m", { sale_id: "a" });
  add("cash_session", "shift");
  expect(await text()).toBe("1 venta por subir");
  add("customer", "c");
  add("sale", "b");
  expect(await text()).toBe("2 ventas y 1 cambio por subir");
  acked = 4;
  expect(await text()).toBe("1 venta y 1 cambio por subir");
  acked = 6;
  expect(await text()).toBe("");
});
