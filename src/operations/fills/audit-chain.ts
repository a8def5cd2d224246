import { chainHash, contentOf, type SaidEntry, saidColumns } from "../../access/accounts/audit-chain.ts";
import type { Client } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import { sql, unnested } from "../../db/sql.ts";
import { type Batch, chainsJustNow } from "./batch.ts";

/** The end of an account's chain is held for one batch: some milliseconds. */
const batchSize = 500;

/** Processes of before change an entry for an hour. */
const settled = `seq is null and (not ${chainsJustNow} or created_at < now() - interval '1 hour')`;

/**
 * Takes entries of before into the chain of the next account that has any, after what was written since. As long as processes of before may
 * write more of them, it is asked again every minute; at the end every account has an end of its chain, were it of no entry.
 */
export async function auditChainBatch(client: Client): Promise<Batch | undefined> {
  const { rows } = await client.query<{ account_id: string }>(
    `select account_id from audit_log where ${settled} order by account_id limit 1`,
  );
  const account = rows[0]?.account_id;
  if (account !== undefined) {
    const chained = await chainEntries(client, account);
    return { seen: chained, changed: chained, position: {} };
  }
  const { rowCount } = await client.query(`select where ${chainsJustNow}`);
  if (rowCount !== 0) return { seen: 0, changed: 0, position: {}, waits: true };
  await client.query(`
    insert into audit_heads (account_id, count, previous, hash) select id, 0, '', '' from accounts
    on conflict (account_id) do nothing`);
  return undefined;
}

interface End {
  count: number;
  previous: Buffer;
  hash: Buffer;
}

async function chainEntries(client: Client, accountId: string): Promise<number> {
  const { rows: ends } = await client.query<End>(sql`
    insert into audit_heads (account_id, count, previous, hash) values (${accountId}, 0, '', '')
    on conflict (account_id) do update set count = audit_heads.count returning count, previous, hash`);
  const { rows: entries } = await client.query<SaidEntry>(
    `
    select ${saidColumns} from audit_log where account_id = $1 and ${settled} order by created_at, id limit ${batchSize}`,
    [accountId],
  );
  let end = oneRow(ends);
  const links = entries.map((entry) => {
    const count = end.count + 1;
    end = { count, previous: end.hash, hash: chainHash(end.hash, count, contentOf(entry)) };
    return { ...end, id: entry.id, created_at: entry.created_at };
  });
  await client.query({
    text: `update audit_log l set seq = u.seq, previous = u.previous, hash = u.hash
      from ${unnested("$2::timestamptz[]", "$3::uuid[]", "$4::bigint[]", "$5::bytea[]", "$6::bytea[]")} u (created_at, id, seq, previous, hash)
      where l.account_id = $1 and l.created_at = u.created_at and l.id = u.id`,
    values: [
      accountId,
      links.map(({ created_at }) => created_at),
      links.map(({ id }) => id),
      links.map(({ count }) => count),
      links.map(({ previous }) => previous),
      links.map(({ hash }) => hash),
    ],
  });
  await client.query(sql`
    update audit_heads set count = ${end.count}, previous = ${end.previous}, hash = ${end.hash}
    where account_id = ${accountId}`);
  return links.length;
}
