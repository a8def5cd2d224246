import { describe, expect, test } from "vitest";
import { everyError } from "../../src/lib/errors.ts";
import { sharedService } from "../support/fixtures.ts";

const service = sharedService();

describe("the developer site", () => {
  test.each([
    ["/docs", "/docs/errores", "/docs/scalar.js", "/docs/reference.js"],
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

  test("the reference's script is served from here and cached", async () => {
    const first = await fetch(`${service.baseUrl}/docs/scalar.js`);
    expect(first.headers.get("content-encoding")).toBe("gzip");
    expect(await first.text()).toContain("createApiReference");
    const again = await fetch(`${service.baseUrl}/docs/scalar.js`, {
      headers: { "if-none-match": first.headers.get("etag")! },
    });
    expect(again.status).toBe(304);
    const script = await (await fetch(`${service.baseUrl}/docs/reference.js`)).text();
    for (const setting of ['"telemetry":false', '"withDefaultFonts":false', '"hideTestRequestButton":true']) {
      expect(script).toContain(setting);
    }
  });

  test("an unknown path is a page for a browser and an error for a program", async () => {
    const page = await fetch(`${service.baseUrl}/nada`, { headers: { accept: "text/html,*/*" } });
    expect(page.status).toBe(404);
    expect(await page.text()).toContain("Esta página no existe");
    const error = await fetch(`${service.baseUrl}/nada`);
    expect(error.status).toBe(404);
    expect(await error.json()).toMatchObject({ error: { code: "ROUTE_NOT_FOUND" } });
  });
});
