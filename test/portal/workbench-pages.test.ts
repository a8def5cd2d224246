import { beforeAll, expect, test } from "vitest";
import { sql } from "../../src/db/sql.ts";
import { eventually } from "../support/eventually.ts";
import { shared } from "../support/fixtures.ts";
import { openAccount, sharedBrowser, visit } from "../support/visitor.ts";
import { failWith, sharedHooks, type TestEndpoint } from "../support/webhooks.ts";

const hooks = sharedHooks();
const browser = sharedBrowser();
const owner = shared(() => visit(browser, hooks.service));
let business: Awaited<ReturnType<typeof hooks.service.key>> & { accountId: string };
let endpoint: TestEndpoint;

beforeAll(async () => {
  const { accountId, email } = await openAccount(hooks.service);
  business = { accountId, ...(await hooks.service.key(accountId, { name: "ERP" })) };
  endpoint = await hooks.endpoint(business);
  await owner.signIn(email);
});

test("the result of a test appears beside its button, which keeps the focus", async () => {
  await owner.goto(`/webhooks/${endpoint.id}`);
  await owner.button("Enviar evento de prueba").focus();
  await owner.page.keyboard.press("Enter");
  const result = owner.page.getByText(/Evento de prueba: llegó\. Su servidor respondió 200/);
  await result.waitFor();
  expect((await result.boundingBox())!.y).toBeLessThan(500);
  await expect.poll(() => owner.page.evaluate("document.activeElement.textContent")).toBe("Enviar evento de prueba");
});

test("the example of an event is sent from a dialog, and its failure is explained", async () => {
  hooks.receiver.answers.set(endpoint.path, failWith(404));
  await owner.button("Más").click();
  await owner.page.getByRole("menuitem", { name: "Enviar un ejemplo…" }).click();
  await owner.page.getByRole("combobox", { name: "Evento" }).click();
  await owner.page.getByRole("option", { name: /Caja cerrada/ }).click();
  await owner.button("Enviar el ejemplo").click();
  await owner.sees(/Caja cerrada: no llegó\. Respondió 404/);
  hooks.receiver.answers.delete(endpoint.path);
});

test("an outage shows in the list at once, and a pending delivery is tried again on request", async () => {
  hooks.receiver.answers.set(endpoint.path, failWith(503));
  await hooks.writeCustomer(business, "Ana");
  const { id } = await eventually(async () =>
    (await hooks.deliveries(endpoint)).find(({ state, attempts }) => state === "pending" && attempts.length === 1),
  );
  await owner.goto("/webhooks");
  const row = owner.page.getByRole("table", { name: "Webhooks" }).getByRole("row").nth(1);
  await row.getByText("1 intento falló").waitFor();
  await row.getByText(/\(503\)/).waitFor();
  await owner.goto("/integracion");
  await owner.page.getByRole("img", { name: /^Intentos de entrega: 0\s?% de éxito/ }).waitFor();
  hooks.receiver.answers.delete(endpoint.path);
  await owner.goto(`/entregas/${id}`);
  await owner.button("Reintentar ahora").click();
  await owner.sees(/Intento 2: 200/);
  await owner.button("Reenviar").waitFor();
});

test("dropped and failed deliveries of a period are counted and recovered together", async () => {
  await hooks.stopWorker();
  await hooks.writeCustomers(business, 5);
  await hooks.service.deps.pool.query(sql`
    with moved as (delete from webhook_queue where endpoint_id = ${endpoint.id} returning *)
    insert into webhook_deliveries (account_id, created_at, id, endpoint_id, event_id, event_type, is_test, state, attempts)
    select account_id, created_at, id, endpoint_id, event_id, event_type, false, 'dropped', '[]' from moved`);
  await hooks.restart();
  await owner.goto("/entregas");
  await owner.button("Recuperar desde…").click();
  await owner.sees("Descartadas: 5");
  await owner.button(/^Recuperar \d/).click();
  await owner.sees(/Listo: \d entregas volvieron a la cola/);
  await owner.page.getByRole("dialog").getByRole("button", { name: "Cerrar" }).last().click();
});

test("a delivery that cannot be sent says why", async () => {
  await hooks.service.deps.pool.query(
    sql`update webhook_endpoints set status = 'deactivated' where id = ${endpoint.id}`,
  );
  await owner.page.getByRole("table", { name: "Entregas" }).getByRole("link").first().click();
  await owner.sees("Su webhook está desactivado: reactívelo para enviar de nuevo.");
  expect(await owner.button("Reenviar").count()).toBe(0);
});

test("the request log leads from a failed call to its guide", async () => {
  const answer = await business.api.get("/sales?limit=1000&document_kind=pos");
  expect(answer.status).toBe(400);
  await owner.goto("/solicitudes?resultado=error");
  await owner.page.getByRole("link", { name: /GET \/public\/v1\/sales/ }).click();
  await owner.page.getByRole("heading", { name: "GET /public/v1/sales" }).waitFor();
  await owner.sees("document_kind");
  await owner.sees(`Bearer mst_test_…${business.key.slice(-4)}`);
  await owner.link("Qué significa y qué hacer").click();
  await owner.page.waitForURL(/\/docs\/errores#VALIDATION_ERROR$/);
});

test("a shop without tax data is not told that everything is in order", async () => {
  await owner.goto("/");
  await owner.sees(/Faltan los datos fiscales/);
  expect(await owner.page.getByText("Todo está en orden").count()).toBe(0);
});

test("no page violated the content policy or threw an error", () => {
  expect(owner.complaints).toEqual([]);
});
