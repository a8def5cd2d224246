import type { Client, Pool } from "../../src/db/pool.ts";

/** Passes the pool's next statement or packet that contains this text to `meddle`, which runs, delays or fails it. */
export function interfere<T>(pool: Pool, text: string, meddle: (run: () => Promise<T>) => Promise<T>): void {
  const { query } = pool;
  let isDone = false;
  const done = () => {
    isDone = true;
    pool.query = query;
    stopWatching();
  };
  pool.query = ((statement: string | { text: string }, ...rest: unknown[]) => {
    const run = () => (query as (...parts: unknown[]) => Promise<T>).call(pool, statement, ...rest);
    if (!(typeof statement === "string" ? statement : statement.text).includes(text)) return run();
    done();
    return meddle(run);
  }) as typeof pool.query;
  const watch = (client: Client): Client => {
    const { query: send } = client;
    client.query = ((packet: Packet<T>, ...rest: unknown[]) => {
      const submit = () => (send as (...parts: unknown[]) => unknown).call(client, packet, ...rest);
      if (isDone || !packet.texts?.some((one) => one.includes(text))) return submit();
      done();
      const { callback } = packet;
      const run = () =>
        new Promise<T>((resolve, reject) => {
          packet.callback = (error, results) => (error ? reject(error) : resolve(results!));
          submit();
        });
      return meddle(run).then((results) => callback(null, results), callback);
    }) as typeof client.query;
    return client;
  };
  const stopWatching = watchClients(pool, watch);
}

/** Passes every connection that is taken from the pool to `watch`, until the returned function is called. */
function watchClients(pool: Pool, watch: (client: Client) => Client): () => void {
  const { connect } = pool;
  pool.connect = ((...parts: [() => void]) =>
    // With a callback it is the pool's own call for a single statement.
    parts.length > 0
      ? connect.apply(pool, parts)
      : (connect as () => Promise<Client>).call(pool).then(watch)) as typeof pool.connect;
  return () => {
    pool.connect = connect;
  };
}

interface Packet<T> {
  texts?: string[];
  callback: (error: Error | null, results?: T) => void;
}

/** Notes the statements of each packet that connections taken from the pool from now on send, until it is stopped. */
export function watchPackets(pool: Pool): { sent: string[][]; stop(): void } {
  const sent: string[][] = [];
  const watched = new Map<Client, Client["query"]>();
  const watch = (client: Client): Client => {
    const query = watched.get(client) ?? client.query;
    watched.set(client, query);
    client.query = ((packet: Packet<unknown>, ...rest: unknown[]) => {
      if (packet.texts) sent.push(packet.texts);
      return (query as (...parts: unknown[]) => unknown).call(client, packet, ...rest);
    }) as typeof client.query;
    return client;
  };
  const stopWatching = watchClients(pool, watch);
  const stop = () => {
    stopWatching();
    for (const [client, query] of watched) client.query = query;
  };
  return { sent, stop };
}

/** The next transaction fails because the server is gone. */
export function refuseTransaction(pool: Pool): void {
  const { connect } = pool;
  pool.connect = ((...parts: [() => void]) => {
    // With a callback it is the pool's own call for a single statement.
    if (parts.length > 0) return connect.apply(pool, parts);
    pool.connect = connect;
    return serverGone();
  }) as typeof pool.connect;
}

/** What the driver reports when its server goes away. */
export function serverGone(): Promise<never> {
  return Promise.reject(Object.assign(new Error("terminating connection"), { code: "57P01" }));
}
