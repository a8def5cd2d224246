import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Invoice } from "../../src/business/invoices/schema.ts";
import { sql } from "../../src/db/sql.ts";
import { authorityFor } from "../../src/fiscal/authority/authority-for.ts";
import { claimDocuments } from "../../src/fiscal/documents/claim-documents.ts";
import { recordVerdicts } from "../../src/fiscal/documents/record-verdicts.ts";
import { fiscalWorker } from "../../src/fiscal/documents/worker.ts";
import { minute, second } from "../../src/lib/clock.ts";
import { eventually } from "../support/eventually.ts";
import { advance, fiscalBusiness, plainSale, ringUp } from "../support/fiscal.ts";
import { interfere, refuseTransaction, serverGone } from "../support/interfere.ts";
import { issuerPerTest } from "../support/issuing.ts";

const { service, shop, worker, sell, documentOf, pass, eventsOf } = issuerPerTest();

async function sendsOf({ cufe }: Invoice): Promise<number> {
  const { rows } = await service.deps.pool.query<{ sends: number }>(sql`
    select sends from simulated_authority where account_id = ${shop.accountId} and cufe = ${cufe}`);
  return rows[0]?.sends ?? 0;
}

test("two workers together submit each document once", async () => {
  await ringUp(service, shop.accountId, (at) => Array.from({ length: 60 }, () => plainSale(at, 10_000)));
  const other = fiscalWorker(service.deps, authorityFor(service.deps), { cap: 7 });
  const asked = await Promise.all([worker.workOff(), other.workOff()]);
  expect(asked[0]! + asked[1]!).toBe(60);
  advance(service, 3 * second);
  await Promise.all([worker.workOff(), other.workOff()]);
  const { rows } = await service.deps.pool.query(sql`
    select sends, count(*) from simulated_authority where account_id = ${shop.accountId} group by sends`);
  expect(rows).toEqual([{ sends: 1, count: 60 }]);
  expect(await eventsOf("invoice.issued")).toHaveLength(60);
});

test("after a worker died holding a document, the next one queries it before sending", async () => {
  const id = await sell(10_000);
  const { pool, config, clock } = service.deps;
  const dead = await claimDocuments(pool, { secretKey: config.secretKey, now: clock.now(), most: 10, leaseMs: -1 });
  expect(dead).toMatchObject([{ progress: { state: "queued", doubt: false } }]);
  const [heir] = await claimDocuments(pool, { secretKey: config.secretKey, now: clock.now(), most: 10, leaseMs: -1 });
  expect(heir!.progress).toMatchObject({ state: "queued", doubt: true });
  await pass(4 * second);
  const document = await documentOf(id);
  expect(document.status).toBe("issued");
  expect(await sendsOf(document)).toBe(1);
});

test("a decision from a worker that lost its lease is ignored, and one reported twice counts once", async () => {
  const id = await sell(10_000);
  const { pool, config, clock } = service.deps;
  const wish = { secretKey: config.secretKey, now: clock.now(), most: 10, leaseMs: -1 };
  const [late] = await claimDocuments(pool, wish);
  const [heir] = await claimDocuments(pool, wish);
  const { invoiceId } = late!;
  const said = { kind: "verdict", status: "rejected", code: "99", message: "tarde" } as const;
  await recordVerdicts(service.deps, shop.accountId, [{ invoiceId, claim: late!.claim, step: said }]);
  expect((await documentOf(id)).status).toBe("pending");
  const accepted = { kind: "verdict", status: "issued", code: "00", message: null } as const;
  for (let i = 0; i < 2; i++)
    await recordVerdicts(service.deps, shop.accountId, [{ invoiceId, claim: heir!.claim, step: accepted }]);
  expect((await documentOf(id)).status).toBe("issued");
  expect([await eventsOf("invoice.issued"), await eventsOf("invoice.rejected")]).toMatchObject([
    [{ status: "issued" }],
    [],
  ]);
});

test("a clock jump does not take a document away from the worker that holds it", async () => {
  await sell(10_000);
  const { pool, config, clock } = service.deps;
  const wish = { secretKey: config.secretKey, most: 10 };
  expect(await claimDocuments(pool, { ...wish, now: clock.now() })).toHaveLength(1);
  advance(service, 30 * 60 * minute);
  expect(await claimDocuments(pool, { ...wish, now: clock.now() })).toHaveLength(0);
  // Leaves nothing under way for the other tests.
  await pool.query(sql`update fiscal_documents set leased_until = null where account_id = ${shop.accountId}`);
  await pass(4 * second);
});

test("a document that is due again before its worker knows it was put back is not forgotten", async () => {
  const id = await sell(8_019);
  const { pool } = service.deps;
  const putBack = Promise.withResolvers<void>();
  const heard = Promise.withResolvers<void>();
  interfere(pool, "set state = r.state", async (run) => {
    const result = await run();
    putBack.resolve();
    await heard.promise;
    return result;
  });
  const works = [worker.workOff()];
  await putBack.promise;
  works.push(worker.workOff());
  await eventually(async () => {
    const { rows } = await pool.query(sql`
      select from fiscal_documents where account_id = ${shop.accountId} and leased_until is not null`);
    return rows.length === 1;
  });
  // The claim is committed, but the worker has not yet received the result.
  await delay(50);
  heard.resolve();
  await Promise.all(works);
  expect((await documentOf(id)).status).toBe("issued");
});

test("a decision that the database could not store is kept until it can", async () => {
  const id = await sell(10_000);
  interfere(service.deps.pool, "set state = r.state", serverGone);
  await worker.workOff();
  advance(service, 3 * second);
  refuseTransaction(service.deps.pool);
  await worker.workOff();
  expect((await documentOf(id)).status).toBe("issued");
  expect(await eventsOf("invoice.issued")).toHaveLength(1);
});

test("documents already found are processed even when the rest of the look failed", async () => {
  const later = await fiscalBusiness(service);
  await sell(8_019, "pos", later);
  const { pool, config, clock } = service.deps;
  interfere(pool, "group by account_id order by account_id", (run) => {
    interfere(pool, "group by account_id order by account_id", serverGone);
    return run();
  });
  const wish = { secretKey: config.secretKey, now: clock.now(), most: 10, leaseMs: -1, after: shop.accountId };
  expect(await claimDocuments(pool, wish)).toMatchObject([{ accountId: later.accountId }]);
  await pass(4 * second);
});

test("a claim under way when its worker stopped is released unsent", async () => {
  const id = await sell(10_000);
  const { pool } = service.deps;
  const never = () => new Promise<never>(() => {});
  const ending = fiscalWorker(service.deps, { send: never, query: never });
  const stopped = new Promise<void>((resolve) => {
    interfere(pool, "with due as", async (run) => {
      const claimed = await run();
      resolve(ending.stop());
      return claimed;
    });
  });
  ending.start();
  await stopped;
  await worker.workOff();
  expect(await sendsOf(await documentOf(id))).toBe(1);
  await pass(4 * second);
});

test("a business with a long queue does not delay the others", async () => {
  const rush = shop;
  await ringUp(service, rush.accountId, (at) => Array.from({ length: 200 }, () => plainSale(at, 10_000)));
  const others = await Promise.all([1, 2, 3].map(() => fiscalBusiness(service)));
  for (const other of others) await sell(10_000, "pos", other);
  const asked: string[] = [];
  const attentive = authorityFor(service.deps);
  const narrow = fiscalWorker(
    service.deps,
    {
      query: attentive.query,
      send(submission) {
        asked.push(submission.accountId);
        return attentive.send(submission);
      },
    },
    { cap: 10 },
  );
  await narrow.workOff();
  expect(asked).toHaveLength(203);
  for (const { accountId } of others) expect(asked.indexOf(accountId)).toBeLessThan(30);
  await pass(4 * second);
});
