import { expect, test } from "vitest";
import { minute } from "../../src/lib/clock.ts";
import { sharedService } from "../support/fixtures.ts";
import { mailsTo, newestCode, openAgain, openPortal, password } from "../support/portal.ts";
import { openAccount, sharedBrowser, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();

const input = { url: "https://tienda.com.co/webhooks", event_types: ["sale.completed"] };

test("a script in the name of a business, a register or a key is shown as text everywhere", async () => {
  const script = `<script>document.title="robado"</script><img src=x onerror="document.title='robado'">`;
  const { email, accountId } = await openAccount(service, { name: script });
  await service.key(accountId, { name: script });
  const owner = await visit(browser, service);
  await owner.signIn(email);
  expect(await owner.page.getByTestId("business").textContent()).toBe(script);
  await owner.goto("/claves");
  await owner.link(script).waitFor();
  await owner.goto("/cajas");
  await owner.button("Vincular caja").click();
  await owner.field("Nombre de la caja").fill(script);
  await owner.button("Continuar").click();
  await owner.field("Código de 6 dígitos").waitFor();
  const mailbox = await owner.context.newPage();
  await mailbox.goto("/dev/mail");
  await mailbox.getByText("Buzón de pruebas").first().waitFor();
  expect(await mailbox.title()).toBe("Buzón de pruebas");
  expect(await owner.page.title()).toBe("Cajas · Mostrador");
  expect(await owner.page.locator("img[src=x]").count()).toBe(0);
  expect(owner.complaints).toEqual([]);
  await owner.context.close();
});

test("a cookie copied before signing out is useless afterwards", async () => {
  const { email } = await openAccount(service);
  const owner = await visit(browser, service);
  await owner.signIn(email);
  const stolen = await owner.context.cookies();
  expect(stolen.find(({ name }) => name === "mostrador_session")).toMatchObject({ httpOnly: true, sameSite: "Strict" });
  await owner.button("Salir").click();
  await owner.page.getByRole("heading", { name: "Entre a su portal" }).waitFor();
  const thief = await visit(browser, service);
  await thief.context.addCookies(stolen);
  await thief.goto("/cuenta");
  await thief.page.getByRole("heading", { name: "Entre a su portal" }).waitFor();
  // Nor does the owner's browser show cached pages.
  await owner.page.goBack();
  await owner.page.getByRole("heading", { name: "Entre a su portal" }).waitFor();
  await owner.context.close();
  await thief.context.close();
});

test("a page of another origin can neither write with the owner's cookie nor frame the portal", async () => {
  const { email } = await openAccount(service);
  const owner = await visit(browser, service);
  await owner.signIn(email);
  const elsewhere = await owner.context.newPage();
  // Another name of the same machine is another origin.
  const foreign = service.baseUrl.replace("127.0.0.1", "localhost");
  await elsewhere.route(`${foreign}/**`, (route) =>
    route.fulfill({ contentType: "text/html", body: `<iframe src="${service.baseUrl}/"></iframe>` }),
  );
  await elsewhere.goto(`${foreign}/`);
  const status = await elsewhere.evaluate(
    `fetch("${service.baseUrl}/portal/api/session", { method: "DELETE", credentials: "include", mode: "no-cors" }).then(() => "sent", () => "sent")`,
  );
  expect(status).toBe("sent");
  const frame = elsewhere.frames()[1];
  expect(await frame?.locator("#root").count()).not.toBe(1);
  await owner.page.reload();
  await owner.page.getByRole("heading", { name: "Hoy" }).waitFor();
  await owner.context.close();
});

test("a code is valid for its own change, in its own session, for ten minutes", async () => {
  const owner = await openPortal(service);
  const endpoint = await owner.post("/webhook-endpoints", input);
  const endpointCode = await owner.code();
  const key = await owner.post("/api-keys", { name: "x", scopes: ["sales:read"] });
  const keyCode = await owner.code();
  if (endpointCode !== keyCode) {
    const crossed = await owner.post(`/confirmations/${key.body.confirmation_id}`, { code: endpointCode });
    expect([crossed.status, crossed.body.error.code]).toEqual([422, "CODE_INCORRECT"]);
  }
  const elsewhere = await openAgain(service, owner.business, owner.email);
  const foreign = await elsewhere.post(`/confirmations/${key.body.confirmation_id}`, { code: keyCode });
  expect(foreign.status).toBe(404);
  service.deps.clock.shiftTo(service.deps.clock.offsetMs() + 10 * minute);
  const late = await owner.post(`/confirmations/${endpoint.body.confirmation_id}`, { code: endpointCode });
  expect([late.status, late.body.error.code]).toEqual([410, "CODE_EXPIRED"]);
  expect((await owner.get("/webhook-endpoints")).body.data).toEqual([]);
});

test("after five wrong codes the dialog says so, and the right code does nothing", async () => {
  const { email } = await openAccount(service);
  const owner = await visit(browser, service);
  await owner.signIn(email);
  await owner.goto("/webhooks/nuevo");
  await owner.field("URL de su servidor").fill(input.url);
  await owner.button("Continuar").click();
  for (let left = 4; left >= 0; left--) {
    // All of them wrong; the last digit differs each time.
    await owner.field("Código de 6 dígitos").fill(`00000${left}`);
    await owner.button("Confirmar").click();
    if (left > 0) await owner.sees(left === 1 ? "Le queda 1 intento." : `Le quedan ${left} intentos.`);
  }
  await owner.sees("Este código ya no sirve. Cierre esta ventana y empiece de nuevo.");
  expect(await owner.field("Código de 6 dígitos").isDisabled()).toBe(true);
  await owner.context.close();
});

test("a new e-mail takes the codes from both mailboxes, and the old one can take the account back", async () => {
  const { email, accountId } = await openAccount(service);
  const thief = await visit(browser, service);
  await thief.signIn(email);
  await thief.goto("/ajustes/seguridad");
  const stolen = `ladron-${accountId}@example.com`;
  await thief.field("Correo nuevo").fill(stolen);
  await thief.field("Su contraseña").fill(password);
  await thief.button("Cambiar el correo").click();
  await thief.field("Código del correo nuevo").waitFor();
  const [right, newRight] = [await newestCode(service, email), await newestCode(service, stolen)];
  await thief.field("Código del correo nuevo").fill(newRight);
  await thief.field("Código del correo actual").fill(right === "000000" ? "000001" : "000000");
  await thief.button("Confirmar").click();
  await thief.sees("Le quedan 4 intentos.");
  expect(await thief.field("Código del correo nuevo").inputValue()).toBe(newRight);
  await thief.field("Código del correo actual").fill(right);
  await thief.button("Confirmar").click();
  await thief.sees("El correo cambió.");

  const owner = await visit(browser, service);
  const [notice] = await mailsTo(service, email);
  const link = new URL(/https?:\S+deshacer-correo#\S+/.exec(notice!.text)![0]);
  await owner.goto(link.pathname + link.hash);
  await owner.button("Deshacer el cambio").click();
  await owner.sees(`El correo de su cuenta es otra vez ${email}.`);
  expect(new URL(owner.page.url()).hash).toBe("");
  await thief.page.reload();
  await thief.page.getByRole("heading", { name: "Entre a su portal" }).waitFor();
  await owner.field("Código de 6 dígitos").fill(await newestCode(service, email));
  await owner.field("Contraseña nueva").fill("la nueva del titular");
  await owner.button("Cambiar la contraseña").click();
  await owner.page.getByRole("heading", { name: "Entre a su portal" }).waitFor();
  expect([thief.complaints, owner.complaints]).toEqual([[], []]);
  await thief.context.close();
  await owner.context.close();
});

test("the sixth endpoint is refused, and the page says what to do instead", async () => {
  const portal = await openPortal(service);
  for (let i = 0; i < 5; i++) expect((await portal.confirmed("/webhook-endpoints", input)).status).toBe(201);
  const sixth = await portal.post("/webhook-endpoints", input);
  expect([sixth.status, sixth.body.error.code]).toEqual([409, "TOO_MANY_ENDPOINTS"]);
  const owner = await visit(browser, service);
  await owner.signIn(portal.email);
  await owner.goto("/webhooks");
  await owner.sees("Elimine uno que no use para agregar otro.");
  expect(await owner.link("Agregar webhook").count()).toBe(0);
  await owner.context.close();
});

test("pages have strict headers, assets are cached for ever, and unknown paths are not pages", async () => {
  const page = await fetch(`${service.baseUrl}/webhooks/cualquiera`, { headers: { accept: "text/html" } });
  expect(page.status).toBe(200);
  const policy = page.headers.get("content-security-policy")!;
  expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:|\*/);
  expect(page.headers.get("x-content-type-options")).toBe("nosniff");
  expect(page.headers.get("referrer-policy")).toBe("no-referrer");
  expect(page.headers.get("cache-control")).toBe("no-cache");
  const html = await page.text();
  expect(html).not.toMatch(/<script(?![^>]*src=)/);
  const asset = /src="(\/assets\/[^"]+)"/.exec(html)![1]!;
  const script = await fetch(service.baseUrl + asset, { headers: { "accept-encoding": "br" } });
  expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(script.headers.get("content-encoding")).toBe("br");
  for (const [path, accept] of [
    ["/webhooks/x", "application/json"],
    ["/assets/nada.js", "*/*"],
    ["/assets/..%2f..%2fpackage.json", "*/*"],
    ["/portal/api/nada", "text/html"],
    ["/public/v1/nada", "text/html"],
  ] as const)
    expect((await fetch(service.baseUrl + path, { headers: { accept } })).status, path).not.toBe(200);
});
