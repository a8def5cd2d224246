import pg from "pg";

/** The template database on every node of a Citus; cloned on all of them, it is a distributed database of its own. */
export interface CitusTemplate {
  /** The address of the template on each node, the coordinator's first. */
  nodes: string[];
  /** Nobody connects to the template any more, not even Citus' own daemon: only then can it be cloned. */
  close(): Promise<void>;
  drop(): Promise<void>;
}

interface Node {
  host: string;
  port: number;
}

/** `given` is any database of the coordinator that knows its nodes. The database may have another name, if it is no template. */
export async function citusTemplate(given: string, name = "template"): Promise<CitusTemplate> {
  const nodes = await askOnce(given, async (client) => {
    const { rows } = await client.query<Node>(
      "select nodename as host, nodeport as port from pg_dist_node where isactive order by groupid",
    );
    return rows;
  });
  const addresses = nodes.map((node) => addressOf(given, node, name));
  const onEach = async (work: (client: pg.Client) => Promise<unknown>) => {
    for (const node of nodes) await askOnce(addressOf(given, node, "postgres"), work);
  };
  const drop = () => onEach((client) => client.query(`drop database if exists ${name} with (force)`));
  await drop();
  await onEach((client) => client.query(`create database ${name} template template0 encoding 'UTF8'`));
  for (const address of addresses) await askOnce(address, (client) => client.query("create extension citus"));
  await askOnce(addresses[0]!, async (client) => {
    const [coordinator, ...workers] = nodes;
    await client.query("select citus_set_coordinator_host($1, $2)", [coordinator!.host, coordinator!.port]);
    for (const { host, port } of workers) await client.query("select citus_add_node($1, $2)", [host, port]);
  });
  return {
    nodes: addresses,
    drop,
    close: () =>
      onEach(async (client) => {
        await client.query(`alter database ${name} allow_connections false`);
        await client.query(`select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name}'`);
      }),
  };
}

function addressOf(given: string, { host, port }: Node, database: string): string {
  const url = new URL(given);
  url.hostname = host;
  url.port = String(port);
  url.pathname = `/${database}`;
  return url.href;
}

export async function askOnce<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
