import type { Page } from "playwright-core";
import type { KeptSale } from "../../register/sale.ts";
import type { Ticket } from "../../register/ticket.ts";

/** What a page's IndexedDB holds of the counter. */
export interface TabletStore {
  sales: KeptSale[];
  tickets: Ticket[];
}

export async function readTabletStore(page: Page): Promise<TabletStore> {
  return page.evaluate(`(async () => {
    const db = await new Promise((done) => { indexedDB.open("caja").onsuccess = (event) => done(event.target.result); });
    const read = (table) => new Promise((done) => {
      db.transaction(table).objectStore(table).getAll().onsuccess = (event) =>
        done(event.target.result.map(({ value }) => value));
    });
    const [sales, tickets] = [await read("sale"), await read("ticket")];
    db.close();
    return { sales, tickets };
  })()`);
}
