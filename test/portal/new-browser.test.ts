import { expect, test } from "vitest";
import { mostToldADay } from "../../src/access/people/tell-new-browser.ts";
import { day } from "../../src/lib/clock.ts";
import { sharedService } from "../support/fixtures.ts";
import { call, from, mailsTo, openAgain, openPortal, password } from "../support/portal.ts";
import { openAccount, sharedBrowser, visit } from "../support/visitor.ts";

const service = sharedService({ TRUST_PROXY: "1" });
const browser = sharedBrowser();

const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";

/** Signs in; `cookie` is what a browser that was here before sends. */
async function signIn(email: string, address: string, { cookie = "", agent = firefox } = {}) {
  const headers = { ...from(address), "user-agent": agent, ...(cookie && { cookie }) };
  const answer = await call(service, "POST", "/session", { email, password }, headers);
  expect(answer.status, answer.text).toBe(201);
  const device = answer.headers.getSetCookie().find((one) => one.startsWith("mostrador_device_"))!;
  return device.split(";")[0]!;
}

const told = async (email: string) =>
  (await mailsTo(service, email)).filter(({ subject }) => subject === "Entraron a su portal desde un navegador nuevo");

test("a sign-in from a browser that never signed in is told by mail: when, where, which browser, and what to do", async () => {
  const { email } = await openPortal(service);
  const known = await signIn(email, "203.0.113.5");
  expect(await told(email), "the first sign-in ever is the owner's").toEqual([]);
  await signIn(email, "203.0.113.77", { cookie: known });
  expect(await told(email), "a known browser elsewhere").toEqual([]);
  await signIn(email, "198.51.100.9");
  const mails = await told(email);
  expect(mails).toHaveLength(1);
  expect(mails[0]!.text).toContain("Dirección de internet: 198.51.100.9");
  expect(mails[0]!.text).toContain("Navegador: Firefox en Windows");
  expect(mails[0]!.text).toMatch(/Cuándo: .*hora de Colombia/);
  expect(mails[0]!.text).toMatch(/cierre las demás sesiones y cambie su contraseña/);
  expect(mails[0]!.text).toContain("/ajustes/seguridad");
});

test("a browser known to one owner is new to another, and a wrong password tells nothing", async () => {
  const [one, other] = [await openPortal(service), await openPortal(service)];
  const cookie = await signIn(one.email, "203.0.113.20");
  await signIn(other.email, "203.0.113.21");
  await signIn(other.email, "203.0.113.20", { cookie });
  expect(await told(other.email)).toHaveLength(1);
  const wrong = await call(service, "POST", "/session", { email: one.email, password: "otra" }, from("203.0.113.22"));
  expect(wrong.status).toBe(401);
  expect(await told(one.email)).toEqual([]);
});

test("a program that keeps no cookies does not fill the mailbox; the next day it is told again", async () => {
  const { email } = await openPortal(service);
  for (let i = 0; i < mostToldADay + 3; i++) await signIn(email, `192.0.2.${i}`, { agent: "curl/8.5.0" });
  expect(await told(email)).toHaveLength(mostToldADay);
  expect((await told(email))[0]!.text).toContain("Navegador: Programa");
  service.deps.clock.shiftTo(service.deps.clock.offsetMs() + day);
  await signIn(email, "192.0.2.200");
  expect(await told(email)).toHaveLength(mostToldADay + 1);
});

test("all sessions but one are closed at once, in every process; another account's stay", async () => {
  const owner = await openPortal(service);
  const others = [1, 2, 3].map(() => openAgain(service, owner.business, owner.email));
  const stranger = await openPortal(service);
  await using second = await service.sibling();
  const askSecond = async (cookie: string) => (await call(second, "GET", "/account", undefined, { cookie })).status;
  for (const other of await Promise.all(others)) expect(await askSecond(other.cookie)).toBe(200);
  expect((await owner.delete("/sessions")).body).toEqual({ closed: 3 });
  for (const other of await Promise.all(others)) {
    expect((await other.get("/account")).status).toBe(401);
    expect(await askSecond(other.cookie)).toBe(401);
  }
  expect([await askSecond(owner.cookie), await askSecond(stranger.cookie)]).toEqual([200, 200]);
  const [entry] = (await owner.get("/audit-log?limit=1")).body.data;
  expect(entry).toMatchObject({ action: "session.revoked_others", details: { closed: 3 } });
  // Nothing happened, so nothing is written.
  expect((await owner.delete("/sessions")).body).toEqual({ closed: 0 });
  expect((await owner.get("/audit-log?limit=2")).body.data.map(({ id }: { id: string }) => id)[0]).toBe(entry.id);
});

test("in Seguridad an owner closes the other sessions after a question, and stays signed in", async () => {
  const { email } = await openAccount(service);
  const [here, elsewhere] = [await visit(browser, service), await visit(browser, service)];
  await here.signIn(email);
  await elsewhere.signIn(email);
  await here.goto("/ajustes/seguridad");
  await here.button("Cerrar las demás sesiones").click();
  await here.sees("Esta sesión sigue abierta");
  await here.button("Cancelar").click();
  await elsewhere.goto("/ventas");
  await elsewhere.page.getByRole("heading", { name: "Ventas", level: 1 }).waitFor();
  await here.button("Cerrar las demás sesiones").click();
  await here.button("Cerrar las demás").click();
  await here.sees("Se cerró la otra sesión.");
  await here.sees("No hay otras.");
  expect(await here.button("Cerrar las demás sesiones").count()).toBe(0);
  await elsewhere.goto("/ventas");
  await elsewhere.page.getByRole("heading", { name: "Entre a su portal" }).waitFor();
  expect([...here.complaints, ...elsewhere.complaints]).toEqual([]);
  await here.context.close();
  await elsewhere.context.close();
});

test("in Mostrador an owner reads how many tickets go by mail, and switches them off", async () => {
  const { email } = await openAccount(service);
  const owner = await visit(browser, service, { width: 375 });
  await owner.signIn(email);
  await owner.goto("/ajustes/mostrador");
  await owner.sees(/Su negocio es nuevo: hasta 30 al día/);
  const switched = owner.page.getByRole("switch", { name: "Enviar tiquetes por correo" });
  expect(await switched.isChecked()).toBe(true);
  await switched.click({ force: true });
  await owner.sees("Los tiquetes ya no se envían por correo.");
  await owner.page.reload();
  await owner.sees(/Su negocio es nuevo/);
  expect(await switched.isChecked()).toBe(false);
  const width = await owner.page.evaluate<number>("document.documentElement.scrollWidth");
  expect(width).toBeLessThanOrEqual(375);
  expect(owner.complaints).toEqual([]);
  await owner.context.close();
});
