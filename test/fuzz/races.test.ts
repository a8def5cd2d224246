import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { createEnrolmentCode } from "../../src/access/devices/create-enrolment-code.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { openPortal } from "../support/portal.ts";
import { enrol, syncSend } from "../support/register.ts";
import type { Answer } from "../support/service.ts";

/** How often each race is run; twenty times as often in the long run. */
const rounds = process.env.FUZZ_REQUESTS === undefined ? 10 : 200;
const patienceMs = 600_000;
const runners = 6;

const service = sharedService();
const portal = shared(() => openPortal(service));
const till = shared(() => enrol(service, portal.accountId));
beforeAll(async () => {
  await till.put("warehouse", { name: "Principal", is_default: true, active: true });
});

type Outcome = Pick<Answer, "status" | "body"> & Partial<Pick<Answer, "text">>;
const atOnce = <T>(run: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: runners }, (_, n) => run(n)));
const outcomes = (answers: readonly Outcome[]) => answers.map(({ status, body }) => body?.error?.code ?? status);
const only = (answers: readonly Outcome[], ...allowed: (string | number)[]) =>
  expect(outcomes(answers).filter((one) => !allowed.includes(one))).toEqual([]);
const successes = (answers: readonly Outcome[]) => answers.filter(({ status }) => status < 300);

async function repeated(race: (round: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < rounds; round++) await race(round);
}

test(
  "concurrent requests with one Idempotency-Key create one record",
  async () => {
    const { api } = portal.business;
    await repeated(async () => {
      const key = { "idempotency-key": randomUUID() };
      const email = `${randomUUID()}@example.com`;
      const answers = await atOnce(() => api.post("/customers", { name: "Ana", email }, key));
      only(answers, 201, "IDEMPOTENCY_IN_PROGRESS");
      expect(new Set(successes(answers).map(({ text }) => text)).size).toBe(1);
      expect((await api.get(`/customers?email=${email}`)).body.data).toHaveLength(1);
    });
  },
  patienceMs,
);

test(
  "of concurrent operations with one Idempotency-Key only one happens",
  async () => {
    const { api } = portal.business;
    await repeated(async () => {
      const key = { "idempotency-key": randomUUID() };
      const answers = await atOnce((n) => api.post("/customers", { name: `Ana ${n}` }, key));
      only(answers, 201, "IDEMPOTENCY_IN_PROGRESS", "IDEMPOTENCY_KEY_REUSED");
      expect(successes(answers)).toHaveLength(1);
    });
  },
  patienceMs,
);

test(
  "concurrent requests for one SKU give it out once, to products, variants and edits alike",
  async () => {
    const { api } = portal.business;
    const others = await atOnce(() => api.post("/products", { name: "Otro", base_price: 1 }));
    await repeated(async (round) => {
      const sku = `S-${round}`;
      const answers = await atOnce((n) => {
        if (n % 3 === 0) return api.post("/products", { name: "Pan", base_price: 1, sku });
        if (n % 3 === 1) return api.post("/products", { name: "Pan", base_price: 1, variants: [{ label: "M", sku }] });
        return api.patch(`/products/${others[n]!.body.id}`, { sku });
      });
      only(answers, 200, 201, "SKU_ALREADY_EXISTS");
      expect(successes(answers)).toHaveLength(1);
    });
  },
  patienceMs,
);

test(
  "a record that is deleted while it is edited ends up either deleted or edited",
  async () => {
    const { api } = portal.business;
    await repeated(async () => {
      const { body: customer } = await api.post("/customers", { name: "Ana" });
      const { body: product } = await api.post("/products", { name: "Pan", base_price: 1 });
      const [pushed, ...answers] = await Promise.all([
        till.push([
          { type: "customer", id: customer.id, op: "delete", base_seq: Number.MAX_SAFE_INTEGER },
          { type: "product", id: product.id, op: "delete", base_seq: Number.MAX_SAFE_INTEGER },
        ]),
        api.patch(`/customers/${customer.id}`, { name: "Eva" }),
        api.patch(`/products/${product.id}`, { name: "Torta" }),
        api.post("/inventory/movements", { product_id: product.id, type: "in", quantity: 2 }),
        api.get(`/products/${product.id}`),
      ]);
      expect(pushed.status).toBe(200);
      only(answers, 200, 201, "NOT_FOUND");
      expect((await api.get(`/customers/${customer.id}`)).status).toBe(404);
    });
  },
  patienceMs,
);

test(
  "concurrent pushes of different records under one number store one of them",
  async () => {
    await repeated(async () => {
      const device_seq = till.next++;
      const answers = await atOnce((n) => {
        const record = { device_seq, type: "customer", id: randomUUID(), op: "upsert", data: { name: `Ana ${n}` } };
        return till.send("POST", "/push", { records: [record] });
      });
      only(answers, 200, "DEVICE_FORKED");
      expect(successes(answers)).toHaveLength(1);
    });
  },
  patienceMs,
);

test(
  "concurrent uses of an enrolment code enrol one register",
  async () => {
    await repeated(async () => {
      const { code } = await createEnrolmentCode(service.deps, { accountId: portal.accountId, name: "Caja" });
      const sibling = await service.sibling();
      const answers = await Promise.all(
        [1, 2, 3, 4].map(() => syncSend(sibling.baseUrl, undefined, "POST", "/enrol", { code })),
      );
      only(answers, 201, "ENROLMENT_CODE_INVALID");
      expect(successes(answers)).toHaveLength(1);
      await sibling[Symbol.asyncDispose]();
    });
  },
  patienceMs,
);

test(
  "concurrent uses of a mailed code make its change once, and concurrent changes of an endpoint do no harm",
  async () => {
    await repeated(async () => {
      await service.deps.pool.query("delete from confirmations");
      const url = "https://tienda.com.co/hook";
      const asked = await portal.post("/webhook-endpoints", { url, event_types: ["sale.created"] });
      const code = await portal.code();
      const confirmed = await atOnce(() => portal.post(`/confirmations/${asked.body.confirmation_id}`, { code }));
      only(confirmed, 201, "CODE_EXPIRED");
      expect(successes(confirmed)).toHaveLength(1);
      const path = `/webhook-endpoints/${successes(confirmed)[0]!.body.endpoint.id}`;
      const answers = await Promise.all([
        portal.patch(path, { event_types: ["sale.updated"] }),
        portal.post(`${path}/pause`),
        portal.post(`${path}/resume`),
        portal.post(`${path}/test`),
        portal.get(path),
        portal.delete(path),
        portal.delete(path),
      ]);
      only(answers, 200, 204, "NOT_FOUND", "ENDPOINT_STATE");
      expect((await portal.get(path)).status).toBe(404);
    });
  },
  patienceMs,
);

test("after all races every column and every total agrees with its record", async () => {
  expect((await verify(service.deps.pool)).problems).toEqual([]);
});
