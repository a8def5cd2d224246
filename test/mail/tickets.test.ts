import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { setAccount } from "../../src/access/accounts/set-account.ts";
import { sql } from "../../src/db/sql.ts";
import { buyerMailLimits } from "../../src/fiscal/documents/buyer-mail-limits.ts";
import { mailTickets } from "../../src/fiscal/documents/mail-tickets.ts";
import { day } from "../../src/lib/clock.ts";
import { startMailWorker } from "../../src/mail/worker.ts";
import { eventually } from "../support/eventually.ts";
import { plainSale } from "../support/fiscal.ts";
import { shared } from "../support/fixtures.ts";
import { openPortal, type Portal } from "../support/portal.ts";
import { enrol, upload } from "../support/register.ts";
import { type Service, startService } from "../support/service.ts";
import { startSmtp } from "../support/smtp.ts";

const missing = "nadie@example.com";
const smtp = shared(() =>
  startSmtp({
    refuses: (address) => (address === missing ? { status: 550, words: `5.1.1 <${address}> User unknown` } : undefined),
  }),
);
const service = shared(() => startService({ SMTP_URL: smtp.url, MAIL_FROM: "Mostrador <avisos@example.com>" }));

interface Shop {
  owner: Portal;
  /** A sale of this product, whose ticket goes to each of these addresses. Returns the sale's id. */
  promise(product: string, ...emails: string[]): Promise<string>;
  /** What the owner reads at the sale. */
  states(saleId: string): Promise<string[]>;
}

async function openShop(at: Service = service, { isNew = false } = {}): Promise<Shop> {
  const owner = await openPortal(at);
  const { accountId } = owner;
  if (!isNew)
    await at.deps.pool.query(
      sql`update accounts set created_at = ${new Date(Date.now() - 30 * day)} where id = ${accountId}`,
    );
  const till = await enrol(at, accountId, { capabilities: ["ticket_mail.1"] });
  return {
    owner,
    async promise(product, ...emails) {
      const sale = plainSale(new Date().toISOString(), 5000);
      sale.items[0]!.description = product;
      await till.put("sale", upload(sale), { id: sale.id });
      for (const email of emails) await till.put("ticket_mail", { sale_id: sale.id, email }, { id: randomUUID() });
      await mailTickets(at.deps);
      return sale.id;
    },
    async states(saleId) {
      const { ticket_mails } = (await owner.get(`/sales/${saleId}`)).body;
      return ticket_mails
        .map(({ email, state, reason }: Record<string, string>) => `${email} ${state} ${reason}`)
        .sort();
    },
  };
}

/** Sends all that is due. */
async function sendAll(at: Service = service): Promise<void> {
  const worker = startMailWorker(at.deps);
  await eventually(async () => {
    const { rowCount } = await at.deps.pool.query(sql`select 1 from mails where next_attempt_at is not null`);
    return rowCount === 0;
  });
  await worker.stop();
}

const mailTo = (address: string) => smtp.received.findLast(({ to }) => to.toLowerCase() === address.toLowerCase());

/** The link of the mail program's own button. */
function oneClickLink(address: string): string {
  const unfolded = mailTo(address)!.raw.replace(/\r\n(?=[ \t])/g, "");
  expect(unfolded).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  return /^List-Unsubscribe: +<(\S+)>\r$/m.exec(unfolded)![1]!.replace("http://127.0.0.1:3000", service.baseUrl);
}

const press = (link: string, body = "List-Unsubscribe=One-Click") =>
  fetch(link, { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" }, body });

test("what a business writes into a ticket is no link, in its text, its HTML and its subject", async () => {
  const shop = await openShop();
  await shop.owner.patch("/account", { name: "Premios www.malo.com" });
  await shop.promise("visite www.malo.com o a@b.co", "eva@example.com");
  const { rows } = await service.deps.pool.query<{ subject: string; body_text: string; body_html: string }>(sql`
    select subject, body_text, body_html from mails where account_id = ${shop.owner.accountId}`);
  const [mail] = rows;
  for (const text of [mail!.subject, mail!.body_text, mail!.body_html]) {
    expect(text).not.toMatch(/www\.malo|malo\.com|a@b|b\.co\b/);
    expect(text).toMatch(/www\.\u200amalo\.\u200acom/);
  }
  expect(mail!.body_html).not.toMatch(/<a [^>]*malo/);
});

test("a buyer stops the tickets of one business with one click, and its owner sees why", async () => {
  const [shop, other] = [await openShop(), await openShop()];
  await shop.promise("Pan", "Luz@Example.com");
  await sendAll();
  const link = oneClickLink("Luz@Example.com");
  expect(link).not.toMatch(/luz/i);
  // Mail scanners open links.
  const opened = await fetch(link);
  expect([opened.status, await opened.text()]).toEqual([200, expect.stringContaining("No recibir más tiquetes")]);
  const before = await shop.promise("Pan", "luz@example.com");
  expect(await shop.states(before)).toEqual(["luz@example.com sent null"]);
  // What waits in the queue when the buyer decides does not go either.
  expect((await press(link)).status).toBe(200);
  const arrived = smtp.received.length;
  await sendAll();
  expect(smtp.received).toHaveLength(arrived);
  expect(await shop.states(before)).toEqual(["luz@example.com refused unsubscribed"]);
  const sale = await shop.promise("Pan", " luz@EXAMPLE.com");
  expect(await shop.states(sale)).toEqual(["luz@EXAMPLE.com refused unsubscribed"]);
  const told = (await shop.owner.get("/attention")).body.data;
  expect(told).toContainEqual(expect.objectContaining({ kind: "ticket_mails_unsent" }));
  await other.promise("Pan", "luz@example.com");
  await sendAll();
  expect(smtp.received).toHaveLength(arrived + 1);
  // Only the buyer takes it back.
  expect(await (await fetch(link)).text()).toContain("Volver a recibirlos");
  await press(link, "volver=1");
  expect(await shop.states(await shop.promise("Pan", "luz@example.com"))).toEqual(["luz@example.com sent null"]);
});

test("neither a changed link nor one of another installation stops anything", async () => {
  const shop = await openShop();
  await shop.promise("Pan", "sol@example.com");
  await sendAll();
  const link = oneClickLink("sol@example.com");
  const at = link.length - 60;
  const changed = `${link.slice(0, at)}${link[at] === "A" ? "B" : "A"}${link.slice(at + 1)}`;
  for (const wrong of [changed, link.slice(0, -10), link.replace(/\?.*/, ""), `${link}&t=x`]) {
    const answer = await press(wrong);
    expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining("Este enlace no sirve")]);
  }
  expect(await shop.states(await shop.promise("Pan", "sol@example.com"))).toEqual(["sol@example.com sent null"]);
});

test("an address that does not exist is tried once, and no ticket goes there again", async () => {
  const shop = await openShop();
  const sale = await shop.promise("Pan", missing);
  await sendAll();
  expect(await shop.states(sale)).toEqual([`${missing} refused bounced`]);
  const { rows } = await service.deps.pool.query(sql`
    select attempts, next_attempt_at, body_text from mails where account_id = ${shop.owner.accountId}`);
  expect(rows).toEqual([{ attempts: 1, next_attempt_at: null, body_text: null }]);
  expect(await shop.states(await shop.promise("Pan", missing))).toEqual([`${missing} refused bounced`]);
  const stored = await service.deps.pool.query(sql`
    select s::text as row from mail_suppressions s where account_id = ${shop.owner.accountId}`);
  expect(stored.rows).toHaveLength(1);
  expect(stored.rows[0].row).not.toContain("nadie");
});

test("a new business sends fewer in a day, and its owner is told how many and until when", async () => {
  const shop = await openShop(service, { isNew: true });
  const { newPerDay, perDay, perSale } = buyerMailLimits;
  const mailing = (await shop.owner.get("/ticket-mail")).body;
  expect(mailing).toMatchObject({ active: true, is_allowed: true, per_day: newPerDay, new_until: expect.any(String) });
  for (let sale = 0; sale < newPerDay / perSale; sale++)
    await shop.promise("Pan", ...Array.from({ length: perSale }, (_, i) => `c${sale}-${i}@example.com`));
  const late = await shop.promise("Pan", "tarde@example.com");
  expect(await shop.states(late)).toEqual(["tarde@example.com refused new_business"]);
  const { accountId } = shop.owner;
  await service.deps.pool.query(
    sql`update accounts set created_at = ${new Date(Date.now() - 30 * day)} where id = ${accountId}`,
  );
  expect((await shop.owner.get("/ticket-mail")).body).toMatchObject({ per_day: perDay, new_until: null });
  const later = await shop.promise("Pan", "tarde@example.com");
  expect(await shop.states(later)).toEqual(["tarde@example.com sent null"]);
});

test("the owner, the operator and the installation each can switch tickets by mail off", async () => {
  const shop = await openShop();
  const { accountId } = shop.owner;
  const outcome = async () => (await shop.states(await shop.promise("Pan", "ana@example.com")))[0];
  expect((await shop.owner.put("/ticket-mail", { active: false })).body).toMatchObject({ active: false });
  expect(await outcome()).toBe("ana@example.com refused owner_off");
  await shop.owner.put("/ticket-mail", { active: true });
  expect(await outcome()).toBe("ana@example.com sent null");
  await setAccount(service.deps, accountId, { ticketMail: false });
  expect((await shop.owner.get("/ticket-mail")).body).toMatchObject({ active: true, is_allowed: false });
  expect(await outcome()).toBe("ana@example.com refused operator_off");
  await using without = await startService({ TICKET_MAIL: "off" });
  const closed = await openShop(without);
  expect(await closed.states(await closed.promise("Pan", "ana@example.com"))).toEqual([
    "ana@example.com refused operator_off",
  ]);
});

test("registers learn whether their business mails tickets", async () => {
  const { owner } = await openShop();
  const till = await enrol(service, owner.accountId, { capabilities: ["business.down.1"] });
  const info = async () =>
    (await till.pull()).body.changes.find((change: { type: string }) => change.type === "business").data;
  expect(await info()).not.toHaveProperty("ticket_mail");
  await owner.put("/ticket-mail", { active: false });
  expect(await info()).toMatchObject({ ticket_mail: false });
  await owner.put("/ticket-mail", { active: true });
  expect(await info()).not.toHaveProperty("ticket_mail");
});
