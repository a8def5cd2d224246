import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { customers } from "../../src/business/customers/resource.ts";
import { expectError } from "../support/expect-error.ts";
import { sharedService, sharedShop } from "../support/fixtures.ts";
import { type RawAnswer, raw } from "../support/raw.ts";
import { remove } from "../support/records.ts";

const service = sharedService();
const shop = sharedShop(service);

async function newCustomer(api = shop.api): Promise<{ id: string; path: string; tag: string }> {
  const { body } = await api.post("/customers", { name: "Ana" });
  const path = `/customers/${body.id}`;
  return { id: body.id, path, tag: await tagOf(path, api) };
}

async function tagOf(path: string, api = shop.api): Promise<string> {
  return (await api.get(path)).headers.get("etag")!;
}

/** The tag under which the same version is sent compressed. */
function encoded(tag: string, encoding: "br" | "gzip"): string {
  return tag.replace(/(:\w+)?"$/, `:${encoding}"`);
}

describe("ETag", () => {
  test("is strong, and the same while nothing changes", async () => {
    const { path, tag } = await newCustomer();
    expect(tag).toMatch(/^"[^"]+"$/);
    expect(await tagOf(path)).toBe(tag);
    expect(await tagOf("/customers")).toMatch(/^"[^"]+"$/);
    expect(await tagOf("/customers")).toBe(await tagOf("/customers"));
  });

  test("of a record changes with each change, and a PATCH already carries the new one", async () => {
    const { path, tag } = await newCustomer();
    const tags = [tag];
    for (const phone of ["300", "301", "300"]) {
      const patched = await shop.api.patch(path, { phone });
      tags.push(await tagOf(path));
      expect(patched.headers.get("etag")).toBe(tags.at(-1));
    }
    expect(new Set(tags).size).toBe(4);
  });

  test("of a list changes when a record of the page is added, changed or deleted", async () => {
    const { api, accountId } = await service.business();
    const tags = [await tagOf("/customers", api)];
    const { id, path } = await newCustomer(api);
    tags.push(await tagOf("/customers", api));
    await api.patch(path, { phone: "300" });
    tags.push(await tagOf("/customers", api));
    await newCustomer(api);
    tags.push(await tagOf("/customers", api));
    await remove(service.deps, accountId, customers, id);
    tags.push(await tagOf("/customers", api));
    expect(new Set(tags).size).toBe(5);
  });

  test("of a page changes when another page follows it or no longer does, not when the following records change", async () => {
    const { api, accountId } = await service.business();
    const older = await newCustomer(api);
    await newCustomer(api);
    const followed = await tagOf("/customers?limit=1", api);
    await api.patch(older.path, { phone: "300" });
    expect(await tagOf("/customers?limit=1", api)).toBe(followed);
    await remove(service.deps, accountId, customers, older.id);
    expect(await tagOf("/customers?limit=1", api)).not.toBe(followed);
  });

  test("does not change with another account's records", async () => {
    const tag = await tagOf("/customers");
    await newCustomer((await service.business()).api);
    expect(await tagOf("/customers")).toBe(tag);
  });
});

describe("If-None-Match", () => {
  test.each([
    ["the tag", (tag: string) => tag],
    ["the weak form of the tag", (tag: string) => `W/${tag}`],
    ["a list that holds it", (tag: string) => `"otra", W/"1-0",${tag} , "y otra"`],
    ["*", () => "*"],
    ["the tag of the brotli response", (tag: string) => encoded(tag, "br")],
    ["the tag of the gzip response", (tag: string) => encoded(tag, "gzip")],
  ])("%s gets 304 without a body", async (_what, given) => {
    const { path } = await newCustomer();
    for (const url of [path, "/customers"]) {
      const { status, text, headers } = await shop.api.get(url, { "if-none-match": given(await tagOf(url)) });
      expect(status).toBe(304);
      expect(text).toBe("");
      expect(headers.get("content-length")).toBeNull();
      expect(headers.get("vary")).toBe("Accept-Encoding");
    }
  });

  test("gets 304 with the same tag that the client sent", async () => {
    const { path, tag } = await newCustomer();
    const brotli = encoded(tag, "br");
    const held = async (header: string) => (await shop.api.get(path, { "if-none-match": header })).headers.get("etag");
    expect(await held(tag)).toBe(tag);
    expect(await held(brotli)).toBe(brotli);
    expect(await held(`W/${tag}`)).toBe(tag);
    expect(await held("*")).toBe(tag);
  });

  test("with another tag gets the record", async () => {
    const { path, tag } = await newCustomer();
    await shop.api.patch(path, { phone: "300" });
    for (const header of [tag, '"otra"', tag.slice(1, -1), "", `${tag.slice(0, -1)}x"`]) {
      const { status, body } = await shop.api.get(path, { "if-none-match": header });
      expect(status).toBe(200);
      expect(body.phone).toBe("300");
    }
  });

  test("never hides that a record is gone", async () => {
    const { id, path, tag } = await newCustomer();
    await remove(service.deps, shop.accountId, customers, id);
    for (const header of [tag, "*"]) {
      expectError(await shop.api.get(path, { "if-none-match": header }), "NOT_FOUND");
    }
  });
});

describe("If-Match", () => {
  const patch = (path: string, tag: string) => shop.api.patch(path, { phone: "300" }, { "if-match": tag });

  test.each([
    ["the current tag", (tag: string) => tag],
    ["a list that holds it", (tag: string) => `"otra", ${tag}`],
    ["*", () => "*"],
    ["the tag of the gzip response", (tag: string) => encoded(tag, "gzip")],
    ["the tag of the brotli response", (tag: string) => encoded(tag, "br")],
  ])("%s lets a PATCH through", async (_what, given) => {
    const { path, tag } = await newCustomer();
    expect((await patch(path, given(tag))).body.phone).toBe("300");
  });

  test.each([
    ["another tag", () => '"otra"'],
    ["a weak tag, which proves no equality of bytes", (tag: string) => `W/${tag}`],
    ["the tag without its quotes", (tag: string) => tag.slice(1, -1)],
  ])("%s is CONFLICT, and nothing changes", async (_what, given) => {
    const { path, tag } = await newCustomer();
    expectError(await patch(path, given(tag)), "CONFLICT");
    const { body, headers } = await shop.api.get(path);
    expect(body.phone).toBeNull();
    expect(headers.get("etag")).toBe(tag);
  });

  test("lets only one of two edits of the same version through", async () => {
    const { path, tag } = await newCustomer();
    const answers = await Promise.all([patch(path, tag), patch(path, tag)]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  });
});

describe("compression", () => {
  let plain: RawAnswer;
  const get = (encodings?: string, path = "/customers", method = "GET") =>
    raw(service.baseUrl, {
      method,
      path: `/public/v1${path}`,
      headers: {
        authorization: `Bearer ${shop.key}`,
        ...(encodings !== undefined && { "accept-encoding": encodings }),
      },
    });
  beforeAll(async () => {
    for (let i = 0; i < 5; i++) await newCustomer();
    plain = await get();
    expect(plain.headers["content-encoding"]).toBeUndefined();
  });

  test("is applied on request, and the content is the same byte by byte", async () => {
    const brotli = await get("br");
    expect(brotli.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(brotli.bytes)).toEqual(plain.bytes);
    const gzip = await get("gzip");
    expect(gzip.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes);
    for (const { bytes, headers } of [brotli, gzip]) {
      expect(bytes.length).toBeLessThan(plain.bytes.length);
      expect(Number(headers["content-length"])).toBe(bytes.length);
      expect(headers.vary).toBe("Accept-Encoding");
      expect(headers["content-type"]).toBe(plain.headers["content-type"]);
    }
  });

  test.each([
    ["gzip, deflate, br", "br"],
    ["gzip;q=1, br;q=0.5", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["br;q=0, gzip;q=0", undefined],
    ["identity", undefined],
    ["identity, gzip;q=0.5", undefined],
    ["deflate", undefined],
    ["*", "br"],
    ["*;q=0", undefined],
    ["", undefined],
  ])("Accept-Encoding: %s is answered in %s", async (accepted, encoding) => {
    const { headers, bytes } = await get(accepted);
    expect(headers["content-encoding"]).toBe(encoding);
    expect(headers.vary).toBe("Accept-Encoding");
    if (encoding === undefined) expect(bytes).toEqual(plain.bytes);
  });

  test("gives the compressed bytes a strong tag of their own, which also gets 304", async () => {
    const tags = [plain, await get("br"), await get("gzip")].map(({ headers }) => headers.etag!);
    expect(new Set(tags).size).toBe(3);
    for (const tag of tags) {
      expect((await shop.api.get("/customers", { "if-none-match": tag })).status).toBe(304);
    }
  });

  test("leaves small responses alone", async () => {
    const { path } = await newCustomer();
    expect((await get("br", path)).headers["content-encoding"]).toBeUndefined();
  });

  test("is announced by HEAD as by GET", async () => {
    const [head, whole] = [await get("gzip", "/customers", "HEAD"), await get("gzip")];
    expect(head.bytes).toHaveLength(0);
    for (const name of ["content-encoding", "content-length", "etag"]) {
      expect(head.headers[name]).toBe(whole.headers[name]);
    }
  });
});
