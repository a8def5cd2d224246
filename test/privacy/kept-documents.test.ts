import { expect, test } from "vitest";
import { customers } from "../../src/business/customers/resource.ts";
import { runErasures } from "../../src/privacy/erase/run.ts";
import { eventually } from "../support/eventually.ts";
import { documentsOf, plainSale, ringUp } from "../support/fiscal.ts";
import { perTest } from "../support/fixtures.ts";
import { grepDatabase } from "../support/grep-database.ts";
import { decideAll, openIssuing } from "../support/issuing.ts";
import type { Portal } from "../support/portal.ts";
import { customerBody, store } from "../support/records.ts";
import { startService } from "../support/service.ts";
import { tracesOfZoraida, zoraida } from "../support/zoraida.ts";

const service = perTest(() => startService());
const owner: Portal = perTest(() => openIssuing(service));

/** The simulated authority rejects what ends so. */
const rejectedTotal = 20_013;

test("an issued document keeps its buyer, as the law asks; one that was rejected does not", async () => {
  const { accountId } = owner;
  const [customer] = await store(service.deps, accountId, customers, (at) => [{ body: customerBody(at, zoraida) }]);
  const customer_id = customer!.id;
  const [issued, rejected] = await ringUp(service, accountId, (at) => [
    plainSale(at, 10_000, { customer_id, notes: "Para Zoraida" }),
    plainSale(at, rejectedTotal, { customer_id }),
  ]);
  await decideAll(service);
  const statusOf = async (id: string) => (await documentsOf(service, accountId, id))[0]?.status;
  expect([await statusOf(issued!.id), await statusOf(rejected!.id)]).toEqual(["issued", "rejected"]);
  await owner.confirmed("/personal-data/erasures", { person: zoraida.document_number });
  await eventually(async () => (await runErasures(service.deps, { settleMs: 2_500 })) > 0);
  expect(await grepDatabase(service.deps.pool, tracesOfZoraida)).toEqual(["fiscal_documents.content"]);
  const { rows } = await service.deps.pool.query(
    "select invoice_id from fiscal_documents where content->'customer'->>'name' = $1",
    [zoraida.name],
  );
  const [document] = await documentsOf(service, accountId, issued!.id);
  expect(rows).toEqual([{ invoice_id: document!.id }]);
});
