import { Agent, get, type IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/** An owner's browser with one connection. */
export function timedReader(url: string, token: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { cookie: `mostrador_session=${token}` };

  async function ms(path: string): Promise<number> {
    const startedAt = performance.now();
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${url}/portal/api${path}`, { agent, headers }, resolve).once("error", reject);
    });
    let text = "";
    for await (const part of response.setEncoding("utf8")) text += part;
    if (response.statusCode === 429) {
      // The portal's own limit for one account: the request is made again and only that one counts.
      await delay(1_000 * Number(response.headers["retry-after"] ?? 1));
      return ms(path);
    }
    if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}: ${text}`);
    return performance.now() - startedAt;
  }

  return {
    /** The first requests plan the statements and fill the caches; they do not count. */
    async p95(path: string, samples: number): Promise<number> {
      for (let i = 0; i < 8; i++) await ms(path);
      const taken: number[] = [];
      for (let i = 0; i < samples; i++) taken.push(await ms(path));
      return taken.sort((a, b) => a - b)[Math.ceil(samples * 0.95) - 1]!;
    },
    close: () => agent.destroy(),
  };
}
