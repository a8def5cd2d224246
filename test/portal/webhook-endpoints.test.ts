import { beforeAll, describe, expect, test } from "vitest";
import { setAccount } from "../../src/access/accounts/set-account.ts";
import { sql } from "../../src/db/sql.ts";
import { hour, minute } from "../../src/lib/clock.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { mailsTo, openAgain, openPortal, type Portal } from "../support/portal.ts";

const service = sharedService();
const portal = shared(() => openPortal(service));

const input = { url: "https://tienda.com.co/webhooks", event_types: ["sale.completed", "customer.created"] };

test("an endpoint is created with a mailed code, shows its secret once, and a notice follows", async () => {
  const asked = await portal.post("/webhook-endpoints", input);
  expect(asked.status).toBe(202);
  expect(asked.body).toEqual({ confirmation_id: expect.any(String), expires_at: expect.any(String) });
  const [mail] = await mailsTo(service, portal.email);
  expect(mail!.text).toContain(input.url);
  expect(mail!.subject).toBe(`${await portal.code()} es su código para agregar un webhook`);

  const made = await portal.post(`/confirmations/${asked.body.confirmation_id}`, { code: await portal.code() });
  expect(made.status).toBe(201);
  expect(made.body.secret).toMatch(/^whsec_[0-9a-f]{64}$/);
  expect(made.body.endpoint).toMatchObject({
    ...input,
    status: "active",
    consecutive_failures: 0,
    failing_since: null,
    secret_overlap_until: null,
  });
  const list = await portal.get("/webhook-endpoints");
  expect(list.body.data).toHaveLength(1);
  expect(list.text).not.toContain("whsec_");
  const [notice] = await mailsTo(service, portal.email);
  expect(notice!.subject).toBe("Aviso de seguridad: se agregó un webhook");
  expect(notice!.text).toContain(input.url);

  const stored = await service.deps.pool.query(sql`select secret from webhook_endpoints`);
  expect(stored.rows[0].secret.toString("latin1")).not.toContain("whsec_");
  const audit = await service.deps.pool.query(
    sql`select action, details from audit_log where account_id = ${portal.accountId} order by created_at desc`,
  );
  expect(audit.rows[0].action).toBe("webhook_endpoint.create");
  expect(JSON.stringify(audit.rows)).not.toContain("whsec_");
});

test("a code works once", async () => {
  const asked = await portal.post("/webhook-endpoints", input);
  const code = await portal.code();
  expect((await portal.post(`/confirmations/${asked.body.confirmation_id}`, { code })).status).toBe(201);
  const again = await portal.post(`/confirmations/${asked.body.confirmation_id}`, { code });
  expect([again.status, again.body.error.code]).toEqual([410, "CODE_EXPIRED"]);
});

test("after five attempts even the right code is refused, concurrent attempts included", async () => {
  const owner = await openPortal(service);
  const asked = await owner.post("/webhook-endpoints", input);
  const code = await owner.code();
  const wrong = code === "000000" ? "000001" : "000000";
  const tries = await Promise.all(
    Array.from({ length: 8 }, () => owner.post(`/confirmations/${asked.body.confirmation_id}`, { code: wrong })),
  );
  const codes = tries.map((one) => one.body.error.code).toSorted((a, b) => a.localeCompare(b));
  expect(codes).toEqual([...Array(3).fill("CODE_EXPIRED"), ...Array(5).fill("CODE_INCORRECT")]);
  expect((await owner.post(`/confirmations/${asked.body.confirmation_id}`, { code })).status).toBe(410);
});

test("a code does not work in another session", async () => {
  const owner = await openPortal(service);
  const asked = await owner.post("/webhook-endpoints", input);
  const elsewhere = await openAgain(service, owner.business, owner.email);
  const answer = await elsewhere.post(`/confirmations/${asked.body.confirmation_id}`, { code: await owner.code() });
  expect(answer.status).toBe(404);
});

test("the eleventh unconfirmed code of a day is refused; one for another action, or after confirmed ones, is not", async () => {
  const owner = await openPortal(service);
  const enrol = (name: string) => owner.post("/devices/enrolment", { name });
  for (let i = 0; i < 7; i++)
    expect((await owner.confirmed("/devices/enrolment", { name: `Caja ${i}` })).status).toBe(201);
  for (let i = 0; i < 10; i++) expect((await enrol(`Otra ${i}`)).status).toBe(202);
  const refused = await enrol("Una más");
  expect([refused.status, refused.body.error.code]).toEqual([429, "TOO_MANY_CODES"]);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(23 * 3600);
  expect((await owner.post("/api-keys", { name: "x", scopes: ["sales:read"] })).status).toBe(202);
});

test("a request repeated within a minute is the same confirmation with the same code, even concurrently", async () => {
  const owner = await openPortal(service);
  const asked = await Promise.all(Array.from({ length: 3 }, () => owner.post("/webhook-endpoints", input)));
  const ids = new Set(asked.map(({ body }) => body.confirmation_id));
  expect(ids.size).toBe(1);
  const codes = async () => (await mailsTo(service, owner.email)).map(({ text }) => /^\d{6}$/m.exec(text)![0]);
  expect(await codes()).toHaveLength(1);
  service.deps.clock.shiftTo(service.deps.clock.offsetMs() + 40_000);
  const repeated = await owner.post("/webhook-endpoints", input);
  expect(ids).toContain(repeated.body.confirmation_id);
  const [again, first] = await codes();
  expect(again).toBe(first);
  const other = await owner.post("/webhook-endpoints", { ...input, url: "https://otra.com.co/hook" });
  expect(ids).not.toContain(other.body.confirmation_id);
  expect((await owner.post(`/confirmations/${repeated.body.confirmation_id}`, { code: first })).status).toBe(201);
  // After it was confirmed, the same request is a new one.
  expect(ids).not.toContain((await owner.post("/webhook-endpoints", input)).body.confirmation_id);
});

test("an account has at most five endpoints, even when the codes were requested before", async () => {
  const owner = await openPortal(service);
  for (let i = 0; i < 4; i++) expect((await owner.confirmed("/webhook-endpoints", input)).status).toBe(201);
  service.deps.clock.shiftTo(service.deps.clock.offsetMs() + 25 * hour);
  const again = await openAgain(service, owner.business, owner.email);
  const first = await again.post("/webhook-endpoints", input);
  const firstCode = await again.code();
  service.deps.clock.shiftTo(service.deps.clock.offsetMs() + 2 * minute);
  expect((await again.confirmed("/webhook-endpoints", input)).status).toBe(201);
  const late = await again.post(`/confirmations/${first.body.confirmation_id}`, { code: firstCode });
  expect([late.status, late.body.error.code]).toEqual([409, "TOO_MANY_ENDPOINTS"]);
  expect((await again.post("/webhook-endpoints", input)).body.error.code).toBe("TOO_MANY_ENDPOINTS");
});

describe("changes of an endpoint", () => {
  let owner: Portal;
  let id: string;
  beforeAll(async () => {
    owner = await openPortal(service);
    id = (await owner.confirmed("/webhook-endpoints", input)).body.endpoint.id;
  });

  test("event types change at once; webhook.test cannot be chosen", async () => {
    const changed = await owner.patch(`/webhook-endpoints/${id}`, { event_types: ["invoice.issued"] });
    expect([changed.status, changed.body.event_types]).toEqual([200, ["invoice.issued"]]);
    const refused = await owner.patch(`/webhook-endpoints/${id}`, { event_types: ["webhook.test"] });
    expect([refused.status, refused.body.error.param]).toEqual([400, "event_types.0"]);
  });

  test("a new URL takes effect only when it is confirmed, and the notice names both", async () => {
    const url = "https://nueva.com.co/hook";
    const asked = await owner.patch(`/webhook-endpoints/${id}`, { url });
    expect(asked.status).toBe(202);
    expect((await owner.get(`/webhook-endpoints/${id}`)).body.url).toBe(input.url);
    await owner.post(`/confirmations/${asked.body.confirmation_id}`, { code: await owner.code() });
    expect((await owner.get(`/webhook-endpoints/${id}`)).body.url).toBe(url);
    const [notice] = await mailsTo(service, owner.email);
    expect(notice!.text).toContain(url);
    expect(notice!.text).toContain(input.url);
  });

  test("the URL rules apply when an endpoint is created and when it is changed", async () => {
    for (const url of [
      "http://tienda.com.co",
      "https://10.0.0.1/",
      "https://localhost/",
      "https://a.local/",
      "https://t.co:8443/",
    ]) {
      expect((await owner.post("/webhook-endpoints", { ...input, url })).body.error.param).toBe("url");
      expect((await owner.patch(`/webhook-endpoints/${id}`, { url })).body.error.param).toBe("url");
    }
  });

  test("a rotation takes a code and says until when both secrets sign", async () => {
    const rotated = await owner.confirmed(`/webhook-endpoints/${id}/rotate-secret`);
    expect(rotated.body.secret).toMatch(/^whsec_/);
    const until = new Date(rotated.body.endpoint.secret_overlap_until).getTime();
    expect(Math.abs(until - service.deps.clock.now().getTime() - 24 * hour)).toBeLessThan(minute);
  });

  test("pause, resume and reactivate work only in the states that allow them", async () => {
    expect((await owner.post(`/webhook-endpoints/${id}/reactivate`)).status).toBe(200);
    expect((await owner.post(`/webhook-endpoints/${id}/pause`)).body.status).toBe("paused");
    expect((await owner.post(`/webhook-endpoints/${id}/reactivate`)).body.error.code).toBe("ENDPOINT_STATE");
    expect((await owner.post(`/webhook-endpoints/${id}/resume`)).body.status).toBe("active");
  });

  test("another account's endpoint is not found", async () => {
    const stranger = await openPortal(service);
    for (const answer of [
      await stranger.get(`/webhook-endpoints/${id}`),
      await stranger.patch(`/webhook-endpoints/${id}`, { event_types: ["sale.created"] }),
      await stranger.delete(`/webhook-endpoints/${id}`),
      await stranger.post(`/webhook-endpoints/${id}/test`),
      await stranger.get(`/webhook-endpoints/${id}/deliveries`),
    ])
      expect(answer.status).toBe(404);
  });

  test("a deleted endpoint is gone", async () => {
    expect((await owner.delete(`/webhook-endpoints/${id}`)).status).toBe(204);
    expect((await owner.get(`/webhook-endpoints/${id}`)).status).toBe(404);
  });
});

test("without Pro no endpoint can be created, not even with a code requested before", async () => {
  const owner = await openPortal(service);
  const asked = await owner.post("/webhook-endpoints", input);
  const code = await owner.code();
  await setAccount(service.deps, owner.accountId, { plan: "basic" });
  expect((await owner.post("/webhook-endpoints", input)).body.error.code).toBe("PLAN_REQUIRED");
  const late = await owner.post(`/confirmations/${asked.body.confirmation_id}`, { code });
  expect(late.body.error.code).toBe("PLAN_REQUIRED");
});

test("an expired code is refused", async () => {
  const owner = await openPortal(service);
  const asked = await owner.post("/webhook-endpoints", input);
  const code = await owner.code();
  service.deps.clock.shiftTo(service.deps.clock.offsetMs() + 10 * minute);
  expect((await owner.post(`/confirmations/${asked.body.confirmation_id}`, { code })).body.error.code).toBe(
    "CODE_EXPIRED",
  );
});
