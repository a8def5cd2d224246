import fc from "fast-check";
import { expect, test } from "vitest";
import { customers } from "../../src/business/customers/resource.ts";
import { newLedger } from "../../src/business/products/ledger.ts";
import { products } from "../../src/business/products/resource.ts";
import { sales } from "../../src/business/sales/resource.ts";
import { walk } from "../suites/pagination.ts";
import type { ApiClient } from "../support/client.ts";
import { type Crowd, crowd, type Kind, type Task } from "../support/crowd.ts";
import { sharedService } from "../support/fixtures.ts";
import { customerBody, productBody, saleBody } from "../support/records.ts";

// Writers and readers alternate as the seed says; a slow writer holds the account's clock while others queue behind it
// and clients read on. A failure prints its seed: SEED=… replays it. LONG=1 runs thousands.
const runs = process.env.LONG ? 3000 : 30;

const service = sharedService();

const kinds = [
  {
    path: "/customers",
    resource: customers,
    make: (at: string) => ({ body: customerBody(at) }),
    created: "customer.created",
    updated: "customer.updated",
    isDeletable: true,
  },
  {
    path: "/products",
    resource: products,
    make: (at: string) => ({ body: productBody(at), ...newLedger(0) }),
    created: "product.created",
    updated: "product.updated",
    isDeletable: true,
  },
  {
    path: "/sales",
    resource: sales,
    make: (at: string) => ({ body: saleBody(at) }),
    created: "sale.created",
    updated: "sale.updated",
    isDeletable: false,
  },
] as unknown as Kind[];

type Step = { do: "start"; task: Task } | { do: "finish" | "page" | "poll" | "tail" } | { do: "rush"; tasks: Task[] };

const pick = fc.nat({ max: 1000 });
const task = (isSlow: fc.Arbitrary<boolean>): fc.Arbitrary<Task> =>
  fc.record({
    inserts: fc.nat({ max: 3 }),
    updates: fc.array(pick, { maxLength: 3 }),
    deletes: fc.oneof(
      { weight: 3, arbitrary: fc.constant<number[]>([]) },
      { weight: 1, arbitrary: pick.map((one) => [one]) },
    ),
    isSlow,
  });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("start" as const), task: task(fc.boolean()) }) },
  { weight: 2, arbitrary: fc.constant({ do: "finish" as const }) },
  ...(["page", "poll", "tail"] as const).map((reader) => ({ weight: 3, arbitrary: fc.constant({ do: reader }) })),
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("rush" as const),
      tasks: fc.array(task(fc.constant(false)), { minLength: 2, maxLength: 4 }),
    }),
  },
);
const plan = fc.record({
  kind: fc.constantFrom(...kinds),
  first: fc.integer({ min: 0, max: 9 }),
  limit: fc.integer({ min: 1, max: 4 }),
  steps: fc.array(step, { minLength: 12, maxLength: 36, size: "max" }),
});

test(`readers during writes miss nothing and see nothing twice, over ${runs} plans`, { timeout: 3_600_000 }, () =>
  fc.assert(
    fc.asyncProperty(plan, async ({ kind, first, limit, steps }) => {
      const { accountId, api } = await service.business();
      const writers = crowd(service, accountId, kind);
      await writers.start({ inserts: first, updates: [], deletes: [], isSlow: false });
      const pager = plainPager(api, kind, limit, writers);
      const poller = updatesPoller(api, kind, limit);
      const tailer = eventsTailer(api, limit);
      try {
        for (const one of steps) {
          if (one.do === "start") await writers.start(one.task);
          if (one.do === "finish") await writers.finish();
          if (one.do === "page") await pager.read();
          if (one.do === "poll") await poller.read();
          if (one.do === "tail") await tailer.read();
          if (one.do === "rush") {
            await writers.finishAll();
            await Promise.all([writers.rush(one.tasks), pager.read(), poller.read(), tailer.read()]);
          }
        }
      } finally {
        await writers.finishAll();
      }
      await pager.finish();
      await poller.finish();
      await tailer.finish();
      const whole = await walk(api, `${kind.path}?limit=100${kind.isDeletable ? "&include_deleted=true" : ""}`);
      expect(poller.copy()).toEqual(new Map(whole.flatMap((page) => page.body.data.map(byId))));
      expect(tailer.seen()).toEqual(writers.emitted());
    }),
    { numRuns: runs, ...(process.env.SEED && { seed: Number(process.env.SEED) }) },
  ),
);

/** A client that pages through the list: each pass sees every record that existed throughout, and none twice. */
function plainPager(api: ApiClient, kind: Kind, limit: number, writers: Crowd) {
  let cursor: string | null = null;
  let seen: string[] = [];
  let present = new Set<string>();
  async function read(): Promise<boolean> {
    if (cursor === null) {
      seen = [];
      present = writers.present();
    }
    const { body } = await api.get(`${kind.path}?limit=${limit}${cursor ? `&starting_after=${cursor}` : ""}`);
    seen.push(...body.data.map((record: { id: string }) => record.id));
    cursor = body.next_cursor;
    if (body.has_more) return false;
    expect(new Set(seen).size).toBe(seen.length);
    const throughout = present.intersection(writers.present());
    expect(throughout.difference(new Set(seen))).toEqual(new Set());
    return true;
  }
  return {
    read,
    async finish() {
      while (!(await read()));
    },
  };
}

/** A client that keeps a copy by polling for changes since the greatest updated_at it saw. */
function updatesPoller(api: ApiClient, kind: Kind, limit: number) {
  const copy = new Map<string, unknown>();
  let since = "1970-01-01T00:00:00.000Z";
  let greatest = since;
  let cursor: string | null = null;
  let inThisPass: string[] = [];
  async function read(): Promise<boolean> {
    const filters = `limit=${limit}&updated_since=${since}${kind.isDeletable ? "&include_deleted=true" : ""}`;
    const { body } = await api.get(`${kind.path}?${filters}${cursor ? `&starting_after=${cursor}` : ""}`);
    for (const record of body.data) {
      copy.set(record.id, record);
      inThisPass.push(record.id);
      if (record.updated_at > greatest) greatest = record.updated_at;
    }
    cursor = body.next_cursor;
    if (body.has_more) return false;
    expect(new Set(inThisPass).size).toBe(inThisPass.length);
    since = greatest;
    inThisPass = [];
    return true;
  }
  return {
    read,
    copy: () => copy,
    async finish() {
      // The pass under way may have begun before the last write: only the next one must see it.
      while (!(await read()));
      while (!(await read()));
    },
  };
}

/** A client that follows the event log by its cursor alone. */
function eventsTailer(api: ApiClient, limit: number) {
  const seen: { type: string; object: string }[] = [];
  let cursor: string | null = null;
  async function read(): Promise<boolean> {
    const { body } = await api.get(`/events?order=asc&limit=${limit}${cursor ? `&starting_after=${cursor}` : ""}`);
    for (const event of body.data) seen.push({ type: event.type, object: JSON.stringify(event.data.object) });
    cursor = body.next_cursor;
    return !body.has_more;
  }
  return {
    read,
    seen: () => seen,
    async finish() {
      while (!(await read()));
    },
  };
}

function byId(record: { id: string }): [string, unknown] {
  return [record.id, record];
}
