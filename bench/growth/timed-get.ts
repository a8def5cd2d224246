import { Agent, get, type IncomingMessage } from "node:http";

/** A client with one keep-alive connection. */
export interface Reader {
  /** From the request to the last byte of the response. */
  msToLastByte(path: string, key: string): Promise<number>;
  /** From the request to the first byte of the body; the rest is not read. */
  msToFirstByte(path: string, key: string): Promise<number>;
  close(): void;
}

export function openReader(url: string): Reader {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const request = async (path: string, key: string, agentOfRequest: Agent | false) => {
    const startedAt = performance.now();
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { authorization: `Bearer ${key}` };
      get(url + path, { agent: agentOfRequest, headers }, resolve).once("error", reject);
    });
    if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`);
    return { startedAt, response };
  };
  return {
    async msToLastByte(path, key) {
      const { startedAt, response } = await request(path, key, agent);
      for await (const _ of response);
      return performance.now() - startedAt;
    },
    async msToFirstByte(path, key) {
      const { startedAt, response } = await request(path, key, false);
      await new Promise((resolve, reject) => response.once("data", resolve).once("error", reject));
      const ms = performance.now() - startedAt;
      response.destroy();
      return ms;
    },
    close: () => agent.destroy(),
  };
}
