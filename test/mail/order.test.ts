import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { second } from "../../src/lib/clock.ts";
import { findMails } from "../../src/mail/claim-mails.ts";
import { inOrder, kindNames, kindRanks } from "../../src/mail/mail-kinds.ts";
import { type Mail, queueMail } from "../../src/mail/queue-mail.ts";
import { codeMail, weeklySummaryMail } from "../../src/mail/templates.ts";
import { ticketMail } from "../../src/mail/ticket-mail.ts";
import type { OutgoingMail } from "../../src/mail/transport.ts";
import { startMailWorker } from "../../src/mail/worker.ts";
import { eventually } from "../support/eventually.ts";
import { perTest } from "../support/fixtures.ts";
import { startService } from "../support/service.ts";
import { startSmtp } from "../support/smtp.ts";

const service = perTest(() => startService());

const ticket = ticketMail({
  business: "Tienda",
  contact: null,
  day: "hoy",
  lines: [],
  total: "$ 1",
  unsubscribe: "https://pos.example/baja",
});
const code = codeMail("123456", { title: "crear una clave", lines: [] }, 10);
const summary = weeklySummaryMail("https://pos.example", { name: "Tienda", from: "1", to: "7", facts: [] });

/** Queues mails, each a second after the other, so that a queue by age would take them in this order. */
async function queue(mails: readonly { accountId: string; mail: Mail; to: string }[]): Promise<void> {
  const { pool, partitions, clock } = service.deps;
  await partitions.ensure(clock.now());
  const first = clock.now().getTime() - mails.length * second;
  for (const [i, { accountId, mail, to }] of mails.entries())
    await queueMail(pool, accountId, new Date(first + i * second), mail, to);
}

const tickets = (accountId: string, name: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({ accountId, mail: ticket, to: `${name}${i}@example.com` }));

const ticketSlots = inOrder[kindRanks[kindNames.indexOf("ticket")]!]!.slots;

/** A worker whose mails are noted when their sending begins, and leave when they may. */
function noting(begun: string[], mayLeave = Promise.resolve()) {
  const transport = {
    async send({ to }: OutgoingMail) {
      begun.push(to);
      await mayLeave;
    },
    close() {},
  };
  return startMailWorker(service.deps, { transport });
}

test("a code goes while every ticket before it is still being taken by a slow server", async () => {
  const [crowded, person] = [await service.business(), await service.business()];
  const slow = Promise.withResolvers<void>();
  await using smtp = await startSmtp({
    answer: ({ to }) => (to.startsWith("buyer") ? slow.promise : undefined),
  });
  await queue(tickets(crowded.accountId, "buyer", 40));
  await using other = await service.sibling({ SMTP_URL: smtp.url });
  const worker = startMailWorker(other.deps);
  const held = await eventually(() => smtp.held.length > 0 && smtp.held.length);
  await queue([{ accountId: person.accountId, mail: code, to: "person@example.com" }]);
  other.deps.mail?.emit();
  await eventually(() => smtp.received.some(({ to }) => to === "person@example.com"));
  expect(smtp.received).toHaveLength(1);
  expect(smtp.held.length).toBeGreaterThanOrEqual(held);
  slow.resolve();
  await eventually(() => smtp.received.length === 41);
  await worker.stop();
  expect(new Set(smtp.received.map(({ to }) => to)).size).toBe(41);
});

test("a code goes first, a summary last, and a neighbour's ticket is not behind all of a crowd's", async () => {
  const [crowded, neighbour] = [await service.business(), await service.business()];
  await queue([
    { accountId: neighbour.accountId, mail: summary, to: "summary" },
    ...tickets(crowded.accountId, "buyer", 40),
    ...tickets(neighbour.accountId, "client", 1),
    { accountId: crowded.accountId, mail: code, to: "code" },
  ]);
  const due = await findMails(service.deps.pool, service.deps.clock.now());
  expect(due[0]!.account_id).toBe(crowded.accountId);
  expect(new Set(due.slice(1, 3).map(({ account_id }) => account_id)).size, "a ticket of each comes next").toBe(2);
  expect(due.at(-1)!.account_id).toBe(neighbour.accountId);
  const begun: string[] = [];
  const open = Promise.withResolvers<void>();
  const worker = noting(begun, open.promise);
  // All slots are taken and wait: who has one of them is not a matter of who was faster.
  const atOnce = 1 + ticketSlots;
  await eventually(() => begun.length === atOnce);
  await delay(100);
  expect(begun).toHaveLength(atOnce);
  expect(begun).toContain("code");
  expect(begun).toContain("client0@example.com");
  expect(begun).not.toContain("summary");
  open.resolve();
  await eventually(() => begun.length === 43);
  await worker.stop();
  expect(begun.indexOf("summary")).toBeGreaterThan(begun.length - 20);
});

test("accounts take turns, whichever process sends", async () => {
  const [one, two, small] = [await service.business(), await service.business(), await service.business()];
  await queue([
    ...tickets(one.accountId, "one", 60),
    ...tickets(two.accountId, "two", 60),
    ...tickets(small.accountId, "small", 5),
  ]);
  const begun: string[] = [];
  const workers = [noting(begun), noting(begun)];
  await eventually(() => begun.length === 125);
  await Promise.all(workers.map((worker) => worker.stop()));
  expect(new Set(begun).size).toBe(125);
  const before = begun.slice(
    0,
    begun.findLastIndex((to) => to.startsWith("small")),
  );
  // Each had five turns before the small one's fifth, besides what was under way in two processes.
  expect(before.filter((to) => to.startsWith("one")).length).toBeLessThan(5 + 2 * 12);
  expect(before.filter((to) => to.startsWith("two")).length).toBeLessThan(5 + 2 * 12);
});

test("a code that could not leave in its ten minutes is not sent any more; a ticket is", async () => {
  const { accountId } = await service.business();
  await queue([
    { accountId, mail: code, to: "code" },
    { accountId, mail: ticket, to: "buyer" },
  ]);
  service.deps.clock.shiftTo(service.deps.clock.offsetMs() + 11 * 60 * second);
  const begun: string[] = [];
  const worker = noting(begun);
  await eventually(async () => {
    const { rowCount } = await service.deps.pool.query(sql`select 1 from mails where next_attempt_at is not null`);
    return rowCount === 0;
  });
  await worker.stop();
  expect(begun).toEqual(["buyer"]);
  const { rows } = await service.deps.pool.query(sql`select sent_at, body_text from mails where kind = 'code'`);
  expect(rows).toEqual([{ sent_at: null, body_text: null }]);
});
