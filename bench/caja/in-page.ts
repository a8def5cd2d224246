/* These functions run in the page: they are sent there as text, so they use nothing from here. Times are taken inside the page. */

/** What they use of the browser's globals; the rest of the project is typed without one. */
interface PageGlobals {
  document: {
    activeElement: { blur(): void };
    body: PageElement;
    querySelector(selector: string): PageElement | null;
    querySelectorAll(selector: string): Iterable<PageElement>;
    addEventListener(type: string, listener: () => void): void;
  };
  MutationObserver: new (
    changed: () => void,
  ) => { observe(target: PageElement, what: Record<string, boolean>): void; disconnect(): void };
  KeyboardEvent: new (type: string, init: { key: string; bubbles: boolean }) => object;
  Event: new (type: string, init: { bubbles: boolean }) => object;
  HTMLInputElement: { prototype: object };
  indexedDB: { open(name: string): { onsuccess: (event: { target: { result: PageDatabase } }) => void } };
}

interface PageElement {
  textContent: string;
  click(): void;
  dispatchEvent(event: object): void;
}

interface PageDatabase {
  transaction(table: string, mode: string): PageTransaction;
  close(): void;
}

interface PageTransaction {
  objectStore(table: string): { put(row: object): void };
  oncomplete: () => void;
}

/** From the keys of a scanner to the line on the ticket. */
export function scan(code: string): Promise<number> {
  const { document, MutationObserver, KeyboardEvent } = globalThis as unknown as PageGlobals;
  document.activeElement.blur();
  const ticket = document.querySelector(".ticket")!;
  return new Promise((done) => {
    const begun = performance.now();
    const observer = new MutationObserver(() => {
      observer.disconnect();
      done(performance.now() - begun);
    });
    observer.observe(ticket, { childList: true, subtree: true, characterData: true });
    for (const key of [...code, "Enter"])
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  });
}

/** From the last letter to the products that it finds. */
export function search(text: string): Promise<number> {
  const { document, MutationObserver, HTMLInputElement, Event } = globalThis as unknown as PageGlobals;
  const input = document.querySelector("input[type=search]")!;
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!;
  const type = (value: string) => {
    set.call(input, value);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  return new Promise((done) => {
    const begun = performance.now();
    const observer = new MutationObserver(() => {
      if (!document.querySelector(".tiles, .empty")) return;
      observer.disconnect();
      const took = performance.now() - begun;
      type("");
      setTimeout(() => done(took), 50);
    });
    observer.observe(document.querySelector(".shelf")!, { childList: true, subtree: true, characterData: true });
    type(text);
  });
}

/** From the button to the ticket. */
export function chargeExactly(): Promise<number> {
  const { document, MutationObserver } = globalThis as unknown as PageGlobals;
  return new Promise((done) => {
    const begun = performance.now();
    const observer = new MutationObserver(() => {
      if (!document.querySelector(".panel .paper")) return;
      observer.disconnect();
      done(performance.now() - begun);
    });
    observer.observe(document.body, { childList: true, subtree: true });
    [...document.querySelectorAll(".panel button")]
      .find(({ textContent }) => textContent.startsWith("Exacto"))!
      .click();
  });
}

/** Puts sales of earlier shifts into the page's own store. */
export async function addSales(count: number): Promise<void> {
  const { indexedDB } = globalThis as unknown as PageGlobals;
  const db = await new Promise<PageDatabase>((done) => {
    indexedDB.open("caja").onsuccess = ({ target }) => done(target.result);
  });
  for (let from = 0; from < count; from += 1000) {
    await new Promise<void>((done) => {
      const tx = db.transaction("sale", "readwrite");
      for (let i = from; i < Math.min(count, from + 1000); i++) {
        const items = Array.from({ length: 4 }, () => ({
          id: crypto.randomUUID(),
          description: "Café molido",
          quantity: 1,
        }));
        const value = {
          id: crypto.randomUUID(),
          number: i,
          shift_id: `turno ${i % 300}`,
          data: { items, total: 12_000 },
        };
        tx.objectStore("sale").put({ key: value.id, group: value.shift_id, value });
      }
      tx.oncomplete = done;
    });
  }
  db.close();
}
