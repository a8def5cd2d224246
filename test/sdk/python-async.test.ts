import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { python, withoutPython } from "../support/languages.ts";
import { projectDir } from "../support/process.ts";

const run = promisify(execFile);

const program = `
import asyncio, sys
from mostrador import AsyncMostrador

async def main():
    async with AsyncMostrador(api_key="x", base_url=sys.argv[1], timeout=3600) as shop:
        many = asyncio.gather(*(shop.me() for _ in range(3)))
        try:
            await asyncio.wait_for(many, 1)
        except (asyncio.TimeoutError, TimeoutError):
            print("cancelled", flush=True)

asyncio.run(main())
`;

test("in Python a cancelled task ends its request, and no thread outlives it", async (context) => {
  if (!python) return context.skip(withoutPython);
  const closed: string[] = [];
  const server = createServer((request) => {
    request.socket.once("close", () => closed.push(request.url!));
  });
  try {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const env = {
      PATH: process.env.PATH,
      PYTHONPATH: `${projectDir}sdk-python/src`,
      PYTHONDONTWRITEBYTECODE: "1",
    };
    const options = { env, timeout: 120_000 };
    const { stdout } = await run(python, ["-X", "dev", "-c", program, `http://127.0.0.1:${port}`], options);
    expect(stdout).toBe("cancelled\n");
    await expect.poll(() => closed).toEqual(Array(3).fill("/public/v1/me"));
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
