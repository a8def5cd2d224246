import { type AddressInfo, createServer } from "node:net";
import type { CDPSession } from "playwright-core";
import { expect, test } from "vitest";
import { sql } from "../../../src/db/sql.ts";
import { minute, second } from "../../../src/lib/clock.ts";
import { faults } from "../../support/axe.ts";
import { shared } from "../../support/fixtures.ts";
import { password } from "../../support/portal.ts";
import { startService } from "../../support/service.ts";
import { openAccount, sharedBrowser, type Visitor, visit } from "../../support/visitor.ts";

/** Passkeys belong to a name, so the portal is visited as localhost. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => server.once("listening", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

const service = shared(async () => {
  const port = await freePort();
  return startService({ PORT: String(port), PUBLIC_URL: `http://localhost:${port}` });
});
const browser = sharedBrowser();

interface Desk {
  seen: Visitor;
  cdp: CDPSession;
  authenticatorId: string;
  go(path: string): Promise<void>;
}

/** A browser with an authenticator in it, whose person touches it whenever she is asked. */
async function openDesk(): Promise<Desk> {
  const seen = await visit(browser, service);
  const cdp = await seen.context.newCDPSession(seen.page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const go = async (path: string) => {
    await seen.page.goto(`${service.deps.config.publicUrl}${path}`);
  };
  return { seen, cdp, authenticatorId, go };
}

async function signIn({ seen, go }: Desk, email: string): Promise<void> {
  await go("/ingreso");
  await seen.field("Correo").fill(email);
  await seen.field("Contraseña").fill(password);
  await seen.button("Entrar").click();
}

const atHome = ({ seen }: Desk) => seen.page.getByRole("heading", { name: "Hoy", level: 1 }).waitFor();

async function addPasskey(desk: Desk, name: string): Promise<void> {
  const { seen, go } = desk;
  await go("/ajustes/seguridad");
  await seen.button("Agregar una llave de acceso").click();
  const dialog = seen.page.getByRole("dialog");
  await dialog.getByLabel("Nombre").fill(name);
  await dialog.getByLabel("Su contraseña").fill(password);
  await dialog.getByRole("button", { name: "Crear la llave" }).click();
  await seen.sees("Sus códigos de recuperación");
  expect((await seen.page.getByTestId("secret").textContent())?.split("\n")).toHaveLength(10);
  await seen.button("Ya lo guardé").click();
  await seen.page.getByRole("cell", { name }).first().waitFor();
}

test("a passkey is made, signs in alone, does the step-up, and is removed; axe finds nothing", async () => {
  const { email } = await openAccount(service);
  const desk = await openDesk();
  const { seen, go } = desk;
  await signIn(desk, email);
  await atHome(desk);
  await addPasskey(desk, "Portátil de Ana");
  expect(await faults(seen.page, "dark")).toEqual([]);
  expect(await faults(seen.page, "light")).toEqual([]);
  await seen.page.request.delete(`${service.deps.config.publicUrl}/portal/api/session`, {
    headers: { origin: service.deps.config.publicUrl },
  });
  await go("/ingreso");
  await seen.button("Usar una llave de acceso").click();
  await atHome(desk);

  service.deps.clock.shiftTo(service.deps.clock.offsetMs() + 10 * minute + second);
  await go("/ajustes/seguridad");
  await seen.button("Hacer códigos nuevos").click();
  await seen.sees("Confirme que es usted");
  await seen.button("Usar mi llave de acceso").click();
  await seen.sees("Sus códigos de recuperación");
  await seen.button("Ya lo guardé").click();

  await seen.button("Quitar").click();
  await seen.page.getByRole("dialog").getByRole("button", { name: "Quitar" }).click();
  await seen.sees("Sin activar");
  await seen.page.request.delete(`${service.deps.config.publicUrl}/portal/api/session`, {
    headers: { origin: service.deps.config.publicUrl },
  });
  await go("/ingreso");
  await seen.button("Usar una llave de acceso").click();
  await seen.sees("No se pudo comprobar su llave de acceso");
  expect(seen.complaints).toEqual([]);
});

test("after the password in a new browser the passkey is the second step, and nobody else's is", async () => {
  const [one, other] = [await openAccount(service), await openAccount(service)];
  const [desk, stranger] = [await openDesk(), await openDesk()];
  await signIn(desk, one.email);
  await atHome(desk);
  await addPasskey(desk, "De Ana");
  await signIn(stranger, other.email);
  await atHome(stranger);
  await addPasskey(stranger, "De otro");
  await stranger.seen.context.clearCookies();
  await signIn(stranger, one.email);
  await stranger.seen.sees("Confirme que es usted");
  await stranger.seen.button("Usar mi llave de acceso").click();
  await stranger.seen.sees("No se pudo");
  await desk.seen.context.clearCookies();
  await signIn(desk, one.email);
  await desk.seen.button("Usar mi llave de acceso").click();
  await atHome(desk);
});

test("without a finger, a face or a PIN a passkey does not sign in", async () => {
  const { email } = await openAccount(service);
  const desk = await openDesk();
  await signIn(desk, email);
  await atHome(desk);
  await addPasskey(desk, "Sin dedo");
  await desk.cdp.send("WebAuthn.setUserVerified", { authenticatorId: desk.authenticatorId, isUserVerified: false });
  await desk.seen.context.clearCookies();
  await desk.go("/ingreso");
  await desk.seen.button("Usar una llave de acceso").click();
  await desk.seen.sees("El navegador no entregó una llave de acceso");
});

test("what a passkey signed is taken once, soon, and for what it was asked", async () => {
  const { email } = await openAccount(service);
  const desk = await openDesk();
  const { seen } = desk;
  await signIn(desk, email);
  await atHome(desk);
  await addPasskey(desk, "Portátil");
  const bodies: string[] = [];
  seen.page.on("request", (request) => {
    if (request.url().endsWith("/session/passkey") && request.method() === "POST")
      bodies.push(request.postData() ?? "");
  });
  await seen.context.clearCookies();
  await desk.go("/ingreso");
  await seen.button("Usar una llave de acceso").click();
  await atHome(desk);
  const send = async (path: string, body: string) => {
    const { publicUrl } = service.deps.config;
    const headers = { "content-type": "application/json", origin: publicUrl };
    return (await fetch(`${service.baseUrl}/portal/api${path}`, { method: "POST", headers, body })).status;
  };
  expect(bodies).toHaveLength(1);
  expect(await send("/session/passkey", bodies[0]!), "replayed").toBe(422);
  const asked = await fetch(`${service.baseUrl}/portal/api/session/passkey/options`, { method: "POST" });
  const { challenge } = (await asked.json()) as { challenge: string };
  await service.deps.pool.query(
    sql`update passkey_challenges set purpose = 'step-up x' where challenge = ${challenge}`,
  );
  const { credential } = JSON.parse(bodies[0]!);
  const clientData = JSON.parse(Buffer.from(credential.response.clientDataJSON, "base64url").toString());
  const altered = Buffer.from(JSON.stringify({ ...clientData, challenge })).toString("base64url");
  const forged = { credential: { ...credential, response: { ...credential.response, clientDataJSON: altered } } };
  expect(await send("/session/passkey", JSON.stringify(forged)), "made for something else").toBe(422);
  await service.deps.pool.query(
    sql`update passkey_challenges set purpose = 'sign-in alone' where challenge = ${challenge}`,
  );
  expect(await send("/session/passkey", JSON.stringify(forged)), "signed something else").toBe(422);
  for (const garbage of ["{}", '{"credential":{}}', '{"credential":{"id":1,"response":{"clientDataJSON":"%"}}}'])
    expect(await send("/session/passkey", garbage)).toBeGreaterThanOrEqual(400);
});
