import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { isOlder } from "../../register/sync-client.ts";
import { mostWaiting } from "../../src/api/sync/push/apply-ticket-mail.ts";
import { sql } from "../../src/db/sql.ts";
import { mailTickets } from "../../src/fiscal/documents/mail-tickets.ts";
import { forgetTicketMails, keptDays } from "../../src/fiscal/documents/ticket-mails.ts";
import { day } from "../../src/lib/clock.ts";
import { desks, sell, upload } from "../support/desk.ts";
import { fiscalBusiness } from "../support/fiscal.ts";
import { verifiedService } from "../support/fixtures.ts";
import { refuseTransaction } from "../support/interfere.ts";
import { decideAll } from "../support/issuing.ts";
import { openPortal } from "../support/portal.ts";
import { enrol } from "../support/register.ts";

const service = verifiedService();
const { open } = desks();

/** Wishes for sales that never come, as one register left them. */
async function leaveWaiting(accountId: string, deviceId: string, count: number): Promise<void> {
  const at = service.deps.clock.now();
  await service.deps.pool.query(sql`
    insert into ticket_mails (account_id, id, device_id, sale_id, email, created_at, next_check_at)
    select ${accountId}, gen_random_uuid(), ${deviceId}, gen_random_uuid(), 'eva@example.com', ${at}, ${at}
    from generate_series(1, ${count}::int)`);
}

async function mailsTo(accountId: string, email: string): Promise<{ subject: string; document_id: string | null }[]> {
  const { rows } = await service.deps.pool.query<{ subject: string; document_id: string | null }>(sql`
    select subject, document_id from mails where account_id = ${accountId} and recipient = ${email}`);
  return rows;
}

test("a ticket that was promised by mail goes once, after the verdict, with its document", async () => {
  const { accountId } = await fiscalBusiness(service);
  const desk = await open("IndexedDB", service, accountId);
  await desk.counter.openShift(0);
  const saleId = await sell(desk, 5000);
  const wish = { type: "ticket_mail", id: randomUUID(), data: { sale_id: saleId, email: " ana@example.com " } };
  await desk.register.record([wish]);
  await upload(desk);
  await mailTickets(service.deps);
  expect(await mailsTo(accountId, "ana@example.com")).toEqual([]);
  await decideAll(service);
  await service.deps.pool.query(
    sql`update ticket_mails set next_check_at = created_at where account_id = ${accountId}`,
  );
  await Promise.all([mailTickets(service.deps), mailTickets(service.deps)]);
  const sent = await mailsTo(accountId, "ana@example.com");
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ document_id: expect.any(String) });
  // Uploaded again, as a register that was linked anew does.
  await desk.register.record([wish]);
  await upload(desk);
  await mailTickets(service.deps);
  expect(await mailsTo(accountId, "ana@example.com")).toHaveLength(1);
  desk.store.close();
});

test("without documents the mail says what was bought; more than five of one sale are not sent", async () => {
  const { accountId } = await service.business();
  const desk = await open("files", service, accountId);
  await desk.counter.openShift(0);
  const sale_id = await sell(desk, 5000);
  const wishes = Array.from({ length: 7 }, () => ({
    ...{ type: "ticket_mail", id: randomUUID(), data: { sale_id, email: "ana@example.com" } },
  }));
  await desk.register.record(wishes);
  await upload(desk);
  await mailTickets(service.deps);
  const sent = await mailsTo(accountId, "ana@example.com");
  expect(sent).toHaveLength(5);
  expect(sent[0]!.subject).toBe("Su compra en Tienda de prueba");
  desk.store.close();
});

test("a business with many tickets to mail does not delay another's, and one that fails stops no other", async () => {
  const [{ accountId: crowded }, { accountId }] = [await service.business(), await service.business()];
  const longAgo = new Date(service.deps.clock.now().getTime() - 60_000);
  await service.deps.pool.query(sql`
    insert into ticket_mails (account_id, id, sale_id, email, created_at, next_check_at)
    select ${crowded}, gen_random_uuid(), gen_random_uuid(), 'eva@example.com', ${longAgo}, ${longAgo}
    from generate_series(1, 200)`);
  const desk = await open("files", service, accountId);
  await desk.counter.openShift(0);
  const sale_id = await sell(desk, 5000);
  await desk.register.record([{ type: "ticket_mail", id: randomUUID(), data: { sale_id, email: "ana@example.com" } }]);
  await upload(desk);
  refuseTransaction(service.deps.pool);
  await expect(mailTickets(service.deps)).rejects.toThrow("terminating connection");
  expect(await mailsTo(accountId, "ana@example.com")).toHaveLength(1);
  desk.store.close();
});

test("a register may leave only so many waiting: the next is refused, the owner sees it at the sale and among today's notices", async () => {
  const owner = await openPortal(service);
  const { accountId } = owner;
  const desk = await open("files", service, accountId);
  await desk.counter.openShift(0);
  const sale_id = await sell(desk, 5000);
  await leaveWaiting(accountId, desk.register.identity().device_id, mostWaiting - 1);
  const wish = (email: string) => ({ type: "ticket_mail", id: randomUUID(), data: { sale_id, email } });
  await desk.register.record([wish("ana@example.com"), wish("luz@example.com")]);
  const other = await open("files", service, accountId);
  await other.register.record([wish("sol@example.com")]);
  for (const one of [desk, other]) await upload(one);
  const { ticket_mails } = (await owner.get(`/sales/${sale_id}`)).body;
  const states = ticket_mails.map(({ email, state }: { email: string; state: string }) => `${email} ${state}`);
  expect(states.sort()).toEqual(["ana@example.com waiting", "luz@example.com refused", "sol@example.com waiting"]);
  const told = (await owner.get("/attention")).body.data;
  expect(told).toContainEqual({ kind: "ticket_mails_unsent", count: 1, has_more: false, sale_id });
  for (const one of [desk, other]) one.store.close();
});

test("what was settled long ago is forgotten, with the buyer's address; what still waits is not", async () => {
  const { accountId } = await service.business();
  await leaveWaiting(accountId, randomUUID(), 3);
  const kept = async () => {
    const { rows } = await service.deps.pool.query(sql`
      select state from ticket_mails where account_id = ${accountId} order by state`);
    return rows.map(({ state }) => state);
  };
  await service.deps.pool.query(sql`
    update ticket_mails set state = 'sent' where account_id = ${accountId}
      and id in (select id from ticket_mails where account_id = ${accountId} limit 2)`);
  const now = service.deps.clock.now().getTime();
  await forgetTicketMails(service.deps.pool, new Date(now + (keptDays - 1) * day));
  expect(await kept()).toEqual(["sent", "sent", "waiting"]);
  await forgetTicketMails(service.deps.pool, new Date(now + (keptDays + 1) * day));
  expect(await kept()).toEqual(["waiting"]);
});

test("the service says what it takes; a wish without an address, or unannounced, is kept for a person to read", async () => {
  const { accountId } = await service.business();
  const data = { sale_id: randomUUID(), email: "ana" };
  const till = await enrol(service, accountId, { capabilities: ["ticket_mail.1"] });
  expect(await till.put("ticket_mail", data)).toMatchObject({ status: "quarantined", code: "NOT_AN_ADDRESS" });
  const silent = await enrol(service, accountId, { capabilities: [] });
  expect(await silent.put("ticket_mail", data)).toMatchObject({ status: "quarantined", code: "CAPABILITY_MISSING" });
  const { headers } = await till.pull();
  expect(headers.get("register-accepts")!.split(",")).toContain("ticket_mail.1");
  expect(isOlder("1.1.0", headers.get("caja-oldest")!)).toBe(false);
  expect([isOlder("1.9.3", "1.10.0"), isOlder("1.1", "1.1.0"), isOlder("2.0.0", "1.9.9")]).toEqual([
    true,
    false,
    false,
  ]);
});
