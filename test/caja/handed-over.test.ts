import { expect, test } from "vitest";
import { freeLine, lineOf, withLine } from "../../register/ticket.ts";
import { theOperator } from "../../src/access/accounts/record-audit.ts";
import { createCashier } from "../../src/business/counter/cashiers.ts";
import { readActs } from "../../src/business/counter/counter-acts.ts";
import { allRights, type Right } from "../../src/business/counter/rights.ts";
import { furnishShop } from "../support/caja.ts";
import { desks, receive, upload } from "../support/desk.ts";
import { sharedService } from "../support/fixtures.ts";
import { openAccount } from "../support/visitor.ts";

const service = sharedService();
const { open } = desks();

/** A counter where Ana may everything and Beto nothing. */
async function counterOfTwo() {
  const { accountId } = await openAccount(service);
  await furnishShop(service, accountId, ["Aceite"]);
  const person = async (name: string, pin: string, permissions: readonly Right[]) =>
    (await createCashier(service.deps, accountId, { name, pin, permissions }, theOperator))!.id;
  const ana = await person("Ana", "2468", allRights);
  const beto = await person("Beto", "1357", []);
  const desk = await open("IndexedDB", service, accountId);
  await receive(desk);
  desk.counter.refresh();
  const signIn = async (who: string, pin: string) => expect(await desk.counter.signIn(who, pin)).toBe(true);
  return { accountId, desk, asAna: () => signIn(ana, "2468"), asBeto: () => signIn(beto, "1357") };
}

test("a ticket that was on hold becomes a quote with the right to take it off, and the owner is told", async () => {
  const { accountId, desk, asAna, asBeto } = await counterOfTwo();
  const { counter, quotes } = desk;
  await asBeto();
  await counter.openShift(0);
  const begin = () =>
    counter.edit((ticket) => withLine(ticket, freeLine(crypto.randomUUID(), "Silla", 50_000, "standard")));
  // One that never waited is quoted by anybody.
  begin();
  await quotes.make({ days: 1, notes: null });
  begin();
  const held = counter.state().current.id;
  counter.beginTicket();
  counter.select(held);
  await expect(quotes.make({ days: 1, notes: null })).rejects.toThrow("was on hold");
  expect(counter.state().current.id).toBe(held);
  const luz = counter.state().cashiers.find(({ name }) => name === "Ana")!;
  await quotes.make({ days: 1, notes: null }, { right: "remove_kept", by: luz });
  begin();
  counter.beginTicket();
  counter.select(counter.state().tickets[0]!.id);
  await asAna();
  const own = await quotes.make({ days: 1, notes: null });
  await upload(desk);
  const acts = await readActs(service.deps.pool, accountId, { kind: "ticket_dropped" }, 10);
  expect(acts).toMatchObject([
    { kind: "ticket_dropped", cashier: "Ana", authorized_by: null, amount: 50_000, is_allowed: true },
    { kind: "ticket_dropped", cashier: "Beto", authorized_by: "Ana", amount: 50_000, is_allowed: true },
  ]);
  expect(acts[0]!.detail).toBe(`Quedó en la cotización ${own.prefix}${own.number}: 1 × Silla, $50.000`);
  desk.store.close();
});

test("a share that one person gave does not grow with what another adds, in front or on hold", async () => {
  const { desk, asAna, asBeto } = await counterOfTwo();
  const { counter } = desk;
  await asAna();
  await counter.openShift(0);
  const give = () => {
    counter.edit((ticket) => withLine(ticket, freeLine(crypto.randomUUID(), "Silla", 50_000, "standard")));
    counter.edit((ticket) => ({ ...ticket, discount: { percent: 90 } }), [{ right: "discount", by: undefined }]);
  };
  give();
  const held = counter.state().current.id;
  counter.beginTicket();
  give();
  counter.signOut();
  await asBeto();
  const add = () => counter.edit((ticket) => withLine(ticket, { ...lineOf(crypto.randomUUID(), oil), price: 250_000 }));
  const [oil] = [desk.register.catalog.search("aceite")[0]!];
  add();
  expect(counter.totals()).toMatchObject({ discount: 45_000, total: 255_000 });
  counter.select(held);
  add();
  expect(counter.totals()).toMatchObject({ discount: 45_000, total: 255_000 });
  // Whoever may give discounts goes on with the share.
  counter.signOut();
  await asAna();
  counter.edit((ticket) => ({ ...ticket, discount: { percent: 90 } }), [{ right: "discount", by: undefined }]);
  counter.signOut();
  await asAna();
  expect(counter.state().current.discount).toEqual({ percent: 90 });
  await upload(desk);
  desk.store.close();
});
