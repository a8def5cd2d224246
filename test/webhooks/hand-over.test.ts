import { beforeAll, test as everyTest, expect } from "vitest";
import { eventually } from "../support/eventually.ts";
import type { Business } from "../support/service.ts";
import { sharedHooks, type TestEndpoint } from "../support/webhooks.ts";

const hooks = sharedHooks();
/** What is handed over is seen by a trigger, which a distributed table does not take. */
const test = everyTest.skipIf(process.env.CITUS_URL);

/** Notes of each delivery whether it was leased when it was queued, and whether somebody claimed it later. */
beforeAll(async () => {
  if (process.env.CITUS_URL) return;
  await hooks.service.deps.pool.query(`
    create table lease_log (endpoint_id uuid, delivery_id uuid, act text, at timestamptz default clock_timestamp());
    create function log_lease() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into lease_log values (new.endpoint_id, new.id, case when new.leased_until is null then 'queued' else 'handed' end);
      elsif new.leased_until is distinct from old.leased_until and new.leased_until is not null then
        insert into lease_log values (new.endpoint_id, new.id, 'claimed');
      end if;
      return new;
    end $$;
    create trigger log_lease before insert or update on webhook_queue for each row execute function log_lease()`);
});

async function actsOn(endpoint: TestEndpoint): Promise<string[]> {
  const { rows } = await hooks.service.deps.pool.query<{ act: string }>(
    "select act from lease_log where endpoint_id = $1 order by at",
    [endpoint.id],
  );
  return rows.map(({ act }) => act);
}

/** An endpoint that has just delivered something, and so is known to be fast. */
async function warmEndpoint(business: Business): Promise<TestEndpoint> {
  const endpoint = await hooks.endpoint(business, { types: ["customer.created"] });
  await business.api.post("/customers", { name: "Primero" });
  await hooks.receiver.arrivals(endpoint.path, 1);
  await eventually(async () => (await hooks.deliveries(endpoint)).every(({ state }) => state === "delivered"));
  return endpoint;
}

test("a delivery to an endpoint that delivers fast goes to the worker of the same process without a claim", async () => {
  const business = await hooks.service.business();
  const endpoint = await warmEndpoint(business);
  expect(await actsOn(endpoint)).toEqual(["queued", "claimed"]);
  await business.api.post("/customers", { name: "Segundo" });
  const arrivals = await hooks.receiver.arrivals(endpoint.path, 2);
  expect(arrivals[1]!.body.data.object.name).toBe("Segundo");
  expect(await actsOn(endpoint)).toEqual(["queued", "claimed", "handed"]);
});

test("its body has the same bytes as one that is read back from the event log", async () => {
  const business = await hooks.service.business();
  const endpoint = await warmEndpoint(business);
  const cold = await hooks.endpoint(business, { types: ["customer.created"] });
  await business.api.post("/customers", { name: "Ñandú «☕»" });
  const [, handed] = await hooks.receiver.arrivals(endpoint.path, 2);
  const [claimed] = await hooks.receiver.arrivals(cold.path, 1);
  expect(handed!.raw.equals(claimed!.raw)).toBe(true);
});

test("after its secret was changed, what is handed over is signed with the new one", async () => {
  const business = await hooks.service.business();
  const endpoint = await warmEndpoint(business);
  await hooks.rotate(business, endpoint);
  await business.api.post("/customers", { name: "Segundo" });
  // The receiver refuses a signature that it does not know.
  await hooks.receiver.arrivals(endpoint.path, 2);
  const states = async () => (await hooks.deliveries(endpoint)).map(({ state }) => state);
  await expect.poll(states).toEqual(["delivered", "delivered"]);
});

test("more at once than the worker has room for is handed over in part, and every one arrives once", async () => {
  const business = await hooks.service.business();
  const endpoint = await warmEndpoint(business);
  await hooks.writeCustomers(business, 600);
  const arrivals = await hooks.receiver.arrivals(endpoint.path, 601);
  expect(new Set(arrivals.map(({ deliveryId }) => deliveryId)).size).toBe(601);
  const acts = await actsOn(endpoint);
  expect(acts.filter((act) => act === "handed").length).toBeGreaterThan(0);
  expect(acts.filter((act) => act === "queued").length).toBeGreaterThan(1);
});

test("an endpoint that just failed gets nothing handed over: its deliveries wait in the database", async () => {
  const business = await hooks.service.business();
  const endpoint = await warmEndpoint(business);
  hooks.receiver.answers.set(endpoint.path, (_received, response) => response.writeHead(500).end());
  await business.api.post("/customers", { name: "Segundo" });
  await hooks.receiver.arrivals(endpoint.path, 2);
  await business.api.post("/customers", { name: "Tercero" });
  await hooks.receiver.arrivals(endpoint.path, 3);
  expect(await actsOn(endpoint)).toEqual(["queued", "claimed", "handed", "queued", "claimed"]);
});
