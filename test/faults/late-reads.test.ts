import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { interfere } from "../support/interfere.ts";
import { startService } from "../support/service.ts";

test("a request whose client is gone and that is still reading does not delay the shutdown", async () => {
  const service = await startService();
  const { key } = await service.business();
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  interfere(service.deps.pool, "from api_keys", async (run) => {
    asked.resolve();
    await answered.promise;
    return run();
  });
  const client = new AbortController();
  const headers = { authorization: `Bearer ${key}` };
  const request = fetch(`${service.baseUrl}/public/v1/customers`, { headers, signal: client.signal });
  await asked.promise;
  client.abort();
  await expect(request).rejects.toThrow();

  await service.app.close();
  answered.resolve();
  await delay(200);
  const stopped = service[Symbol.asyncDispose]().then(() => "stopped");
  expect(await Promise.race([stopped, delay(60_000, "hangs")])).toBe("stopped");
});
