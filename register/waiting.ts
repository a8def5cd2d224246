import type { Store } from "./store.ts";

/** What the server has not acknowledged, as a cashier counts it. */
export interface Waiting {
  sales: number;
  /** Records that belong to no sale: a customer, a count, an act. */
  others: number;
}

const pageEntries = 500;

/** Counts it as it grows: no entry is read twice. */
export function waitingCounts(store: Store, acked: () => number): () => Promise<Waiting> {
  let readTo = 0;
  let found: { seq: number; id: string; kind: keyof Waiting | "shift" }[] = [];
  async function read(): Promise<void> {
    // Numbered anew for another enrolment.
    if (readTo > store.lastSeq()) [readTo, found] = [0, []];
    readTo = Math.max(readTo, acked());
    for (;;) {
      const entries = await store.entries(readTo, pageEntries);
      for (const { device_seq, id, type, data } of entries) {
        const isOfSale = typeof (data as { sale_id?: unknown }).sale_id === "string" && type !== "return";
        const kind = type === "sale" ? "sales" : type === "cash_session" ? "shift" : "others";
        if (!isOfSale) found.push({ seq: device_seq, id, kind });
      }
      readTo = entries.at(-1)?.device_seq ?? readTo;
      if (entries.length < pageEntries) return;
    }
  }
  let reading = Promise.resolve();
  return async () => {
    reading = reading.then(read, read);
    await reading;
    found = found.filter(({ seq }) => seq > acked());
    const count = (kind: string) => new Set(found.flatMap((one) => (one.kind === kind ? one.id : []))).size;
    const sales = count("sales");
    // Each sale changes its shift: beside sales it is nothing of its own.
    return { sales, others: count("others") + (sales === 0 ? count("shift") : 0) };
  };
}

/** "2 ventas y 1 cambio por subir" */
export function waitingText({ sales, others }: Waiting): string {
  const parts = [
    ...(sales > 0 ? [sales === 1 ? "1 venta" : `${sales} ventas`] : []),
    ...(others > 0 ? [others === 1 ? "1 cambio" : `${others} cambios`] : []),
  ];
  return parts.length === 0 ? "" : `${parts.join(" y ")} por subir`;
}
