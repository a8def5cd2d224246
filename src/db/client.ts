import pg from "pg";
import { serverAddresses } from "../lib/database-address.ts";
import { must } from "../lib/must.ts";
import { readOnlyReason } from "./read-only.ts";
import { readOnlyCode } from "./retire-connections.ts";

export type ClientOptions = Omit<pg.ClientConfig, "connectionString"> & { connectionString: string };

/** For an address of several servers: which of them is used now. */
const current = new Map<string, number>();

/**
 * A connection to be opened. Where the address names several servers it leads to the one that last worked; if that one is
 * gone or refuses writes, connecting fails, and the next attempt is made on the next server. Declared with `function`, so
 * that pg's pool can call it with `new`.
 */
export function newClient(options: ClientOptions): pg.Client {
  const { connectionString: url } = options;
  const servers = serverAddresses(url);
  if (servers.length === 1) return new pg.Client(options);
  const used = (current.get(url) ?? 0) % servers.length;
  const client = new pg.Client({ ...options, connectionString: must(servers[used], "The place is within the list") });
  // A server that dies while it is asked must not end the process.
  client.on("error", () => {});
  const open = client.connect.bind(client);
  async function connect(): Promise<void> {
    try {
      await open();
      await refuseReadOnly(client);
    } catch (error) {
      // Of several attempts that fail together, only the first moves on.
      if ((current.get(url) ?? 0) % servers.length === used) current.set(url, used + 1);
      void client.end().catch(() => {});
      throw error;
    }
  }
  // The pool passes a callback.
  const replaced = (done?: (error?: Error) => void) => {
    if (!done) return connect();
    connect().then(() => done(), done);
    return undefined;
  };
  client.connect = replaced as typeof client.connect;
  return client;
}

async function refuseReadOnly(client: pg.Client): Promise<void> {
  const reason = await readOnlyReason(client);
  if (reason !== undefined) throw Object.assign(new Error(`the database ${reason}`), { code: readOnlyCode });
}
