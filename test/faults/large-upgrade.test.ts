import { writeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { createPool } from "../../src/db/create-pool.ts";
import { type Pool, withoutTimeouts } from "../../src/db/pool.ts";
import { type ApiClient, apiClient } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { fillWith, formerVersion } from "../support/former-version.ts";
import { longRun } from "../support/long-run.ts";
import { mostradorJson, projectDir, startMostrador } from "../support/process.ts";
import { emptyDatabase } from "../support/service.ts";

const { value: rows, isLong } = longRun("UPGRADE_ROWS", process.env.LONG ? 1_500_000 : 2_000);
/** For how long the fill behind is watched; with many rows it goes on for longer. */
const watchMs = process.env.LONG || isLong ? 60_000 : 1_000;

test("a large table is upgraded in place while a former process serves, and filled behind", {
  timeout: 3_600_000,
}, async (context) => {
  await using former = await formerVersion();
  if (!former) return context.skip("this tree does not have the commit of the former version");
  await using database = await emptyDatabase();
  const env = {
    DATABASE_URL: database.url,
    SECRET_KEY: "k".repeat(32),
    RATE_LIMIT_PER_SECOND: "0",
    LOG_LEVEL: "fatal",
  };
  const { office } = await fillWith(former.project, env);
  const pool = createPool({ url: database.url, max: 2, applicationName: "test" });
  await using _ended = { [Symbol.asyncDispose]: () => pool.end() };
  const old = await startMostrador(env, ["--only", "api"], undefined, former.project);
  await using _killed = { [Symbol.asyncDispose]: () => old.kill() };
  const oldApi = apiClient(old.url, { authorization: `Bearer ${office.key}` });
  await addCustomers(pool, oldApi, office.accountId);
  const files = await filesOf(pool);

  const probe = startProbe(oldApi);
  try {
    await delay(watchMs / 4);
    probe.enter("migrating");
    expect((await mostradorJson(["migrate"], env)).applied.length).toBeGreaterThan(0);
    // A table that was written anew would have another file.
    expect(await filesOf(pool, Object.keys(files))).toEqual(files);
    probe.enter("a new process starts");
    const started = await startMostrador(env, ["--only", "api"], undefined, projectDir);
    await using _stopped = { [Symbol.asyncDispose]: () => started.kill() };
    probe.also(apiClient(started.url, { authorization: `Bearer ${office.key}` }));
    probe.enter("filling");
    await delay(watchMs);
    const { seen } = await eventually(async () => {
      const [fill] = (await pool.query("select rows_seen as seen, finished_at from fills where name = 'search_keys'"))
        .rows;
      return (watchMs > 1_000 || fill.finished_at !== null) && fill.seen > 0 && fill;
    });
    const { odd, waits } = await probe.end();
    expect(odd).toEqual([]);
    writeSync(2, `${rows} customers, ${seen} filled behind\n${told(waits)}\n`);
  } finally {
    await probe.end();
  }
});

/** Copies of one that the API made, with keys that are none of today's: the fill has to write each. */
async function addCustomers(pool: Pool, api: ApiClient, accountId: string): Promise<void> {
  const { body } = await api.post("/customers", { name: "Luz Rojas", document_number: "1020304050" });
  await withoutTimeouts(pool, async (client) => {
    const { rows: columns } = await client.query<{ name: string }>(`
      select attname as name from pg_attribute where attrelid = 'customers'::regclass and attnum > 0 and not attisdropped
        and attname not in ('id', 'body', 'search_keys')`);
    const names = columns.map(({ name }) => name).join(", ");
    const step = 50_000;
    for (let from = 0; from < rows; from += step) {
      await client.query(
        `insert into customers (id, body, search_keys, ${names})
         select n.id, replace(c.body::text, $2, n.id::text)::json, array(select (n.i * 20 + k) from generate_series(1, 12) k), ${names}
         from customers c cross join (select gen_random_uuid() as id, i from generate_series($3::int, $4::int) i) n
         where c.account_id = $1 and c.id = $2::uuid`,
        [accountId, body.id, from, Math.min(rows, from + step) - 1],
      );
    }
    await client.query("analyze customers");
  });
}

async function filesOf(pool: Pool, names?: string[]): Promise<Record<string, number>> {
  const { rows: found } = await pool.query<{ name: string; file: number }>(
    `select relname as name, pg_relation_filenode(oid)::int as file from pg_class
     where relkind = 'r' and relnamespace = current_schema()::regnamespace and ($1::text[] is null or relname = any($1)) order by 1`,
    [names ?? null],
  );
  return Object.fromEntries(found.map(({ name, file }) => [name, file]));
}

interface Wait {
  kind: "reads" | "writes";
  phase: string;
  ms: number;
}

/** One reader and one writer at each process, nearly without a pause; each notes how long it waited, and in which phase it ended. */
function startProbe(first: ApiClient) {
  const [waits, odd, running]: [Wait[], string[], Promise<void>[]] = [[], [], []];
  let phase = "before";
  let isOn = true;
  async function repeat(kind: Wait["kind"], send: (i: number) => ReturnType<ApiClient["get"]>): Promise<void> {
    for (let i = 0; isOn; i++) {
      const at = performance.now();
      const { status, text } = await send(i);
      waits.push({ kind, phase, ms: performance.now() - at });
      if (status >= 300) odd.push(text);
      await delay(5);
    }
  }
  function also(api: ApiClient): void {
    running.push(repeat("reads", () => api.get("/customers?limit=20")));
    running.push(repeat("writes", (i) => api.post("/customers", { name: `Sonda ${i}` })));
  }
  also(first);
  return {
    also,
    enter(next: string) {
      phase = next;
    },
    async end() {
      isOn = false;
      await Promise.all(running);
      return { waits, odd };
    },
  };
}

function told(waits: readonly Wait[]): string {
  const groups = Map.groupBy(waits, ({ phase, kind }) => `${phase}, ${kind}`);
  return Array.from(groups, ([name, list]) => {
    const sorted = list.map(({ ms }) => ms).toSorted((a, b) => a - b);
    const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
    return `  ${name}: ${sorted.length}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
  }).join("\n");
}
