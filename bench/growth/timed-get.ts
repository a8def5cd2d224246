import { Agent, get, type IncomingMessage } from "node:http";

/** One client with one connection that is kept. */
export interface Reader {
  /** Milliseconds from the request to the last byte of its answer. */
  whole(path: string, key: string): Promise<number>;
  /** Milliseconds to the first byte of the body, with the rest refused: for what has no end worth waiting for. */
  begun(path: string, key: string): Promise<number>;
  close(): void;
}

export function openReader(url: string): Reader {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (path: string, key: string, agentOfRequest: Agent | false) => {
    const startedAt = performance.now();
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}` };
      get(url + path, { agent: agentOfRequest, headers }, resolve).once("error", reject);
    });
    if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`);
    return { startedAt, response };
  };
  return {
    async whole(path, key) {
      const { startedAt, response } = await ask(path, key, agent);
      for await (const _ of response);
      return performance.now() - startedAt;
    },
    async begun(path, key) {
      const { startedAt, response } = await ask(path, key, false);
      await new Promise((resolve, reject) => response.once("data", resolve).once("error", reject));
      const taken = performance.now() - startedAt;
      response.destroy();
      return taken;
    },
    close: () => agent.destroy(),
  };
}
