import { beforeAll, describe, expect, test } from "vitest";
import { createCustomer } from "../../src/business/customers/operations.ts";
import { sql } from "../../src/db/sql.ts";
import { writing } from "../../src/engine/writing/writing.ts";
import { day } from "../../src/lib/clock.ts";
import { uuidv7 } from "../../src/lib/ids.ts";
import { faults, settled } from "../support/axe.ts";
import { shared } from "../support/fixtures.ts";
import { enrol } from "../support/register.ts";
import { openAccount, sharedBrowser, visit } from "../support/visitor.ts";
import { sharedHooks } from "../support/webhooks.ts";

const hooks = sharedHooks();
const browser = sharedBrowser();
const owner = shared(() => visit(browser, hooks.service));
let receiverPath: string;
const places: Record<string, string> = {};

beforeAll(async () => {
  const { email } = await furnish();
  await owner.signIn(email);
});

/** A little of everything: an endpoint that fails, an expiring key, a register with problems. */
async function furnish(): Promise<{ email: string }> {
  const { service } = hooks;
  const { deps } = service;
  const { accountId, email } = await openAccount(service);
  const business = { accountId, ...(await service.key(accountId)) };
  const endpoint = await hooks.endpoint(business);
  hooks.receiver.answers.set(endpoint.path, (_received, response) => response.writeHead(500).end());
  await writing(deps, accountId, (write) => createCustomer(write, { name: "María" }));
  const [received] = await hooks.receiver.arrivals(endpoint.path, 1);
  // A test event is tried once, so it has failed for good.
  await hooks.sendTest(business, endpoint);
  await hooks.receiver.arrivals(endpoint.path, 2);
  receiverPath = endpoint.path;
  const call = await business.api.get("/customers?limit=1000");
  const expiresAt = new Date(deps.clock.now().getTime() + 3 * day);
  const { keyId } = await service.key(accountId, { name: "Contabilidad", expiresAt });
  const till = await enrol(service, accountId, { capabilities: [] });
  await till.push([
    { type: "sale", data: { total: "doce mil" } },
    { type: "customer", data: { name: "Ana", contact_channel: "tiktok" } },
  ]);
  const now = deps.clock.now();
  await deps.pool.query(sql`
    insert into conflicts (account_id, id, found_at, device_id, device_seq, type, record_id, field, kept, lost)
    values (${accountId}, ${uuidv7(now)}, ${now}, ${till.deviceId}, 1, 'product', ${uuidv7(now)}, 'base_price', '5400', '5200')`);
  Object.assign(places, {
    Hoy: "/",
    Actividad: "/integracion",
    Webhooks: "/webhooks",
    "Agregar un webhook": "/webhooks/nuevo",
    Webhook: `/webhooks/${endpoint.id}`,
    Entregas: "/entregas",
    Entrega: `/entregas/${received!.deliveryId}`,
    Eventos: "/eventos",
    Evento: `/eventos/${received!.body.id}`,
    "Claves API": "/claves",
    "Crear una clave": "/claves/nueva",
    Clave: `/claves/${business.keyId}`,
    "Clave por vencer": `/claves/${keyId}`,
    "Registro de solicitudes": "/solicitudes",
    Solicitud: `/solicitudes/${call.headers.get("request-id")}`,
    Cajas: "/cajas",
    Caja: `/cajas/${till.deviceId}`,
    Negocio: "/ajustes/negocio",
    Facturación: "/ajustes/facturacion",
    Mostrador: "/ajustes/mostrador",
    Seguridad: "/ajustes/seguridad",
    "Página que no existe": "/cuenta/nada",
  });
  return { email };
}

describe("axe finds no serious fault, in light or dark mode, and no page scrolls sideways on a phone, a tablet or a desk", () => {
  for (const name of [
    "Hoy",
    "Actividad",
    "Webhooks",
    "Agregar un webhook",
    "Webhook",
    "Entregas",
    "Entrega",
    "Eventos",
    "Evento",
    "Claves API",
    "Crear una clave",
    "Clave",
    "Clave por vencer",
    "Registro de solicitudes",
    "Solicitud",
    "Cajas",
    "Caja",
    "Negocio",
    "Facturación",
    "Mostrador",
    "Seguridad",
    "Página que no existe",
  ]) {
    test(name, async () => {
      await owner.goto(places[name]!);
      await settled(owner.page);
      expect(await faults(owner.page, "light")).toEqual([]);
      expect(await faults(owner.page, "dark")).toEqual([]);
      for (const width of [375, 768, 1024, 1440]) {
        await owner.page.setViewportSize({ width, height: 900 });
        await expect.poll(() => owner.page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      }
      await owner.page.setViewportSize({ width: 1280, height: 900 });
    });
  }

  test("Ingreso, Restablecer and the page that undoes a change of e-mail", async () => {
    const stranger = await visit(browser, hooks.service);
    for (const path of ["/ingreso", "/restablecer", "/deshacer-correo#enlace"]) {
      await stranger.goto(path);
      await settled(stranger.page);
      expect(await faults(stranger.page, "light")).toEqual([]);
      expect(await faults(stranger.page, "dark")).toEqual([]);
    }
  });

  test("the code dialog, and the open menu on a phone", async () => {
    await owner.goto("/cajas");
    await owner.button("Vincular caja").click();
    await owner.field("Nombre de la caja").fill("Caja 9");
    await owner.button("Continuar").click();
    await owner.field("Código de 6 dígitos").waitFor();
    expect(await faults(owner.page, "light")).toEqual([]);
    expect(await faults(owner.page, "dark")).toEqual([]);
    await owner.page.setViewportSize({ width: 375, height: 812 });
    await owner.goto("/");
    await owner.button("Más").click();
    await owner.link("Seguridad").waitFor();
    expect(await faults(owner.page, "light")).toEqual([]);
    await owner.page.setViewportSize({ width: 1280, height: 900 });
  });
});

test("the failed deliveries of a period are counted, then sent again, and the page shows the progress", async () => {
  await owner.goto("/entregas");
  await owner.button("Recuperar desde…").click();
  await owner.sees("1 entrega se reenviará.");
  const before = hooks.receiver.on(receiverPath).length;
  await owner.button("Recuperar 1").click();
  await owner.sees(/Listo: 1 entrega volvió a la cola/);
  await hooks.receiver.arrivals(receiverPath, before + 1);
  await owner.button("Cerrar").last().click();
});

test("a register's page shows its odd records and what became of them", async () => {
  await owner.goto("/cajas");
  await owner.sees("1 por revisar");
  await owner.goto(places.Caja!);
  await owner.page.getByText("customer · Valor desconocido: se guardó «none».").click();
  await owner.sees(/Llegó "tiktok"/);
});

test("with the keyboard alone a section can be opened, and closing a dialog returns the focus", async () => {
  await owner.goto("/cajas");
  await owner.button("Vincular caja").focus();
  await owner.page.keyboard.press("Enter");
  await owner.page.getByRole("dialog").waitFor();
  await expect.poll(() => focusedText()).toBe("Nombre de la caja");
  await owner.page.keyboard.press("Escape");
  await owner.page.getByRole("dialog").waitFor({ state: "detached" });
  await expect.poll(() => focusedText()).toBe("Vincular caja");

  function focusedText(): Promise<unknown> {
    return owner.page.evaluate("document.activeElement.labels?.[0]?.textContent || document.activeElement.textContent");
  }
});

test("the first load stays under 225 kB compressed with the typeface, of the sign-in page and of Hoy", async () => {
  const fresh = await visit(browser, hooks.service);
  const session = await fresh.context.newCDPSession(fresh.page);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  await fresh.goto("/ingreso");
  await fresh.page.waitForLoadState("networkidle");
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(225_000);
  await fresh.context.addCookies(await owner.context.cookies());
  await session.send("Network.clearBrowserCache");
  bytes = 0;
  await fresh.goto("/");
  await settled(fresh.page);
  await fresh.page.waitForLoadState("networkidle");
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(225_000);
  await fresh.context.close();
});

test("no page violated the content policy or threw an error", () => {
  expect(owner.complaints).toEqual([]);
});
