import { afterEach, expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { queueMail } from "../../src/mail/queue-mail.ts";
import { codeMail, securityNoticeMail } from "../../src/mail/templates.ts";
import { ticketMail } from "../../src/mail/ticket-mail.ts";
import { eventually } from "../support/eventually.ts";
import { perTest } from "../support/fixtures.ts";
import { type StartedService, startMostrador } from "../support/process.ts";
import { type Service, startService } from "../support/service.ts";
import { type SmtpReceiver, startSmtp } from "../support/smtp.ts";

const service = perTest(() => startService());

const started = new Set<StartedService>();
afterEach(async () => {
  for (const process of started) await process.kill();
  started.clear();
});

async function workers(at: Service, smtp: SmtpReceiver): Promise<StartedService> {
  const process = await startMostrador(
    { DATABASE_URL: at.databaseUrl, SECRET_KEY: at.deps.config.secretKey, SMTP_URL: smtp.url, LOG_LEVEL: "info" },
    ["--only", "workers"],
  );
  started.add(process);
  return process;
}

const ticket = ticketMail({
  business: "Tienda",
  contact: null,
  day: "hoy",
  lines: [],
  total: "$ 1",
  unsubscribe: "https://pos.example/baja",
});
const code = codeMail("123456", { title: "crear una clave", lines: [] }, 10);

async function queue(...mails: Parameters<typeof queueMail>[3][]): Promise<string> {
  const { accountId } = await service.business();
  const { pool, partitions, clock } = service.deps;
  await partitions.ensure(clock.now());
  for (const [i, mail] of mails.entries())
    await queueMail(pool, accountId, clock.now(), mail, `buyer.${i}@private.example`);
  return accountId;
}

test("no line of the log and no metric holds a recipient or a subject, whether a mail goes, fails or is refused", async () => {
  const said = [undefined, { status: 451, words: "4.7.1" }, { status: 550, words: "5.1.1" }];
  await using smtp = await startSmtp({
    refuses(address) {
      const answer = said[Number(/^buyer\.(\d)/.exec(address)![1])];
      return answer && { ...answer, words: `${answer.words} <${address}> rejected` };
    },
  });
  await queue(code, ticket, ticket, securityNoticeMail("https://pos.example", { title: "secreto", lines: [] }));
  const process = await workers(service, smtp);
  const outcomes = ["mail sent", "mail not accepted", "mail dropped"];
  const log = await eventually(() => outcomes.every((one) => process.printed().includes(one)) && process.printed());
  const metrics = await (await fetch(`${process.adminUrl}/metrics`)).text();
  await process.stop();
  for (const text of [log, process.printed(), metrics])
    expect(text).not.toMatch(/private\.example|buyer\.|es su código|123456|secreto|Su compra/);
  expect(log).toContain("(correo)");
  expect(metrics).toMatch(/mostrador_mail_attempts_total\{outcome="dropped"\} 1/);
  const { rows } = await service.deps.pool.query(sql`select last_error from mails where last_error is not null`);
  expect(JSON.stringify(rows)).not.toContain("private.example");
});

test("what a killed process was sending goes from another once its lease has ended, a code within a minute or so", async () => {
  const stuck = Promise.withResolvers<void>();
  let isStuck = true;
  await using smtp = await startSmtp({ answer: () => (isStuck ? stuck.promise : undefined) });
  await queue(code, ticket);
  const first = await workers(service, smtp);
  await eventually(() => smtp.held.length === 2);
  await first.kill();
  isStuck = false;
  const { rows } = await service.deps.pool.query<{ kind: string; seconds: number }>(sql`
    select kind, extract(epoch from leased_until - clock_timestamp())::float8 as seconds from mails order by kind`);
  expect(rows.map(({ kind }) => kind)).toEqual(["code", "ticket"]);
  expect(rows[0]!.seconds).toBeLessThanOrEqual(60);
  expect(rows[1]!.seconds).toBeLessThanOrEqual(120);
  const second = await workers(service, smtp);
  await service.deps.pool.query(sql`update mails set leased_until = ${new Date(Date.now() - 1_000)}`);
  await eventually(async () => {
    const sent = await service.deps.pool.query(sql`select 1 from mails where sent_at is not null`);
    return sent.rowCount === 2;
  });
  stuck.resolve();
  await second.stop();
  expect(new Set(smtp.received.map(({ to }) => to)).size).toBe(2);
});
