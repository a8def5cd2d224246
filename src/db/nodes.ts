import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { second } from "../lib/clock.ts";
import { newClient } from "./client.ts";
import { firstTable, isCitusPool } from "./distribute.ts";
import type { Pool, Queryable } from "./pool.ts";
import { unlessNodeAway } from "./transaction.ts";

const checkEveryMs = 2 * second;
/** A node that takes longer to answer `select 1` is of no use to anybody. */
const timeoutMs = 5 * second;
/** While a node is away the accounts are read anew this often: some may have been moved. */
const rereadMs = 10 * second;

/** The nodes of a Citus, watched from this process. On a plain PostgreSQL there is nothing to watch. */
export interface NodeWatch {
  /** The addresses of the nodes that do not answer. */
  away(): readonly string[];
  /** Tells the functions below, when they are given this pool, what the watch has found. */
  share(pool: Pool): void;
  stop(): Promise<void>;
}

/** Which accounts cannot be reached now. */
interface Reach {
  away: ReadonlySet<string>;
  /** The accounts that can be reached, by shard. Undefined while all can: they need not be told apart then. */
  living: readonly (readonly string[])[] | undefined;
}

const everywhere: Reach = { away: new Set(), living: undefined };
/** What a watch has found last. */
export interface WatchedNodes {
  reach: Reach;
}

type Watched = Pick<Queryable, "nodes">;

/** Whether the account's node does not answer. */
export function isAccountAway({ nodes }: Watched, accountId: string): boolean {
  return nodes?.reach.away.has(accountId) ?? false;
}

/** The accounts whose nodes do not answer. */
export function awayAccounts({ nodes }: Watched): string[] {
  return [...(nodes?.reach.away ?? [])];
}

/** The part of a distributed table that a statement is for. */
export interface Part {
  /** A condition on the column with the account's id. `place` is the number of the first parameter in `values`. */
  of(column: string, place: number): string;
  values: readonly unknown[];
}

const whole: Part = { of: () => "true", values: [] };

/**
 * For a statement about the rows of all accounts. It runs once; while a node is away, which would make it fail, once for each
 * shard on the others, with the accounts that lie there.
 */
export async function ofAllAccounts<Row>(db: Queryable, run: (part: Part) => Promise<Row[]>): Promise<Row[]> {
  const living = db.nodes?.reach.living;
  if (!living) return run(whole);
  const found: Row[] = [];
  for (const accountIds of living) {
    const part: Part = { of: (column, place) => `${column} = any ($${place}::uuid[])`, values: [accountIds] };
    // A node may have gone since.
    found.push(...((await unlessNodeAway(run(part))) ?? []));
  }
  return found;
}

export interface NodeWatchOptions {
  /** Called when other nodes are away than before. */
  onChange?: (away: readonly string[]) => void;
}

/** Asks every node for a sign of life, before anybody waits for one that has gone. */
export async function watchNodes(pool: Pool, url: string, options: NodeWatchOptions = {}): Promise<NodeWatch> {
  const watch: WatchedNodes = { reach: everywhere };
  let away: readonly string[] = [];
  if (!(await isCitusPool(pool))) return { away: () => away, share() {}, async stop() {} };
  const connection = probeConnection(url);
  let readAtMs = 0;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  async function check(): Promise<void> {
    const found = (await probe(connection)).filter(({ answers }) => !answers);
    const addresses = found.map(({ address }) => address);
    const isOther = addresses.join() !== away.join();
    if (isOther || (addresses.length > 0 && performance.now() - readAtMs > rereadMs)) {
      watch.reach = found.length === 0 ? everywhere : await readReach(pool, new Set(found.map(({ group }) => group)));
      readAtMs = performance.now();
    }
    away = addresses;
    if (isOther) options.onChange?.(away);
  }

  async function checkAndSchedule(): Promise<void> {
    // Without the coordinator nobody is reached, and others tell that.
    await check().catch(() => {});
    if (isStopped) return;
    timer = setTimeout(() => {
      running = checkAndSchedule();
    }, checkEveryMs).unref();
  }
  pool.nodes = watch;
  let running = checkAndSchedule();
  await running;
  return {
    away: () => away,
    share(other) {
      other.nodes = watch;
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
      connection.close();
    },
  };
}

interface ProbedNode {
  group: number;
  address: string;
  answers: boolean;
}

const nodes = "pg_dist_node where isactive and noderole = 'primary'";
const named = "groupid as group, nodename || ':' || nodeport as address";
const sign = "citus_check_connection_to_node(nodename, nodeport) as answers";

/**
 * Asks all nodes in one statement. If one neither answers nor refuses, there is no result, and each is asked by itself. The
 * connections are none of a pool: one that waits for a node that is gone may not be usable for a long time.
 */
async function probe(connection: ProbeConnection): Promise<ProbedNode[]> {
  const all = await connection.ask<ProbedNode>(`select ${named}, ${sign} from ${nodes} order by groupid`);
  if (all) return all;
  const known = await connection.ask<ProbedNode>(`select ${named} from ${nodes} order by groupid`);
  return Promise.all((known ?? []).map((node) => probeOne(connection.url, node)));
}

async function probeOne(url: string, node: ProbedNode): Promise<ProbedNode> {
  const connection = probeConnection(url);
  try {
    const answer = await connection.ask<ProbedNode>(`select ${sign} from ${nodes} and groupid = ${node.group}`);
    return { ...node, answers: answer?.[0]?.answers ?? false };
  } finally {
    connection.close();
  }
}

interface ProbeConnection {
  url: string;
  /** Resolves with undefined, and closes the connection, if there is no result in time. Rejects without the coordinator. */
  ask<Row extends object>(text: string): Promise<Row[] | undefined>;
  close(): void;
}

function probeConnection(url: string): ProbeConnection {
  let open: pg.Client | undefined;
  function close(): void {
    void open?.end().catch(() => {});
    open = undefined;
  }
  return {
    url,
    close,
    async ask<Row extends object>(text: string) {
      try {
        open ??= await openProbe(url);
        const asked = open.query<Row>(text).then(({ rows }) => rows);
        const rows = await Promise.race([asked, delay(timeoutMs, undefined, { ref: false })]);
        asked.catch(() => {});
        if (!rows) close();
        return rows;
      } catch (error) {
        close();
        throw error;
      }
    },
  };
}

async function openProbe(url: string): Promise<pg.Client> {
  const client = newClient({
    connectionString: url,
    application_name: "mostrador nodes",
    connectionTimeoutMillis: timeoutMs,
  });
  client.on("error", () => {});
  await client.connect();
  await client.query(`set citus.node_connection_timeout = ${timeoutMs - 500}`);
  return client;
}

/** Which shard an account lies on follows from its id. */
async function readReach(pool: Pool, awayGroups: ReadonlySet<number>): Promise<Reach> {
  const { rows } = await pool.query<{ group: number; ids: string[] }>(`
    select p.groupid as group, array_agg(a.id) as ids
    from (select id, get_shard_id_for_distribution_column('${firstTable}', id) as shard from accounts) a
    join pg_dist_placement p on p.shardid = a.shard
    group by p.groupid, p.shardid`);
  const isAway = ({ group }: { group: number }) => awayGroups.has(group);
  return {
    away: new Set(rows.filter(isAway).flatMap(({ ids }) => ids)),
    living: rows.filter((row) => !isAway(row)).map(({ ids }) => ids),
  };
}
