import { randomBytes } from "node:crypto";
import { pino } from "pino";
import { beforeAll, describe, expect, test } from "vitest";
import { assistantOverHttp } from "../support/assistant.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { spawnMostrador } from "../support/process.ts";

const lines: string[] = [];
const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
const service = sharedService({}, { log });
const shop = sharedShop(service);

beforeAll(async () => {
  await shop.api.post("/products", { name: "Café", base_price: 18_000 });
});

async function post(body: string | Uint8Array, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.baseUrl}/mcp`, {
    method: "POST",
    headers: { authorization: `Bearer ${shop.key}`, "content-type": "application/json", ...headers },
    body,
  });
  return { status: response.status, text: await response.text() };
}

const message = (method: string, params: object = {}, id: unknown = 1) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });
const use = (name: unknown, input: unknown) => message("tools/call", { name, arguments: input } as object);

test.each<[string, string, string]>([
  ["a tool without a name", message("tools/call", { arguments: {} }), "`params.name`"],
  ["a tool whose input is text", use("find_product", "café"), "`params.arguments`"],
  ["a resource without an address", message("resources/read"), "`params"],
])("%s is told in a sentence what its parameters lack", async (_, body, field) => {
  const { error, id } = JSON.parse((await post(body)).text);
  expect([id, error.code]).toEqual([1, -32602]);
  expect(error.message).toContain(field);
  expect(error.message).toMatch(/^Los parámetros/);
  expect(error.message).not.toMatch(/[{}[\]]/);
});

/** Messages that no client library would send. */
const garbage: [string, string | Uint8Array][] = [
  ["nothing", ""],
  ["no JSON", "{"],
  ["bytes that are no text", randomBytes(64)],
  ["a number", "7"],
  ["null", "null"],
  ["an empty object", "{}"],
  ["another protocol's version", '{"jsonrpc":"1.0","id":1,"method":"tools/list"}'],
  ["a batch", `[${message("tools/list")},${message("tools/list")}]`],
  ["an id that is an object", message("tools/list", {}, { a: 1 })],
  ["an unknown method", message("tools/obliterate")],
  ["a prototype for a tool", use("__proto__", {})],
  ["an object for a tool", use({ a: 1 }, {})],
  ["a list for an input", use("find_product", [1, 2])],
  ["text for an input", use("find_product", "café")],
  ["a field that every object has", use("find_product", { constructor: 1, toString: 2 })],
  ["NUL in a text", use("find_product", { text: "ca\u0000fé" })],
  [
    "half a letter",
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_product","arguments":{"text":"\\ud800a"}}}',
  ],
  ["a long text", use("find_product", { text: "a".repeat(100_000) })],
  ["SQL", use("find_product", { text: "'; drop table products; --" })],
  ["a path for an id", use("change_price", { product_id: "../me", price: 1 })],
  ["a price beyond all", use("change_price", { product_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c13", price: 1e300 })],
  [
    "a confirmation of another's making",
    use("adjust_stock", {
      product_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c13",
      type: "in",
      quantity: 1,
      reason: "x",
      confirmation: "a.b.c.d",
    }),
  ],
  ["a resource outside", message("resources/read", { uri: "file:///etc/passwd" })],
  ["a deep one", `${"[".repeat(20_000)}${"]".repeat(20_000)}`],
];

describe("garbage", () => {
  test.each(garbage)("%s is answered and breaks nothing", async (what, body) => {
    const { status, text } = await post(body);
    expect([200, 202, 400], text).toContain(status);
    expect(text).not.toMatch(/at \w+.*\.[jt]s:\d|node_modules|select |ECONN/);
    const answered = text === "" ? {} : JSON.parse(text);
    // What only looks hostile, such as SQL in a name, is an ordinary question.
    expect(answered.result === undefined || answered.result.isError || what === "SQL", text).toBe(true);
    const { text: after } = await post(use("find_product", { text: "cafe" }));
    expect(after).toContain("Café");
  });

  test("what is too large is 413, and a stream or a session is not to be had", async () => {
    expect((await post(use("find_product", { text: "a".repeat(300_000) }))).status).toBe(413);
    for (const method of ["GET", "DELETE"]) {
      const headers = { authorization: `Bearer ${shop.key}`, accept: "text/event-stream" };
      const response = await fetch(`${service.baseUrl}/mcp`, { method, headers });
      expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    }
  });

  test("on the command's input is answered line by line, and the next line is served", async () => {
    const child = spawnMostrador(["mcp"], { MOSTRADOR_URL: service.baseUrl, MOSTRADOR_API_KEY: shop.key });
    const said: string[] = [];
    child.stdout.on("data", (chunk: Buffer) => said.push(String(chunk)));
    child.stdin.write("{\n\n\u0000\u0001\n[]\n7\n");
    child.stdin.end(`${use("find_product", { text: "cafe" })}\n`);
    const code = await new Promise((resolve) => child.on("close", resolve));
    const answers: { error?: { code: number }; result?: object }[] = said
      .join("")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(answers).toHaveLength(5);
    const codes = answers.flatMap(({ error }) => error?.code ?? []);
    expect(codes.toSorted((a, b) => a - b)).toEqual([-32700, -32700, -32700, -32600]);
    expect(JSON.stringify(answers.find(({ result }) => result))).toContain("Café");
  });
});

describe("a key", () => {
  test("that is none, revoked or of a browser is refused as the API refuses it", async () => {
    const refused = async (headers: Record<string, string>) =>
      JSON.parse((await post(message("tools/list"), headers)).text).error.code;
    expect(await refused({ authorization: "" })).toBe("UNAUTHENTICATED");
    expect(await refused({ authorization: "Bearer mst_test_nada" })).toBe("INVALID_API_KEY");
    expect(await refused({ origin: "https://evil.example" })).toBe("BROWSER_REQUESTS_NOT_ALLOWED");
    const basic = await service.business({ plan: "basic" });
    expect(await refused({ authorization: `Bearer ${basic.key}` })).toBe("PLAN_REQUIRED");
    await expect(assistantOverHttp(service.baseUrl, "mst_test_nada")).rejects.toThrow(/INVALID_API_KEY/);
  });

  test("stands in no log, whatever went wrong with it", async () => {
    await using assistant = await assistantOverHttp(service.baseUrl, shop.key);
    await assistant.use("find_product", { text: "cafe" });
    await assistant.refusal("find_sale", { sale_id: "019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c99" });
    await assistant.refusal("find_product", { text: shop.key, nada: 1 });
    await service.app.close();
    const logged = lines.join("");
    expect(logged).toContain('"/mcp"');
    expect(logged).not.toContain(shop.key);
    const { rows } = await service.deps.pool.query("select row_to_json(r)::text as row from request_log r");
    expect(rows.length).toBeGreaterThan(3);
    expect(JSON.stringify(rows)).not.toContain(shop.key);
  });
});
