import { type ChainedEntry, chainColumns, chainHash, contentOf, timesHash } from "../../access/accounts/audit-chain.ts";
import type { Client } from "../../db/pool.ts";

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
 * was cut off. Entries of before the chain are none of it until the fill has taken them in.
 */
export async function auditChecks(client: Client): Promise<string[]> {
  const { rowCount: isFilling } = await client.query(
    "select from fills where name = 'audit_chain' and finished_at is null",
  );
  const { rows: heads } = await client.query<Head>(
    "select account_id, count, hash, kept_seq, kept_hash from audit_heads order by account_id",
  );
  const ends = new Map(heads.map((head) => [head.account_id, head]));
  const problems = isFilling ? [] : await unchained(client, ends);
  const chains = new Map<string, Walk>();
  for await (const entry of entriesInOrder(client)) {
    let walk = chains.get(entry.account_id);
    if (!walk) {
      walk = walkFrom(ends.get(entry.account_id));
      chains.set(entry.account_id, walk);
    }
    problems.push(...step(walk, entry));
  }
  for (const head of heads) problems.push(...endProblems(head, chains.get(head.account_id) ?? walkFrom(head)));
  return problems;
}

async function unchained(client: Client, ends: ReadonlyMap<string, Head>): Promise<string[]> {
  const { rows: entries } = await client.query<{ account_id: string; id: string }>(
    "select account_id, id from audit_log where seq is null order by account_id, created_at, id limit 1000",
  );
  // Told apart here: accounts and the ends of their chains stand on different nodes.
  const { rows: accounts } = await client.query<{ id: string }>("select id from accounts order by id");
  return [
    ...entries.map(
      ({ account_id, id }) => `${of(account_id)}: la línea ${id} no tiene número: nadie la escribió con el servicio`,
    ),
    ...accounts
      .filter(({ id }) => !ends.has(id))
      .map(({ id }) => `${of(id)}: falta el final de la cadena; se borró entera`),
  ];
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

function of(accountId: string): string {
  return `registro de actividad de la cuenta ${accountId}`;
}
