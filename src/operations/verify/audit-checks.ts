import { type ChainedEntry, chainColumns, chainHash, contentOf, timesHash } from "../../access/accounts/audit-chain.ts";
import type { Client } from "../../db/pool.ts";
import { day } from "../../lib/clock.ts";

const batchSize = 1000;

/** The end of a chain, as it stands beside its entries. */
interface Head {
  account_id: string;
  count: number;
  hash: Buffer;
  kept_seq: number;
  kept_hash: Buffer;
}

/**
 * Follows the chain of each account's audit log: names the entry that was changed, removed, inserted or exchanged, and an end that
 * was cut off. Entries of before the chain are none of it until the fill has taken them in, and nobody else's are: a row that says
 * that the fill is open excuses no account that is younger than the chain.
 */
export async function auditChecks(client: Client): Promise<{ problems: string[]; under_way: string[] }> {
  const { rows: heads } = await client.query<Head>(
    "select account_id, count, hash, kept_seq, kept_hash from audit_heads order by account_id",
  );
  const ends = new Map(heads.map((head) => [head.account_id, head]));
  const { rows: accounts } = await client.query<Account>("select id, created_at from accounts order by id");
  const filling = await readFilling(client, accounts);
  const problems = [...filling.problems, ...(await unchained(client, filling))];
  const chains = new Map<string, Walk>();
  for await (const entry of entriesInOrder(client)) {
    let walk = chains.get(entry.account_id);
    if (!walk) {
      walk = walkFrom(ends.get(entry.account_id));
      chains.set(entry.account_id, walk);
    }
    problems.push(...step(walk, entry));
  }
  // Told apart here: accounts and the ends of their chains stand on different nodes.
  const due = accounts.filter(({ id }) => !filling.awaited.has(id)).map(({ id }) => id);
  for (const id of new Set([...due, ...chains.keys()]))
    if (!ends.has(id)) problems.push(`${of(id)}: falta el final de la cadena; se borró entera`);
  for (const head of heads) problems.push(...endProblems(head, chains.get(head.account_id) ?? walkFrom(head)));
  return { problems, under_way: filling.said };
}

interface Account {
  id: string;
  created_at: Date;
}

interface Filling {
  /** The accounts whose entries of before may still be without a number. */
  awaited: ReadonlySet<string>;
  /** Entries until then may be of before. */
  until: Date;
  said: string[];
  problems: string[];
}

/** Processes of before went on for an hour, and the fill takes minutes. */
const mostFilling = day;

async function readFilling(client: Client, accounts: readonly Account[]): Promise<Filling> {
  const { rows } = await client.query<{ applied_at: Date; is_late: boolean }>(
    `select min(applied_at) as applied_at, min(applied_at) < now() - $1 * interval '1 millisecond' as is_late from migrations
      where name like '%audit-chain%'
        and exists (select from fills where name = 'audit_chain' and finished_at is null) having count(*) > 0`,
    [mostFilling],
  );
  const [open] = rows;
  if (!open) return { awaited: new Set(), until: new Date(0), said: [], problems: [] };
  const before = accounts.filter(({ created_at }) => created_at < open.applied_at);
  const awaited = new Set(before.map(({ id }) => id));
  const until = new Date(open.applied_at.getTime() + mostFilling);
  const since = open.applied_at.toISOString();
  if (awaited.size === 0)
    return {
      awaited,
      until,
      said: [],
      problems: [`${log}: dice que falta encadenar lo de antes, y no hay cuentas de antes`],
    };
  const text = `${log}: lo anterior al ${since} aún se encadena, y no se comprueba`;
  return open.is_late
    ? {
        awaited,
        until,
        said: [],
        problems: [`${text}; ya debía haber terminado: deje el servicio en marcha, o alguien lo abrió otra vez`],
      }
    : { awaited, until, said: [text], problems: [] };
}

async function unchained(client: Client, { awaited, until }: Filling): Promise<string[]> {
  const { rows: entries } = await client.query<{ account_id: string; id: string }>(
    `select account_id, id from audit_log
      where seq is null and not (account_id = any($1::uuid[]) and created_at <= $2)
      order by account_id, created_at, id limit 1000`,
    [[...awaited], until],
  );
  return entries.map(
    ({ account_id, id }) => `${of(account_id)}: la línea ${id} no tiene número: nadie la escribió con el servicio`,
  );
}

async function* entriesInOrder(client: Client): AsyncGenerator<ChainedEntry> {
  let after: [string, number] = ["00000000-0000-0000-0000-000000000000", 0];
  for (;;) {
    const { rows } = await client.query<ChainedEntry>(
      `select ${chainColumns} from audit_log where seq is not null and (account_id, seq) > ($1::uuid, $2::bigint)
        order by account_id, seq limit ${batchSize}`,
      after,
    );
    yield* rows;
    const last = rows.at(-1);
    if (!last) return;
    after = [last.account_id, last.seq];
  }
}

/** What the next entry of a chain must follow. */
interface Walk {
  seq: number;
  hash: Buffer;
  /** What follows an entry that was changed says nothing of itself. */
  isIntact: boolean;
  /** Entries whose details were replaced, until the later entry that tells it, and with which digest, is found. */
  replaced: Map<string, { where: string; digest: string }>;
}

function walkFrom(head: Head | undefined): Walk {
  return { seq: head?.kept_seq ?? 0, hash: head?.kept_hash ?? Buffer.alloc(0), isIntact: true, replaced: new Map() };
}

function step(walk: Walk, entry: ChainedEntry): string[] {
  const where = `${of(entry.account_id)}: la línea ${entry.seq} (${entry.action}, ${entry.created_at.toISOString()}, ${entry.id})`;
  const problems: string[] = [];
  const gap = entry.seq - walk.seq - 1;
  if (gap > 0) problems.push(`${of(entry.account_id)}: ${missing(walk.seq + 1, entry.seq - 1)}`);
  const wasIntact = walk.isIntact;
  walk.isIntact = isIntact(entry);
  if (!walk.isIntact) problems.push(`${where} fue cambiada`);
  else if (gap === 0 && wasIntact && !entry.previous?.equals(walk.hash))
    problems.push(`${where} no sigue a la anterior: una de las dos fue cambiada o puesta después`);
  if (!isCounted(entry)) problems.push(`${where} fue cambiada: no son ${entry.times} veces`);
  if (entry.replaced) walk.replaced.set(entry.id, { where, digest: contentOf(entry).toString("hex") });
  if (entry.action === "audit.redacted") settle(walk, entry);
  walk.seq = entry.seq;
  walk.hash = entry.hash ?? Buffer.alloc(0);
  return problems;
}

function isIntact({ previous, hash, ...entry }: ChainedEntry): boolean {
  if (!previous || !hash) return false;
  return hash.equals(chainHash(previous, entry.seq, entry.replaced ?? contentOf(entry)));
}

function isCounted({ hash, times, times_hash }: ChainedEntry): boolean {
  if (times === null) return times_hash === null;
  return hash !== null && times_hash !== null && times_hash.equals(timesHash(hash, times));
}

/** Of an entry that was replaced more than once, the last digest is the one that fits. */
function settle(walk: Walk, { details }: ChainedEntry): void {
  const { entries } = JSON.parse(details) as { entries: { id: string; digest: string }[] };
  for (const { id, digest } of entries) if (walk.replaced.get(id)?.digest === digest) walk.replaced.delete(id);
}

function endProblems(head: Head, walk: Walk): string[] {
  const changed = [...walk.replaced.values()].map(({ where }) => `${where} fue cambiada: ninguna posterior lo dice`);
  return [...changed, ...tailProblems(head, walk)];
}

function tailProblems(head: Head, walk: Walk): string[] {
  if (walk.seq < head.count) return [`${of(head.account_id)}: ${missing(walk.seq + 1, head.count)}, al final`];
  if (walk.seq > head.count)
    return [`${of(head.account_id)}: sobran líneas después de la ${head.count}: alguien las puso después`];
  return walk.hash.equals(head.hash)
    ? []
    : [`${of(head.account_id)}: el final de la cadena no es el de la línea ${head.count}`];
}

function missing(first: number, last: number): string {
  return first === last ? `falta la línea ${first}` : `faltan las líneas ${first} a ${last}`;
}

const log = "registro de actividad";

function of(accountId: string): string {
  return `${log} de la cuenta ${accountId}`;
}
