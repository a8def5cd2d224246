import { setTimeout as delay } from "node:timers/promises";
import { sql } from "../../src/db/sql.ts";
import { queueMail } from "../../src/mail/queue-mail.ts";
import { ticketMail } from "../../src/mail/ticket-mail.ts";
import { startMostrador } from "../../test/support/process.ts";
import { startSmtp } from "../../test/support/smtp.ts";
import type { BenchOptions } from "../options.ts";
import { type Bench, type BenchShop, benchSecretKey, newShop, startBench } from "../support/dataset.ts";
import type { Figure } from "../support/measure.ts";

const waitingTickets = 500;
const serverMs = 300;
const allowedMs = 5_000;
const deadlineMs = 60_000;

/** How a slow mail server takes its mails. */
const servers = {
  "several mails at once": () => () => delay(serverMs),
  "one mail after the other": () => {
    let line = Promise.resolve();
    return () => {
      line = line.then(() => delay(serverMs));
      return line;
    };
  },
};

/** One business has hundreds of tickets to mail over a slow server; measures when the code of another's owner arrives. */
export async function measureMail({ rounds, note }: Pick<BenchOptions, "rounds" | "note">): Promise<Figure[]> {
  const bench = await startBench();
  try {
    const figures: Figure[] = [];
    for (const [name, answer] of Object.entries(servers)) {
      const timesMs = await codeTimes(bench, answer(), rounds, (text) =>
        note(`mail, a server that takes ${name}: ${text}`),
      );
      const worst = Math.round(Math.max(...timesMs));
      figures.push({
        name: `a neighbour's code beside ${waitingTickets} waiting tickets, ${name} in ${serverMs} ms, at most`,
        unit: "ms",
        ours: worst,
        limit: allowedMs,
        ratio: worst / allowedMs,
      });
    }
    return figures;
  } finally {
    await bench.stop();
  }
}

async function codeTimes(
  bench: Bench,
  answer: () => Promise<void>,
  rounds: number,
  note: (text: string) => void,
): Promise<number[]> {
  await using smtp = await startSmtp({ answer });
  const crowded = await newShop(bench);
  const neighbours: BenchShop[] = [];
  for (let round = 0; round < rounds; round++) neighbours.push(await newShop(bench));
  const service = await startMostrador({ DATABASE_URL: bench.url, SECRET_KEY: benchSecretKey, SMTP_URL: smtp.url });
  try {
    const timesMs: number[] = [];
    for (const neighbour of neighbours) {
      await queueTickets(bench, crowded);
      // Until the service has as many under way as it takes.
      await delay(2_000);
      const email = await emailOf(bench, neighbour);
      const startedAt = performance.now();
      const asked = await fetch(`${service.url}/portal/api/password-resets`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email }),
      });
      if (asked.status !== 202) throw new Error(`no code was asked for: ${asked.status}`);
      while (!smtp.received.some(({ to }) => to === email)) {
        if (performance.now() - startedAt > deadlineMs) throw new Error("the code never arrived");
        await delay(5);
      }
      timesMs.push(performance.now() - startedAt);
      const sent = smtp.received.filter(({ to }) => to.startsWith("comprador")).length;
      note(`the code arrived after ${Math.round(timesMs.at(-1)!)} ms, ${sent} tickets had`);
    }
    return timesMs;
  } finally {
    await service.stop();
    await bench.pool.query(sql`delete from mails`);
  }
}

/** Fills the crowd's queue up to its number again. */
async function queueTickets(bench: Bench, { accountId }: BenchShop): Promise<void> {
  const { rows } = await bench.pool.query<{ waiting: number }>(sql`
    select count(*)::int as waiting from mails where account_id = ${accountId} and next_attempt_at is not null`);
  const unsubscribe = "https://pos.example.com/baja";
  const ticket = ticketMail({ business: "Tienda", contact: null, day: "hoy", lines: [], total: "$ 1", unsubscribe });
  const at = bench.clock.now();
  await bench.partitions.ensure(at);
  for (let i = rows[0]!.waiting; i < waitingTickets; i++)
    await queueMail(bench.pool, accountId, at, ticket, `comprador${i}@example.com`);
}

async function emailOf({ pool }: Bench, { accountId }: BenchShop): Promise<string> {
  const { rows } = await pool.query<{ email: string }>(sql`select email from accounts where id = ${accountId}`);
  return rows[0]!.email;
}

if (import.meta.main) console.log(await measureMail({ rounds: 5, note: (text) => console.error(text) }));
