import { describe, expect, test } from "vitest";
import { faults } from "../support/axe.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { sharedBrowser, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
const reader = shared(() => visit(browser, service));

describe("axe finds no serious fault in light or dark mode, and nothing scrolls sideways", () => {
  test.each([
    "/docs",
    "/docs/guias",
    "/docs/guia/webhooks",
    "/docs/guia/limites",
    "/docs/descargas",
    "/docs/referencia/ventas",
    "/docs/referencia/webhooks",
    "/docs/errores",
    "/docs/buscar?q=401",
    "/nada",
    "/dev/mail",
  ])("%s", async (path) => {
    await reader.goto(path);
    for (const scheme of ["light", "dark"] as const) expect(await faults(reader.page, scheme, "html")).toEqual([]);
    for (const width of [320, 375, 768, 1024, 1440]) {
      await reader.page.setViewportSize({ width, height: 900 });
      expect(await reader.page.evaluate("document.documentElement.scrollWidth"), `${width} px`).toBe(width);
    }
  });
});

test("a block of code is copied by its button, and the search works with the keyboard alone", async () => {
  await reader.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await reader.goto("/docs/referencia/clientes");
  const block = reader.page.locator(".copyable").first();
  await block.getByRole("button").click();
  await block.getByRole("button", { name: "Copiado" }).waitFor();
  const copied = await reader.page.evaluate("navigator.clipboard.readText()");
  expect(copied).toBe(await block.locator("pre").textContent());
  await reader.page.setViewportSize({ width: 1440, height: 900 });
  await reader.page.getByRole("search", { name: "Búsqueda en todo el sitio" }).getByRole("searchbox").focus();
  await reader.page.keyboard.type("paginar");
  await reader.page.keyboard.press("Enter");
  await reader.page.getByRole("heading", { name: "Buscar" }).waitFor();
  await reader.page
    .getByRole("link", { name: /^Paginación/ })
    .nth(1)
    .waitFor();
});

test("a field's name is one word to whoever copies it or hears it, wherever it may break", async () => {
  await reader.goto("/docs/referencia/ventas");
  await reader.page.getByRole("rowheader", { name: "starting_after", exact: true }).first().waitFor();
});

test("no page violated the content policy or threw an error", () => {
  expect(reader.complaints).toEqual([]);
});
