import { type Client, type Pool, type Queryable, withoutTimeouts } from "./pool.ts";
import { oneRow } from "./read.ts";

/** Processes that start together wait for this lock, and then find the work done. */
const distributionLock = 7_042_600_005n;

/** Every other table of a business's data lies beside this one, shard by shard. */
export const firstTable = "account_clock";

/** The tables that were placed on the nodes just now; those of earlier runs are not named. */
export interface Distribution {
  nodes: number;
  distributed: string[];
  /** Copied to every node. */
  copied: string[];
}

/** Whether the database has the extension, so that tables can be distributed over its nodes. */
export async function isCitus(db: Pick<Queryable, "query">): Promise<boolean> {
  const { rowCount } = await db.query("select from pg_extension where extname = 'citus'");
  return rowCount !== 0;
}

/** Asked once for each pool: an extension does not come or go while a process runs. */
export async function isCitusPool(pool: Pool): Promise<boolean> {
  pool.hasCitus ??= await isCitus(pool);
  return pool.hasCitus;
}

/** Whether an installation on Citus has data that is not distributed yet: moving it takes long, and wants a decision. */
export async function awaitsDistribution(pool: Pool): Promise<boolean> {
  if (!(await isCitus(pool)) || (await placedTables(pool)).includes(firstTable)) return false;
  const { rowCount } = await pool.query("select from accounts limit 1");
  return rowCount !== 0;
}

/**
 * On Citus, distributes every table of a business's data by account, all in one colocation group: an account's rows are on
 * one node. `accounts`, to which they refer, is copied to every node; the other directories stay on the coordinator.
 * Can be repeated and goes on where it was interrupted. Returns undefined on a plain PostgreSQL.
 */
export async function distribute(
  pool: Pool,
  onTable: (name: string) => void = () => {},
): Promise<Distribution | undefined> {
  if (!(await isCitus(pool))) return undefined;
  return withoutTimeouts(pool, async (client) => {
    // Held by the session, which ends with this: each table is a transaction of its own, and may take long to copy.
    await client.query(`select pg_advisory_lock(${distributionLock})`);
    const nodes = await countNodes(client);
    const copied = (await placedTables(client)).includes("accounts") ? [] : ["accounts"];
    for (const name of copied) {
      onTable(name);
      await place(client, name, "select create_reference_table($1::regclass)", [name]);
    }
    const distributed = await tablesToDistribute(client);
    for (const name of distributed) {
      onTable(name);
      const text = "select create_distributed_table($1::regclass, 'account_id', colocate_with => $2)";
      await place(client, name, text, [name, name === firstTable ? "none" : firstTable]);
    }
    return { nodes, distributed, copied };
  });
}

/** Citus leaves the rows that it copied to the nodes in the table's old place, where no query finds them. */
async function place(client: Client, name: string, text: string, values: string[]): Promise<void> {
  await client.query(text, values);
  await client.query("select truncate_local_data_after_distributing_table($1::regclass)", [name]);
}

async function countNodes(client: Client): Promise<number> {
  const { rows } = await client.query<{ nodes: number; has_coordinator: boolean }>(
    "select count(*)::int as nodes, coalesce(bool_or(groupid = 0), false) as has_coordinator from pg_dist_node where isactive",
  );
  const { nodes, has_coordinator: hasCoordinator } = oneRow(rows);
  if (!hasCoordinator)
    throw new Error(
      "Citus no conoce la dirección de su coordinador. Dígasela con: select citus_set_coordinator_host('su-dirección', 5432); y repita el comando.",
    );
  return nodes;
}

/** Of the tables with shards: distributed ones, and copied ones. */
async function placedTables(db: Pick<Queryable, "query">): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(`
    select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
    where c.relnamespace = current_schema()::regnamespace and (p.partmethod = 'h' or p.repmodel = 't')`);
  return rows.map(({ name }) => name);
}

/** Tables whose primary key begins with account_id belong to accounts (a test of the schema holds that). */
async function tablesToDistribute(client: Client): Promise<string[]> {
  const placed = new Set(await placedTables(client));
  const { rows } = await client.query<{ name: string }>(`
    select c.relname as name from pg_class c
    join pg_index i on i.indrelid = c.oid and i.indisprimary
    join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.attname = 'account_id'
    order by c.relname = '${firstTable}' desc, c.relname`);
  return rows.map(({ name }) => name).filter((name) => !placed.has(name));
}
