import { newClient } from "../../db/client.ts";
import type { Pool } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";

type Client = ReturnType<typeof newClient>;

const oldestServerVersion = 150_000;

/** A database that Mostrador cannot use, with a message for its operator. */
export class UnfitDatabase extends Error {}

/** Refuses databases that would otherwise cause obscure failures later. */
export async function checkDatabase(pool: Pool, url: string): Promise<void> {
  const { version, encoding, isPooled } = await inspect(pool);
  if (Number(version) < oldestServerVersion)
    throw new UnfitDatabase("PostgreSQL es demasiado antiguo: Mostrador necesita la versión 15 o una más nueva.");
  if (encoding !== "UTF8")
    throw new UnfitDatabase(
      `La base de datos está en ${encoding} y Mostrador necesita UTF8. Cree otra con: createdb --encoding=UTF8 --template=template0 mostrador`,
    );
  if (isPooled && (await sharesSessions(url)))
    throw new UnfitDatabase(
      "Entre Mostrador y PostgreSQL hay un pooler (PgBouncer u otro) que cambia de sesión en cada transacción: así faltan LISTEN, los bloqueos de sesión, SET y las sentencias preparadas. Póngalo en pool_mode = session, o apunte DATABASE_URL directamente a PostgreSQL.",
    );
}

async function inspect(pool: Pool) {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ version: string; encoding: string; pid: number }>(`
      select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding,
        pg_backend_pid() as pid`);
    const { version, encoding, pid } = oneRow(rows);
    // Without a pooler the backend is the one that answered when connecting.
    return { version, encoding, isPooled: pid !== client.processID };
  } finally {
    client.release();
  }
}

/** A busy pooler may by chance assign the same session again: each check makes that less likely. */
const checks = 5;

/** Whether a pooler assigns sessions per transaction instead of per connection. */
async function sharesSessions(url: string): Promise<boolean> {
  const [one, other] = [separateClient(url), separateClient(url)];
  try {
    await Promise.all([one.connect(), other.connect()]);
    const first = await backendOf(one);
    for (let check = 0; check < checks; check++) {
      // While the other transaction is open, no other connection gets its session.
      await other.query("begin");
      if ((await backendOf(other)) === first || (await backendOf(one)) !== first) return true;
      await other.query("rollback");
    }
    return false;
  } catch (error) {
    // PgBouncer's statement mode refuses transactions altogether.
    if ((error as Error).message.includes("statement pooling mode")) return true;
    throw error;
  } finally {
    for (const client of [one, other]) void client.end().catch(() => {});
  }
}

function separateClient(url: string): Client {
  const client = newClient({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 5_000 });
  client.on("error", () => {});
  return client;
}

async function backendOf(client: Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return oneRow(rows).pid;
}
