import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { hour, minute } from "../../src/lib/clock.ts";
import { shared } from "../support/fixtures.ts";
import { newestCode } from "../support/portal.ts";
import { receiverHost } from "../support/receiver.ts";
import { saleBody } from "../support/records.ts";
import { type Till, tillOf } from "../support/register.ts";
import { openAccount, sharedBrowser, visit } from "../support/visitor.ts";
import { sharedHooks } from "../support/webhooks.ts";

const hooks = sharedHooks();
const browser = sharedBrowser();
const account = shared(() => openAccount(hooks.service));
const owner = shared(() => visit(browser, hooks.service));
let till: Till;
let endpointId: string;
const path = "/mostrador";
const url = `https://${receiverHost}${path}`;

test("the owner signs in and sees what to do next", async () => {
  await owner.signIn(account.email);
  await owner.sees("Vincule su primera caja");
  expect(new URL(owner.page.url()).pathname).toBe("/");
});

test("enrols a register with a mailed code, then with the register's own code", async () => {
  await owner.link("Cajas").click();
  await owner.sees("Todavía no hay cajas vinculadas");
  await owner.button("Vincular caja").click();
  await owner.field(/Nombre de la caja/).fill("Caja 1");
  await owner.button("Continuar").click();
  await owner.sees("vincular la caja «Caja 1»");
  await owner.confirm(account.email);
  const code = (await owner.page.getByTestId("secret").textContent())!.trim();
  expect(code).toMatch(/^[A-Z2-7]{5}-[A-Z2-7]{5}$/);
  const enrolled = await fetch(`${hooks.service.baseUrl}/sync/v1/enrol`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      code,
      name: "Caja 1",
      app_version: "3.8.1",
      capabilities: ["product.remote_edit.1"],
    }),
  });
  expect(enrolled.status).toBe(201);
  till = tillOf(hooks.service, (await enrolled.json()) as { device_id: string; token: string });
  await owner.sees(/«Caja 1» está conectada/);
  await owner.button("Listo").click();
  await owner.link("Caja 1").click();
  await owner.sees("3.8.1");
  await owner.button("Cambiar el nombre").click();
  await owner.page.getByRole("dialog").getByLabel("Nombre").fill("Caja Rápida");
  await owner.button("Guardar").click();
  await owner.page.getByRole("heading", { name: "Caja Rápida" }).waitFor();
});

test("adds an endpoint with the mailed code and sees its secret once", async () => {
  await owner.link("Webhooks").click();
  await owner.link("Agregar webhook").first().click();
  await owner.field(/URL de su servidor/).fill("https://localhost/x");
  await owner.button("Continuar").click();
  await owner.sees(/dominio público|localhost/i);
  await owner.field(/URL de su servidor/).fill(url);
  await owner.button("Continuar").click();
  await owner.sees("agregar este webhook");
  const code = await newestCode(hooks.service, account.email);
  const wrong = code === "000000" ? "000001" : "000000";
  await owner.field("Código de 6 dígitos").fill(wrong);
  await owner.button("Confirmar").click();
  await owner.sees(/quedan 4 intentos/);
  await owner.confirm(account.email);
  const secret = await owner.takeSecret();
  expect(secret).toMatch(/^whsec_[0-9a-f]{64}$/);
  hooks.receiver.secrets.set(path, [secret]);
  await owner.page.waitForURL(/\/webhooks\/[0-9a-f-]{36}$/);
  endpointId = owner.page.url().split("/").at(-1)!;
  await owner.page.reload();
  await owner.sees("Se mostró una vez.");
  expect(await owner.page.content()).not.toContain("whsec_");
});

test("a test event arrives at a real HTTPS receiver, and its delivery appears without a reload", async () => {
  await owner.button("Enviar evento de prueba").click();
  const [received] = await hooks.receiver.arrivals(path, 1);
  expect(received!.body.type).toBe("webhook.test");
  const row = owner.page.locator(`[data-delivery="${received!.deliveryId}"]`);
  await row.getByText("Entregada").waitFor();
  await row.getByRole("link", { name: "Evento de prueba" }).click();
  await owner.sees(/Intento 1: 200/);
  // The page shows the exact request: the bytes and the signature that the receiver got.
  expect(await owner.page.getByTestId("body").textContent()).toBe(received!.raw.toString());
  await owner.sees(String(received!.headers["service-signature"]));
});

test("a sale made at the register arrives; the receiver fails, and the page says why and what to do", async () => {
  let answer = 503;
  hooks.receiver.answers.set(path, (_received, response) => response.writeHead(answer).end());
  const now = new Date().toISOString();
  const {
    object: _,
    created_at: __,
    updated_at: ___,
    invoices: ____,
    ...sale
  } = saleBody(now) as never as Record<string, unknown>;
  const pushed = await till.push([{ type: "sale", id: randomUUID(), data: { ...sale, id: undefined } }]);
  expect(pushed.body.results[0]).toMatchObject({ status: "applied" });
  const arrived = await hooks.receiver.arrivals(path, 2);
  const { deliveryId, body } = arrived.at(-1)!;
  expect(body.type).toBe("sale.completed");

  await owner.goto(`/entregas?endpoint=${endpointId}`);
  await owner.field(/Buscar por identificador/).fill(deliveryId);
  await owner.button("Buscar").click();
  await owner.page.waitForURL((address) => address.searchParams.get("q") === deliveryId);
  const row = owner.page.locator(`[data-delivery="${deliveryId}"]`);
  await row.getByText("Respondió 503").waitFor();
  await row.getByText("Pendiente").waitFor();
  await row.getByRole("link", { name: "Venta completada" }).click();
  await owner.sees("Estado distinto de 2xx");
  await owner.sees(/El servidor no está disponible \(503\)/);
  await owner.sees(/Próximo intento/);

  // Back leads to the same search, and forward to the delivery.
  await owner.page.goBack();
  expect(await owner.field(/Buscar por identificador/).inputValue()).toBe(deliveryId);
  await owner.page.goForward();

  // The eight attempts of 28 hours, without waiting for them. A session that nobody uses ends after a day, so the page
  // has to be seen following.
  for (const [i, waitMs] of [minute, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour].entries()) {
    hooks.advance(waitMs + minute);
    await hooks.receiver.arrivals(path, i + 3);
    if (waitMs > hour) await owner.sees(`Intento ${i + 2}: Respondió 503`);
  }
  await owner.page.getByText("Fallida", { exact: true }).first().waitFor();

  answer = 200;
  await owner.button("Reenviar").click();
  await hooks.receiver.arrivals(path, 10);
  await owner.sees(/Intento 9: 200/);
  await owner.page.getByText("Entregada", { exact: true }).first().waitFor();
});

test("the event shows its JSON, its amounts in pesos and its deliveries", async () => {
  await owner.goto("/eventos?tipo=sale.completed");
  await owner.link("Venta completada").first().click();
  await owner.page.getByRole("heading", { name: "Venta completada" }).waitFor();
  await owner.sees(/\$\s?6\.400/);
  await owner.sees('"object": "sale"');
  await owner.page.getByRole("table", { name: "Entregas del evento" }).getByText(url).waitFor();
});

test("rotates the secret, and both sign until the time that the page shows", async () => {
  await owner.goto(`/webhooks/${endpointId}`);
  await owner.button("Más").click();
  await owner.page.getByRole("menuitem", { name: "Rotar el secreto" }).click();
  await owner.button("Enviar el código").click();
  await owner.sees("rotar el secreto de este webhook");
  await owner.confirm(account.email);
  const secret = await owner.takeSecret();
  await owner.sees("Rotación del secreto en curso");
  hooks.receiver.secrets.set(path, [secret, ...hooks.receiver.secrets.get(path)!]);
  hooks.receiver.answers.delete(path);
  const before = hooks.receiver.on(path).length;
  await owner.button("Enviar evento de prueba").click();
  await hooks.receiver.arrivals(path, before + 1);
});

test("pauses, resumes and deletes the endpoint", async () => {
  await owner.button("Pausar").click();
  await owner.page.getByRole("dialog").getByRole("button", { name: "Pausar" }).click();
  await owner.page.getByText("En pausa", { exact: true }).waitFor();
  await owner.button("Reanudar").click();
  await owner.page.getByText("Activo", { exact: true }).waitFor();
  await owner.button("Más").click();
  await owner.page.getByRole("menuitem", { name: "Eliminar" }).click();
  await owner.page.getByRole("dialog").getByRole("button", { name: "Eliminar" }).click();
  await owner.sees("Todavía no hay webhooks");
  expect(new URL(owner.page.url()).pathname).toBe("/webhooks");
});

test("creates a key, calls the API with it, sees the call, revokes it, and the API refuses it", async () => {
  await owner.link("Claves API").click();
  await owner.link("Crear clave").click();
  await owner.field(/^Nombre/).fill("Contabilidad");
  await owner.field(/Ver las ventas con sus líneas/).check();
  await owner.button("Continuar").click();
  await owner.sees("crear la clave «Contabilidad»");
  await owner.confirm(account.email);
  const key = await owner.takeSecret();
  expect(key).toMatch(/^mst_test_/);
  const api = hooks.service.client({ authorization: `Bearer ${key}` });
  const answer = await api.get("/sales?limit=1");
  expect(answer.status).toBe(200);
  const calls = owner.page.getByRole("table", { name: "Solicitudes" });
  const row = calls.getByRole("row").filter({ hasText: "GET /public/v1/sales" }).first();
  await row.getByText("200", { exact: true }).waitFor();
  const requestId = answer.headers.get("request-id")!;
  await row.getByTitle(requestId).waitFor();

  await owner.button("Revocar").click();
  await owner.page.getByRole("dialog").getByRole("button", { name: "Revocar" }).click();
  await owner.page.getByText("Revocada", { exact: true }).first().waitFor();
  const refused = await api.get("/sales?limit=1");
  expect([refused.status, refused.body.error.code]).toEqual([401, "API_KEY_REVOKED"]);
  await calls.getByText("401").waitFor();
});

test("no page violated the content policy or threw an error", () => {
  expect(owner.complaints).toEqual([]);
});
