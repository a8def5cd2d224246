import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { sales } from "../../src/business/sales/resource.ts";
import { installExample } from "../support/example.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { change, saleBody, store } from "../support/records.ts";

const service = sharedService();
const example = shared(() => installExample("sqlite-mirror"));

test("the mirror, killed at random while sales are added and changed, ends up equal to the server", async () => {
  const { accountId, key, api } = await service.business();
  const add = (count: number) =>
    store(service.deps, accountId, sales, (at) => Array.from({ length: count }, () => ({ body: saleBody(at) })));
  const ids = (await add(400)).map(({ id }) => id);
  let isBusy = true;
  const business = (async () => {
    for (let round = 0; isBusy; round++) {
      if (round % 5 === 0) ids.push(...(await add(3)).map(({ id }) => id));
      const id = ids[(round * 37) % ids.length]!;
      await change(service.deps, accountId, sales, id, () => ({ status: round % 2 ? "cancelled" : "completed" }));
    }
  })();
  business.catch(() => {});
  const env = { MOSTRADOR_URL: service.baseUrl, MOSTRADOR_API_KEY: key };

  for (const linesUntilKill of [1, 3, 0, 5, 2, 1, 7, 4]) {
    const child = example.start("mirror.mjs", env);
    let lines = 0;
    // Killed in the middle of whatever comes next, or already done.
    if (linesUntilKill === 0)
      once(child, "spawn").then(
        () => child.kill("SIGKILL"),
        () => {},
      );
    createInterface({ input: child.stdout! }).on("line", () => ++lines === linesUntilKill && child.kill("SIGKILL"));
    await once(child, "close");
  }
  isBusy = false;
  await business;
  const last = example.start("mirror.mjs", env);
  const [code] = await once(last, "close");
  expect([code, last.said()]).toEqual([0, expect.stringContaining("Al día hasta")]);

  const db = new DatabaseSync(join(example.folder, "ventas.db"), { readOnly: true });
  const mirrored = db.prepare("select body from sales order by id").all() as { body: string }[];
  db.close();
  const { text } = await api.get("/exports/sales");
  const served = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: string });
  expect(served).toHaveLength(ids.length);
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  expect(mirrored.map(({ body }) => JSON.parse(body))).toEqual(served.toSorted(byId));
}, 300_000);
