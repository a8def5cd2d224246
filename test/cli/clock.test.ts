import { readdir } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { hour } from "../../src/lib/clock.ts";
import { sharedFolder, sharedService } from "../support/fixtures.ts";
import { mostrador, mostradorJson } from "../support/process.ts";
import { liveSettings } from "../support/service.ts";

const service = sharedService();
const folder = sharedFolder("mostrador-clock-");
/** Of a machine without an installation. */
const elsewhere = () => ({ DATA_DIR: folder.path });
const offset = () => service.deps.clock.offsetMs();

// As its first start stores it.
beforeAll(() => service.deps.pool.query("update installation set environment = 'test'"));

describe("with an address and a key", () => {
  test("the clock of a test installation is moved and shown over HTTP", async () => {
    const { key } = await service.business();
    const there = ["--url", service.baseUrl, "--key", key];
    const before = offset();
    const moved = await mostradorJson(["clock", "advance", "26h", ...there], elsewhere());
    expect(moved).toMatchObject({ advanced_ms: 26 * hour, now: expect.any(String) });
    expect(offset() - before).toBe(26 * hour);
    expect(await mostradorJson(["clock", "show", ...there], elsewhere())).toMatchObject({ offset_ms: offset() });
    expect(await readdir(folder.path)).toEqual([]);
  });

  test("what is no duration, no key or no service is told in one line", async () => {
    const { key } = await service.business();
    const before = offset();
    const said = async (...words: string[]) => (await mostrador(["clock", "advance", ...words], elsewhere())).stderr;
    expect(await said("mañana", "--url", service.baseUrl, "--key", key)).toContain('"mañana" no es una duración');
    expect(await said("1h", "--url", service.baseUrl, "--key", `mst_test_${"x".repeat(38)}`)).toContain(
      "INVALID_API_KEY",
    );
    expect(await said("1h", "--url", "http://127.0.0.1:9", "--key", key)).toContain("Revise --url");
    expect(offset()).toBe(before);
  });
});

test("without them it never starts a database: it says what to do", async () => {
  const { code, stderr } = await mostrador(["clock", "advance", "1h"], elsewhere());
  expect(code).toBe(1);
  expect(stderr).toContain("--url http://127.0.0.1:3000 --key");
  expect(await readdir(folder.path)).toEqual(["secret-key"]);
});

describe("the route", () => {
  const call = (key: string | undefined, body?: string, headers: Record<string, string> = {}) =>
    fetch(`${service.baseUrl}/test/v1/clock`, {
      method: body === undefined ? "GET" : "POST",
      headers: { ...(key && { authorization: `Bearer ${key}` }), "content-type": "application/json", ...headers },
      ...(body !== undefined && { body }),
    });
  const codeOf = async (answer: Response) => ((await answer.json()) as { error: { code: string } }).error.code;

  test("asks for a key of an account with its plan, and not from a browser", async () => {
    const { key } = await service.business();
    const basic = await service.business({ plan: "basic" });
    const before = offset();
    expect(await codeOf(await call(undefined, '{"advance":"1h"}'))).toBe("UNAUTHENTICATED");
    expect(await codeOf(await call(basic.key, '{"advance":"1h"}'))).toBe("PLAN_REQUIRED");
    const browser = { origin: "https://example.com", "sec-fetch-mode": "cors" };
    expect(await codeOf(await call(key, '{"advance":"1h"}', browser))).toBe("BROWSER_REQUESTS_NOT_ALLOWED");
    for (const body of ["{}", '{"advance":1}', '{"advance":"-1h"}', '{"advance":"1h","x":1}', '{"advance":"9999999d"}'])
      expect([body, await codeOf(await call(key, body))]).toEqual([body, "VALIDATION_ERROR"]);
    expect((await call(key, `{"advance":"${"1".repeat(2000)}h"}`)).status).toBe(413);
    expect(offset()).toBe(before);
  });

  test("shows the clock to every key, and moves it for one with clock:write", async () => {
    const { accountId } = await service.business();
    const { key } = await service.key(accountId, { scopes: ["sales:read"] });
    const before = offset();
    expect((await call(key)).status).toBe(200);
    const refused = await call(key, '{"advance":"1h"}');
    expect([refused.status, ((await refused.json()) as { error: object }).error]).toEqual([
      403,
      expect.objectContaining({ code: "INSUFFICIENT_SCOPE", required_scope: "clock:write" }),
    ]);
    expect(offset()).toBe(before);
    const mover = await service.key(accountId, { scopes: ["clock:write"] });
    expect((await call(mover.key, '{"advance":"1h"}')).status).toBe(200);
    expect(offset()).toBe(before + hour);
  });

  test("takes a few moves a second of one key", async () => {
    const { key } = await service.business();
    const answers = await Promise.all(Array.from({ length: 30 }, () => call(key)));
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(10);
  });
});

test("a live installation has no such route", async () => {
  await using live = await service.sibling(liveSettings());
  const { key } = await live.business();
  const answer = await fetch(`${live.baseUrl}/test/v1/clock`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: '{"advance":"1d"}',
  });
  expect(answer.status).toBe(404);
});
