import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { shownTag } from "../../src/api/public/openapi.ts";
import { everyError } from "../../src/lib/errors.ts";
import { sharedService } from "../support/fixtures.ts";

const service = sharedService();

describe("the developer site", () => {
  test.each([
    ["/docs", "/docs/errores", "/docs/site.js", "/docs/referencia/ventas"],
    ["/docs/errores", "/docs", "/docs/style.css"],
  ])("%s is a Spanish page that loads nothing from other sites", async (path, ...links) => {
    const response = await fetch(service.baseUrl + path, { headers: { accept: "text/html" } });
    const page = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page).toContain('<html lang="es">');
    const policy = response.headers.get("content-security-policy")!;
    expect(policy).toMatch(/^default-src 'none'; /);
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/);
    for (const link of links) {
      expect(page).toContain(`"${link}"`);
      expect((await fetch(service.baseUrl + link)).status, link).toBe(200);
    }
  });

  test("its type scale is the portal's", async () => {
    const css = await (await fetch(`${service.baseUrl}/docs/style.css`)).text();
    const theme = await readFile(new URL("../../portal/src/ui/theme.ts", import.meta.url), "utf8");
    const sizes = [...css.matchAll(/--text-\w+: ([\d.]+rem)/g)].map(([, size]) => size);
    expect(sizes.length).toBeGreaterThan(4);
    for (const size of sizes) expect(theme).toContain(`"${size}"`);
    expect(css).not.toMatch(/font-size: [\d.]+rem/);
  });

  test("every error code has an anchor, to which doc_url points", async () => {
    const page = await (await fetch(`${service.baseUrl}/docs/errores`)).text();
    for (const [code, { status }] of Object.entries(everyError)) {
      const article = new RegExp(`<article class="error" id="${code}">(.*?)</article>`, "s").exec(page)?.[1] ?? "";
      expect(article, code).toContain(`HTTP ${status}`);
      expect(article, code).toMatch(/<p>[^<].+\.<\/p>\n<p><strong>Qué hacer:<\/strong> .+\.<\/p>/);
    }
    expect([...page.matchAll(/ id="([A-Z_]+)"/g)].map(([, id]) => id).sort()).toEqual(Object.keys(everyError).sort());
    for (const [path, code] of [
      ["/public/v1/customers", "UNAUTHENTICATED"],
      ["/portal/api/session", "SESSION_REQUIRED"],
      ["/sync/v1/changes", "UNAUTHENTICATED"],
    ] as const) {
      const { error } = (await (await fetch(service.baseUrl + path)).json()) as { error: { doc_url: string } };
      const docUrl = new URL(error.doc_url);
      expect([path, docUrl.pathname, docUrl.hash]).toEqual([path, "/docs/errores", `#${code}`]);
    }
    const search = await (await fetch(`${service.baseUrl}/docs/buscar?q=DEVICE_FORKED`)).text();
    expect(search).toContain("/docs/errores#DEVICE_FORKED");
  });

  test("the reference has every operation, with its parameters, an example and its errors, and every object it names", async () => {
    // biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is read as data
    const document: any = await (await fetch(`${service.baseUrl}/public/v1/openapi.json`)).json();
    const overview = await (await fetch(`${service.baseUrl}/docs`)).text();
    for (const { name } of document.tags) {
      const address = new RegExp(`<h3><a href="(/docs/referencia/[a-z-]+)">${shownTag(name)}</a>`).exec(overview)![1]!;
      const page = await (await fetch(service.baseUrl + address)).text();
      for (const [path, item] of Object.entries<Record<string, { operationId: string; tags: string[] }>>(
        document.paths,
      )) {
        for (const operation of Object.values(item).filter(({ tags }) => tags[0] === name)) {
          expect(page, path).toContain(`id="${operation.operationId}"`);
          expect(overview).toContain(`href="${address}#${operation.operationId}"`);
        }
      }
      for (const [, object] of page.matchAll(/href="#(objeto-\w+)"/g))
        expect(page, address).toContain(`id="${object}"`);
      expect(page).not.toMatch(/undefined|\[object|NaN/);
    }
  });

  test("the reference lists the fields of a new product's variants", async () => {
    const page = await (await fetch(`${service.baseUrl}/docs/referencia/productos`)).text();
    for (const name of ["label", "sku", "base_price", "final_price", "is_default", "active"])
      expect(page.replaceAll("<wbr>", "")).toContain(`<code>variants[].${name}</code>`);
  });

  test("an unknown path is a page for a browser and an error for a program", async () => {
    const asPerson = { headers: { accept: "text/html,*/*" } };
    const page = await fetch(`${service.baseUrl}/docs/nada`, asPerson);
    expect(page.status).toBe(404);
    expect(await page.text()).toContain("Esta página no existe");
    // Outside of the developers' pages it is the portal that says so.
    const portal = await fetch(`${service.baseUrl}/nada`, asPerson);
    expect(portal.status).toBe(404);
    expect(await portal.text()).toContain('<div id="root">');
    const error = await fetch(`${service.baseUrl}/nada`);
    expect(error.status).toBe(404);
    expect(await error.json()).toMatchObject({ error: { code: "ROUTE_NOT_FOUND" } });
  });
});
