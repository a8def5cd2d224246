import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { isOlder } from "../../register/sync-client.ts";
import { sql } from "../../src/db/sql.ts";
import { mailTickets } from "../../src/fiscal/documents/mail-tickets.ts";
import { desks, sell, upload } from "../support/desk.ts";
import { fiscalBusiness } from "../support/fiscal.ts";
import { verifiedService } from "../support/fixtures.ts";
import { refuseTransaction } from "../support/interfere.ts";
import { decideAll } from "../support/issuing.ts";
import { enrol } from "../support/register.ts";

const service = verifiedService();
const { open } = desks();

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
