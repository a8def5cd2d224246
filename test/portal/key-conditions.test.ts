import { expect, test } from "vitest";
import { newToken } from "../../src/lib/token.ts";
import { eventually } from "../support/eventually.ts";
import { expectError } from "../support/expect-error.ts";
import { sharedService } from "../support/fixtures.ts";
import { from, mailsTo, openPortal } from "../support/portal.ts";

const service = sharedService({ TRUST_PROXY: "1" });
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

test("a key is made for some addresses, refused from others with an entry for the owner, and told from where it was used", async () => {
  const owner = await openPortal(service);
  const wish = { name: "ERP", scopes: ["sales:read"], allowed_addresses: ["190.24.7.0/24", "2001:db8::/32"] };
  const { key, api_key } = (await owner.confirmed("/api-keys", wish)).body;
  const get = (address: string) => service.client({ ...bearer(key), ...from(address) }).get("/sales");
  expect((await get("190.24.7.12")).status).toBe(200);
  expect((await get("2001:db8::9")).status).toBe(200);
  for (const address of ["190.24.8.12", "2001:db9::1", "190.24.8.12"]) {
    const refused = await get(address);
    expect(refused.status).toBe(403);
    expectError(refused, "ADDRESS_NOT_ALLOWED");
  }
  const entries = async () => (await owner.get("/audit-log?action=api_key.address_refused")).body.data;
  await eventually(async () => (await entries()).length === 2);
  expect(await entries()).toContainEqual(
    expect.objectContaining({ remote_address: "190.24.8.12", record: { object: "api_key", id: api_key.id } }),
  );
  const shown = async () =>
    (await owner.get("/api-keys")).body.data.find(({ id }: { id: string }) => id === api_key.id);
  expect(await shown()).toMatchObject({ allowed_addresses: wish.allowed_addresses });
  await eventually(async () => (await shown()).last_used_from !== null);
});

test("the addresses change with a mailed code, in every process at once, and go over to a successor", async () => {
  const owner = await openPortal(service);
  const { keyId, key } = owner.business;
  const get = () => service.client({ ...bearer(key), ...from("190.24.7.12") }).get("/sales");
  expect((await get()).status).toBe(200);
  const wrong = await owner.patch(`/api-keys/${keyId}`, { allowed_addresses: ["tienda.example"] });
  expect(wrong.status).toBe(400);
  expect(wrong.body.error.message).toContain("«tienda.example» no es una dirección");
  const asked = await owner.confirmed(`/api-keys/${keyId}`, { allowed_addresses: ["10.0.0.1"] }, "PATCH");
  expect(asked.status).toBe(201);
  await eventually(async () => (await get()).status === 403);
  const rotated = (await owner.confirmed(`/api-keys/${keyId}/rotate`, { overlap_hours: 0 })).body;
  const { data } = (await owner.get("/api-keys")).body;
  expect(data.find(({ id }: { id: string }) => id === rotated.api_key.id).allowed_addresses).toEqual(["10.0.0.1"]);
  const [entry] = (await owner.get("/audit-log?action=api_key.restrict")).body.data;
  expect(entry.details).toMatchObject({
    before: { allowed_addresses: null },
    after: { allowed_addresses: ["10.0.0.1"] },
  });
});

test("with a rule for their term no new key outlives it, made in the portal or by rotation", async () => {
  const owner = await openPortal(service);
  expect((await owner.put("/key-policy", { max_key_days: 30 })).status).toBe(204);
  expect((await owner.get("/key-policy")).body).toEqual({ max_key_days: 30 });
  const wish = { name: "ERP", scopes: ["sales:read"] };
  expect((await owner.post("/api-keys", { ...wish, expires_at: null })).status).toBe(400);
  const soon = new Date(Date.now() + 10 * 86_400_000).toISOString();
  expect((await owner.confirmed("/api-keys", { ...wish, expires_at: soon })).body.api_key.expires_at).toBe(soon);
  const { api_key } = (await owner.confirmed(`/api-keys/${owner.business.keyId}/rotate`, { overlap_hours: 0 })).body;
  expect(Date.parse(api_key.expires_at)).toBeLessThan(Date.now() + 31 * 86_400_000);
});

test("a reported key ends and its owner is told; nobody learns from the answer which keys exist", async () => {
  const owner = await openPortal(service);
  const { key } = owner.business;
  const post = async (body: object) => {
    const response = await fetch(`${service.baseUrl}/public/key-reports`, {
      method: "POST",
      headers: { "content-type": "application/json", ...from("192.0.2.77") },
      body: JSON.stringify(body),
    });
    return { status: response.status, text: await response.text() };
  };
  const unknown = await post({ key: newToken("mst_test_") });
  const url = "https://github.com/alguien/tienda/blob/main/.env";
  expect(await post({ key, url })).toEqual(unknown);
  expect(await post({ key: "cualquier cosa" })).toEqual(unknown);
  expect(unknown.status).toBe(202);
  await eventually(async () => (await service.client(bearer(key)).get("/sales")).status === 401);
  expectError(await service.client(bearer(key)).get("/sales"), "API_KEY_REVOKED");
  const [mail] = await mailsTo(service, owner.email);
  expect(mail!.text).toContain(url);
  const [entry] = (await owner.get("/audit-log?action=api_key.reported")).body.data;
  expect(entry).toMatchObject({ actor: "stranger", remote_address: "192.0.2.77", details: { url } });
  // Who tries many is stopped, whatever he reports.
  const statuses = new Set<number>();
  for (let i = 0; i < 40; i++) statuses.add((await post({ key: newToken("mst_test_") })).status);
  expect(statuses).toEqual(new Set([202, 429]));
});

test("all keys of an account share a limit, beside that of each", async () => {
  const strict = await service.sibling({ RATE_LIMIT_PER_SECOND: "1", RATE_LIMIT_BURST: "5" });
  try {
    const { accountId } = await strict.business();
    const clients = [];
    for (let i = 0; i < 6; i++) clients.push((await strict.key(accountId)).api);
    const neighbour = await strict.business();
    const answers = [];
    for (const api of clients) for (let i = 0; i < 5; i++) answers.push(await api.get("/sales"));
    // Each kept within its own five; together they may have four times as many, and what comes back meanwhile.
    const admitted = answers.filter(({ status }) => status === 200).length;
    expect(admitted).toBeGreaterThanOrEqual(20);
    expect(admitted).toBeLessThan(30);
    const refused = answers.find(({ status }) => status === 429)!;
    expectError(refused, "RATE_LIMITED");
    expect(refused.headers.get("ratelimit-limit")).toBe("20");
    expect(answers[0]!.headers.get("ratelimit-limit")).toBe("5");
    expect((await neighbour.api.get("/sales")).status).toBe(200);
  } finally {
    await strict[Symbol.asyncDispose]();
  }
});
