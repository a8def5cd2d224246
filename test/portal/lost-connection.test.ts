import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApp } from "../../src/app.ts";
import { sharedService } from "../support/fixtures.ts";
import { openAccount, sharedBrowser, type Visitor, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
let running: FastifyInstance;
let owner: Visitor;
const notice = "Sin conexión con el servicio.";

beforeAll(async () => {
  running = service.app;
  const { email } = await openAccount(service);
  owner = await visit(browser, service);
  await owner.signIn(email);
});
afterAll(() => running.close());

/** The service ends as when its process is stopped; the returned function starts another at the same address. */
async function stopService(): Promise<() => Promise<void>> {
  await running.close();
  return async () => {
    running = buildApp(service.deps);
    await running.listen({ port: Number(new URL(service.baseUrl).port), host: "127.0.0.1" });
  };
}

test("with the service away every page says so, and recovers by itself with what was typed into it", async () => {
  const addresses = [
    "/",
    "/webhooks",
    "/entregas",
    "/eventos",
    "/claves",
    "/solicitudes",
    "/cajas",
    "/ajustes/negocio",
  ];
  const typed = [
    { path: "/webhooks/nuevo", label: /URL de su servidor/, value: "https://tienda.com.co/a-medias" },
    { path: "/claves/nueva", label: /^Nombre/, value: "Clave a medias" },
  ];
  const tabs = await Promise.all(
    [...addresses, ...typed.map(({ path }) => path)].map(async (path) => {
      const page = await owner.context.newPage();
      await page.goto(path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      return { path, page };
    }),
  );
  for (const { path, label, value } of typed)
    await tabs
      .find((tab) => tab.path === path)!
      .page.getByLabel(label)
      .fill(value);
  const startService = await stopService();
  await Promise.all(tabs.map(({ page }) => page.getByText(notice).waitFor({ timeout: 120_000 })));
  for (const { path, page } of tabs) expect(await page.getByRole("heading", { level: 1 }).count(), path).toBe(1);
  await startService();
  await Promise.all(tabs.map(({ page }) => page.getByText(notice).waitFor({ state: "detached", timeout: 120_000 })));
  for (const { path, page } of tabs) {
    await page.getByText("No hay conexión con el servicio.").first().waitFor({ state: "detached", timeout: 120_000 });
    expect(await page.getByRole("heading", { level: 1 }).count(), path).toBe(1);
  }
  for (const { path, label, value } of typed)
    expect(
      await tabs
        .find((tab) => tab.path === path)!
        .page.getByLabel(label)
        .inputValue(),
    ).toBe(value);
  await Promise.all(tabs.map(({ page }) => page.close()));
});

test("a page whose files cannot be loaded while the service is away appears once it is back", async () => {
  const { page } = owner;
  await owner.goto("/");
  await page.getByRole("heading", { level: 1 }).waitFor();
  const startService = await stopService();
  await page.evaluate("history.pushState(null, '', '/documentos')");
  await page.getByText("Esta página no se pudo cargar").waitFor();
  await startService();
  await page.getByRole("heading", { name: "Documentos", level: 1 }).waitFor();
});

test("after a deployment a page whose old files are gone is loaded anew, once", async () => {
  const { page } = owner;
  await owner.goto("/claves/nueva");
  await owner.field(/^Nombre/).fill("Antes del despliegue");
  let refused = 0;
  await page.route("**/assets/*.js", (route) => {
    if (refused > 0) return route.continue();
    refused += 1;
    return route.fulfill({ status: 404, body: "" });
  });
  await page.evaluate("history.pushState(null, '', '/eventos')");
  await page.getByRole("heading", { name: "Eventos", level: 1 }).waitFor();
  expect(refused).toBe(1);
  await page.unroute("**/assets/*.js");
  await page.goBack();
  await expect.poll(() => owner.field(/^Nombre/).inputValue()).toBe("Antes del despliegue");
});

test("a part that is missing for good ends in a page that says what to do, never in a white one", async () => {
  const { page } = owner;
  await owner.goto("/");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.route("**/assets/reports-*.js", (route) => route.fulfill({ status: 404, body: "" }));
  await page.evaluate("history.pushState(null, '', '/informes')");
  await page.getByText("Algo falló en esta página").waitFor();
  await owner.button("Volver a cargar").waitFor();
  await page.unroute("**/assets/reports-*.js");
  await owner.button("Volver a cargar").click();
  await page.getByRole("heading", { name: "Informes" }).waitFor();
});

test("a portal whose main file cannot be loaded says so and starts by itself", async () => {
  const { page } = owner;
  await page.route("**/assets/index-*.js", (route) => route.abort());
  await page.goto("/");
  await page.getByText("El servicio no responde.").waitFor();
  await page.unroute("**/assets/index-*.js");
  await page.getByRole("heading", { level: 1 }).waitFor();
});
