import { describe, expect, test } from "vitest";
import { expectError } from "../support/expect-error.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { type RawRequest, raw, rawClient } from "../support/raw.ts";

const service = sharedService();
const shop = sharedShop(service);
const { post } = rawClient(service, shop);

describe("a body is INVALID_JSON when it", () => {
  const customer = '{"name":"Ana"}';
  const cases: [string, RawRequest["body"] | undefined, Record<string, string>?][] = [
    ["is empty", ""],
    ["is only spaces", " \n"],
    ["is missing", undefined],
    ["is missing, and so is its type", undefined, { "content-type": "" }],
    ["has no content type", customer, { "content-type": "" }],
    ["is declared as text", customer, { "content-type": "text/plain" }],
    ["is declared as a form", customer, { "content-type": "application/x-www-form-urlencoded" }],
    ["is declared as another kind of JSON", customer, { "content-type": "application/vnd.api+json" }],
    ["has an ill-formed content type", customer, { "content-type": "json" }],
    ["is not UTF-8", Buffer.from('{"name":"Bogotá"}', "latin1")],
    ["is UTF-16", Buffer.from(customer, "utf16le")],
    ["begins with a byte order mark", `\ufeff${customer}`],
    ["continues after its end", `${customer}}`],
    ["stops before its end", '{"name":"Ana"'],
    ["has single quotes", "{'name':'Ana'}"],
    ["has a trailing comma", '{"name":"Ana",}'],
    ["has NaN", '{"name":NaN}'],
    ["has a raw control character", '{"name":"A\u0000na"}'],
  ];
  test.each(cases)("%s", async (_how, body, headers) => {
    expectError(await post("/customers", body, headers), "INVALID_JSON");
  });

  test("a charset and capitals in the content type are accepted", async () => {
    for (const type of ["application/json; charset=utf-8", "Application/JSON", "application/json;charset=UTF-8"]) {
      expect((await post("/customers", customer, { "content-type": type })).status).toBe(201);
    }
  });

  test("a PATCH without a body is INVALID_JSON too", async () => {
    const { body } = await shop.api.post("/customers", { name: "Ana" });
    expectError(await shop.api.send("PATCH", `/customers/${body.id}`), "INVALID_JSON");
  });
});

describe("a body of 256 KiB", () => {
  const limit = 256 * 1024;
  const padded = (bytes: number) => '{"name":"Ana"}'.padEnd(bytes, " ");
  const halves = (text: string) => [text.slice(0, 100_000), text.slice(100_000)];

  test("is accepted, with its length or in chunks", async () => {
    expect((await post("/customers", padded(limit))).status).toBe(201);
    expect((await post("/customers", halves(padded(limit)))).status).toBe(201);
  });

  test("is too large when it has one byte more, with its length or in chunks", async () => {
    expectError(await post("/customers", padded(limit + 1)), "PAYLOAD_TOO_LARGE");
    expectError(await post("/customers", halves(padded(limit + 1))), "PAYLOAD_TOO_LARGE");
  });

  test("that nests 100 000 levels deep is refused without harm", async () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expectError(await post("/customers", deep), "VALIDATION_ERROR", { param: "body" });
    expectError(await post("/customers", `{"name":"\\u0041na","extra":${deep}}`), "VALIDATION_ERROR", {
      param: "extra",
    });
    expectError(
      await post("/customers", `{"name":${'{"a":'.repeat(40_000)}1${"}".repeat(40_000)}}`),
      "VALIDATION_ERROR",
    );
  });

  test("full of mistakes gets the first hundred errors", async () => {
    const { body } = await post("/products", `{"name":"Leche","base_price":1,"variants":[${"1,".repeat(100_000)}1]}`);
    expect(body.error).toMatchObject({ code: "VALIDATION_ERROR", param: "variants" });
    expect(body.error.errors).toHaveLength(100);
  });
});

describe("text that cannot be stored is 400 and names its field", () => {
  test.each([
    ["NUL in a value", '{"name":"A\\u0000na"}', "name"],
    ["half a surrogate pair in a value", '{"name":"A\\ud800na"}', "name"],
    ["a surrogate pair in reverse order", '{"name":"\\udc00\\ud800"}', "name"],
    ["NUL in a key", '{"name":"Ana","a\\u0000":1}', "body"],
    ["half a surrogate pair in a key", '{"name":"Ana","a\\udfff":1}', "body"],
    ["a body that is only such text", '"\\u0000"', "body"],
  ])("%s", async (_what, body, param) => {
    expectError(await post("/customers", body), "VALIDATION_ERROR", { param });
  });

  test.each([
    ["ESC", "\\u001b"],
    ["a backspace", "\\b"],
    ["a form feed", "\\f"],
    ["DEL as it is", "\u007f"],
    ["C1 as it is", "\u009b"],
    ["C1 escaped", "\\u0085"],
  ])("%s in any field, of one line or more", async (_what, control) => {
    expectError(await post("/customers", `{"name":"Pan${control}p"}`), "VALIDATION_ERROR", { param: "name" });
    expectError(
      await post("/products", `{"name":"Pan","base_price":1,"description":"a${control}b"}`),
      "VALIDATION_ERROR",
      {
        param: "description",
      },
    );
  });

  test.each(["\\n", "\\t", "\\r", "\u2028", "\u200b", "\u202e", "\u00ad"])(
    "%j in a name, a code or a number",
    async (hidden) => {
      for (const field of ["name", "last_name", "phone", "document_number"]) {
        const fields = { name: "Ana", [field]: "1@1" };
        const answer = await post("/customers", JSON.stringify(fields).replace("@", hidden));
        expectError(answer, "VALIDATION_ERROR", { param: field });
        expect(answer.body.error.message).toContain("una sola línea");
      }
      const product = { name: "Pan", base_price: 1 };
      for (const [at, fields] of [
        ["sku", { ...product, sku: "1@1" }],
        ["variants.0.label", { ...product, variants: [{ label: "1@1" }] }],
        ["variants.0.sku", { ...product, variants: [{ label: "M", sku: "1@1" }] }],
      ] as const)
        expectError(await post("/products", JSON.stringify(fields).replace("@", hidden)), "VALIDATION_ERROR", {
          param: at,
        });
    },
  );

  test("tab and line ends stay in a text of several lines, and an emoji keeps its joiner", async () => {
    const { body } = await post(
      "/products",
      '{"name":"👩\u200d🍳 Pan","base_price":1,"description":"uno\\n\\tdos\\r\\n"}',
    );
    expect([body.name, body.description]).toEqual(["👩\u200d🍳 Pan", "uno\n\tdos\r\n"]);
  });

  test("deep inside", async () => {
    const body = '{"name":"Camiseta","base_price":1,"variants":[{"label":"M"},{"label":"\\ud800"}]}';
    expectError(await post("/products", body), "VALIDATION_ERROR", { param: "variants.1.label" });
  });

  test("a complete surrogate pair is ordinary text", async () => {
    const { body } = await post("/customers", '{"name":"\\ud83e\\udd5b Leche"}');
    expect(body.name).toBe("🥛 Leche");
  });

  test.each([
    ["NUL", "q=%00a", "q"],
    ["ESC", "q=a%1Bp", "q"],
    ["half a surrogate pair", "q=%ED%A0%80a", "q"],
    ["invalid UTF-8", "q=%FF%FE", "q"],
    ["an invalid escape", "q=100%", "q"],
    ["NUL in the middle of several", "limit=2&email=a%00&q=ab", "email"],
    ["NUL in a name", "%00=1", "query"],
    ["invalid UTF-8 in a name", "%FF", "query"],
  ])("%s in the query", async (_what, query, param) => {
    const path = `/public/v1/customers?${query}`;
    const answer = await raw(service.baseUrl, { path, headers: { authorization: `Bearer ${shop.key}` } });
    expectError(answer, "VALIDATION_ERROR", { param });
  });
});

describe("unknown fields are refused by name", () => {
  test.each(["__proto__", "constructor", "toString", "hasOwnProperty", "id", "created_at", "nombre"])(
    "%s in a body",
    async (field) => {
      for (const [path, rest] of [
        ["/customers", '"name":"Ana"'],
        ["/products", '"name":"Leche","base_price":1'],
      ] as const) {
        const answer = await post(path, `{${rest},"${field}":{"a":1}}`);
        expectError(answer, "VALIDATION_ERROR", { param: field });
        expect(answer.body.error.errors).toEqual([{ param: field, message: expect.stringContaining(`\`${field}\``) }]);
      }
    },
  );

  test.each(["__proto__", "constructor", "length", "Limit", "starting-after"])("%s in a query", async (name) => {
    expectError(await shop.api.get(`/customers?${name}=1`), "VALIDATION_ERROR", { param: name });
  });

  test("a query parameter without a name", async () => {
    expectError(await shop.api.get("/customers?=1"), "VALIDATION_ERROR", { param: "query" });
  });

  test("none of them is stored", async () => {
    await post("/customers", '{"name":"Ana","__proto__":{"phone":"300"}}');
    const { body } = await shop.api.post("/customers", { name: "Eva" });
    expect(body.phone).toBeNull();
  });
});

describe("bodies are never coerced", () => {
  test.each(['"3"', "3.5", "1e400", "-1e400", "9007199254740993", "1e100", "true", "[3]", '{"a":3}', '""'])(
    "%s is not a sort_order",
    async (value) => {
      const answer = await post("/categories", `{"name":"Lácteos","sort_order":${value}}`);
      expectError(answer, "VALIDATION_ERROR", { param: "sort_order" });
    },
  );

  test.each(["3", "3.0", "3e0", "0.3e1"])("%s is the integer 3", async (value) => {
    const { body } = await post("/categories", `{"name":"Lácteos","sort_order":${value}}`);
    expect(body.sort_order).toBe(3);
  });

  test("minus zero is stored as zero", async () => {
    const answer = await post("/categories", '{"name":"Lácteos","sort_order":-0}');
    expect(answer.bytes.toString()).toContain('"sort_order":0,');
  });

  test.each(['"true"', "1", "0", '"false"'])("%s is not a boolean", async (value) => {
    const answer = await post("/products", `{"name":"Leche","base_price":1,"active":${value}}`);
    expectError(answer, "VALIDATION_ERROR", { param: "active" });
  });

  test.each(["7", "true", "null", '["Ana"]', "{}"])("%s is not a text", async (value) => {
    expectError(await post("/customers", `{"name":${value}}`), "VALIDATION_ERROR", { param: "name" });
  });

  test.each(["[]", "null", "7", '"Ana"', '[{"name":"Ana"}]'])("%s is not an object", async (body) => {
    expectError(await post("/customers", body), "VALIDATION_ERROR", { param: "body" });
  });
});

describe("query parameters are parsed by their type", () => {
  test.each(["1", "100", "007"])("limit=%s is a limit", async (value) => {
    expect((await shop.api.get(`/customers?limit=${value}`)).status).toBe(200);
  });

  const noLimits = ["0", "101", "-1", "1.5", "1.0", "1e1", "0x10", "%205", "5%20", "1e400", "99999999999999999999"];
  test.each([...noLimits, "", "Infinity", "NaN", "null", "true", "[]"])("limit=%s is refused", async (value) => {
    expectError(await shop.api.get(`/customers?limit=${value}`), "VALIDATION_ERROR", { param: "limit" });
  });

  test.each(["true", "false", "1", "0", "True", "FALSE"])("include_deleted=%s is a boolean", async (value) => {
    expect((await shop.api.get(`/customers?include_deleted=${value}`)).status).toBe(200);
  });

  test.each(["2", "01", "-1", "yes", "sí", "t", "", "null"])("include_deleted=%s is refused", async (value) => {
    const answer = await shop.api.get(`/customers?include_deleted=${value}`);
    expectError(answer, "VALIDATION_ERROR", { param: "include_deleted" });
  });

  test("a number stays text where the parameter is text", async () => {
    await shop.api.post("/customers", { name: "Eva", document_number: "0010" });
    const { body } = await shop.api.get("/customers?document_number=0010");
    expect(body.data).toHaveLength(1);
    expect((await shop.api.get("/customers?document_number=10")).body.data).toHaveLength(0);
  });
});

describe("errors", () => {
  test("list every invalid field once, and repeat the first at the top", async () => {
    const { body } = await shop.api.post("/customers", {
      last_name: 7,
      email: "ana",
      phone: "3".repeat(31),
      person_type: "robot",
      edad: 30,
    });
    const { error } = body;
    const params = error.errors.map((one: { param: string }) => one.param);
    expect(new Set(params)).toEqual(new Set(["edad", "name", "last_name", "email", "phone", "person_type"]));
    expect(params).toHaveLength(6);
    expect(error.param).toBe(params[0]);
    expect(error.message).toContain(error.errors[0].message);
    expect(error.message).toContain("los 6 campos de `errors`");
    for (const { param, message } of error.errors) expect(message).toContain(`\`${param}\``);
  });

  test("give the path of a field inside a list", async () => {
    const { body } = await shop.api.post("/products", {
      name: "Camiseta",
      base_price: 30_000,
      variants: [{ label: "M" }, { label: "", base_price: -1 }, { sku: "A" }],
    });
    const params = body.error.errors.map((one: { param: string }) => one.param);
    expect(new Set(params)).toEqual(new Set(["variants.1.label", "variants.1.base_price", "variants.2.label"]));
  });

  test("ask for at least one field in an empty PATCH", async () => {
    const { body } = await shop.api.post("/customers", { name: "Ana" });
    const answer = await shop.api.patch(`/customers/${body.id}`, {});
    expectError(answer, "VALIDATION_ERROR", { param: "body" });
    expect(answer.body.error.message).toContain("al menos un campo");
  });
});
