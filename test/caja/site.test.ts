import { expect, test } from "vitest";
import { buildApp } from "../../src/app.ts";
import { sharedService } from "../support/fixtures.ts";

const service = sharedService();
const get = (path: string, headers = {}) => fetch(`${service.baseUrl}${path}`, { headers, redirect: "manual" });

test("the page comes with a policy that allows no foreign or inline script and no inline style", async () => {
  const redirect = await get("/caja");
  expect([redirect.status, redirect.headers.get("location")]).toEqual([308, "/caja/"]);
  const page = await get("/caja/");
  expect(page.status).toBe(200);
  const policy = page.headers.get("content-security-policy")!;
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
  expect(policy).not.toContain("unsafe");
  expect(page.headers.get("permissions-policy")).toContain("usb=(self)");
  const text = await page.text();
  expect(text).not.toMatch(/<script(?![^>]*\bsrc=)/);
  const script = /src="(\/caja\/assets\/[^"]+\.js)"/.exec(text)![1]!;
  const asset = await get(script, { "accept-encoding": "gzip" });
  expect(asset.headers.get("cache-control")).toContain("immutable");
});

test("the service worker lists every file of the app, and is asked for anew each time", async () => {
  const worker = await get("/caja/sw.js");
  expect(worker.headers.get("cache-control")).toBe("no-cache");
  const text = await worker.text();
  const files = JSON.parse(/const files = (\[.*?\]);/s.exec(text)![1]!) as string[];
  expect(files.filter((file) => file.endsWith(".js")).length).toBeGreaterThan(0);
  for (const file of files) expect((await get(file)).status, file).toBe(200);
  expect((await get("/caja/manifest.webmanifest")).headers.get("content-type")).toBe("application/manifest+json");
  for (const path of ["/caja/nada", "/caja/assets/nada.js"]) expect((await get(path)).status).toBe(404);
});

test("a process may serve the register's page alone", async () => {
  const app = buildApp(service.deps, ["caja"]);
  try {
    expect((await app.inject("/caja/")).statusCode).toBe(200);
    for (const path of ["/", "/sync/v1/changes", "/public/v1/products"])
      expect((await app.inject(path)).statusCode, path).toBe(404);
  } finally {
    await app.close();
  }
});
