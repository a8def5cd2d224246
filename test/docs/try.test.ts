import { describe, expect, test } from "vitest";
import { shared, sharedService, sharedShop } from "../support/fixtures.ts";
import { sharedBrowser, visit } from "../support/visitor.ts";

const service = sharedService();
const shop = sharedShop(service);
const browser = sharedBrowser();
const reader = shared(() => visit(browser, service));

async function ask(asked: object, headers: Record<string, string> = { origin: service.baseUrl }) {
  const response = await fetch(`${service.baseUrl}/docs/probar`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${shop.key}`, ...headers },
    body: JSON.stringify(asked),
  });
  // biome-ignore lint/suspicious/noExplicitAny: as a page reads it
  return { status: response.status, body: (await response.json()) as any };
}

const list = { method: "GET", path: "/public/v1/products?limit=1" };

describe("Probar passes on", () => {
  test("what our own page asks, by the API's rules", async () => {
    const { status, body } = await ask(list);
    expect([status, body.status, JSON.parse(body.body).object]).toEqual([200, 200, "list"]);
    expect(body.headers).toMatchObject({
      "request-id": expect.stringMatching(/^req_/),
    });
    expect((await ask(list, { origin: service.baseUrl, authorization: "Bearer mst_test_x" })).body.status).toBe(401);
    const create = { method: "POST", path: "/public/v1/customers", body: '{"name":"Eva"}' };
    expect(JSON.parse((await ask(create)).body.body).error.code).toBe("IDEMPOTENCY_KEY_REQUIRED");
    expect((await ask(create, { origin: service.baseUrl, "idempotency-key": "probar-1" })).body.status).toBe(201);
  });

  test.each([
    ["another site", { origin: "https://ajeno.example" }],
    ["a program without an origin", {}],
    ["another site that has our name in its own", { origin: `${"http://127.0.0.1"}.ajeno.example` }],
    ["what the browser says comes from elsewhere", { origin: "", "sec-fetch-site": "cross-site" }],
  ])("nothing of %s", async (_what, headers) => {
    const { status, body } = await ask(list, headers as Record<string, string>);
    expect([status, body.error.code]).toEqual([403, "BROWSER_REQUESTS_NOT_ALLOWED"]);
  });

  test.each([
    ["an export", "GET", "/public/v1/exports/sales"],
    ["an export in other letters", "GET", "/public/v1/%65xports/sales"],
    ["the portal", "GET", "/portal/api/session"],
    ["another host", "GET", "http://ajeno.example/public/v1/products"],
    ["a path that climbs", "GET", "/public/v1/../../metrics"],
    ["a method that is not there", "DELETE", "/public/v1/products"],
    ["itself", "POST", "/docs/probar"],
  ])("no request for %s", async (_what, method, path) => {
    expect((await ask({ method, path })).body.error.code).toBe("VALIDATION_ERROR");
  });
});

test("a reader sends a request, is asked before a change, and the key stays in the tab", async () => {
  const { page } = reader;
  await reader.goto("/docs/referencia/clientes");
  const operation = (id: string) => page.locator("section.operation").filter({ has: page.locator(`#${id}`) });
  const create = operation("createCustomer");
  await create.getByText("Probar", { exact: true }).click();
  await create.getByRole("button", { name: "Enviar…" }).click();
  await create.getByText("Escriba su clave de API.").waitFor();
  await create.getByLabel("Clave de API").fill(shop.key);
  const fontOfBody = "getComputedStyle(document.querySelector('details[open] textarea')).fontFamily";
  expect(await page.evaluate(fontOfBody)).toContain("monospace");
  await create.getByRole("textbox", { name: "Cuerpo" }).fill('{"name": "Desde la página"}');
  await create.getByRole("button", { name: "Enviar…" }).click();
  await create.getByRole("button", { name: "No" }).click();
  const named = async () => (await shop.api.get("/customers?q=Desde la página")).body.data.length;
  expect(await named()).toBe(0);
  await create.getByRole("button", { name: "Enviar…" }).click();
  await create.getByRole("button", { name: "Sí, enviar" }).click();
  await create.getByText(/^201 · \d+ ms$/).waitFor();
  expect(await named()).toBe(1);

  const read = operation("listCustomers");
  await read.getByText("Probar", { exact: true }).click();
  await read.getByLabel("limit", { exact: true }).fill("1");
  await read.getByRole("button", { name: "Enviar" }).click();
  await read.getByText(/^200 · \d+ ms$/).waitFor();
  await read.getByRole("region", { name: "Cuerpo", exact: true }).getByText('"object": "list"').waitFor();

  expect(await page.evaluate("JSON.stringify(localStorage) + document.cookie")).not.toContain(shop.key);
  const other = await reader.context.newPage();
  await other.goto("/docs/referencia/clientes");
  expect(await other.evaluate("sessionStorage.length")).toBe(0);
  await other.close();
  expect(reader.complaints).toEqual([]);
});

describe("the tabs of languages", () => {
  test("remember what was chosen, on every page, and go with the arrow keys", async () => {
    const { page } = reader;
    await reader.goto("/docs/referencia/productos");
    await page.getByRole("tab", { name: "Python" }).first().click();
    await page.getByText("from mostrador import Mostrador").first().waitFor();
    await reader.goto("/docs/guia/inicio-rapido");
    const python = page.getByRole("tab", { name: "Python" }).first();
    expect(await python.getAttribute("aria-selected")).toBe("true");
    await page.getByText("python3 -m venv entorno").waitFor();
    expect(await page.getByText("npm init -y").isVisible()).toBe(false);
    await python.focus();
    await page.keyboard.press("ArrowRight");
    await page.getByText("composer require").waitFor();
  });

  test("without scripts every language is shown", async () => {
    const context = await browser.newContext({ baseURL: service.baseUrl, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto("/docs/guia/inicio-rapido");
    for (const text of ["npm init -y", "python3 -m venv entorno", "composer require"])
      expect(await page.getByText(text).isVisible(), text).toBe(true);
    await context.close();
  });
});
