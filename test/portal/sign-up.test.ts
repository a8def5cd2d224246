import { describe, expect, test } from "vitest";
import { makeSignUpLink } from "../../src/access/people/sign-up.ts";
import { sharedService } from "../support/fixtures.ts";
import { call, mailsTo, newestCode, openPortal, portalOf } from "../support/portal.ts";
import { liveSettings, startService } from "../support/service.ts";
import { sharedBrowser, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();
let next = 0;
const newAddress = () => `nueva-${next++}@example.com`;
const ask = (email: string, on = service) => call(on, "POST", "/sign-ups", { email });
const open = (id: string, code: string, more: object = {}) =>
  call(service, "POST", `/sign-ups/${id}`, { code, name: "Tienda Nueva", password: "lluvia sobre tejas", ...more });

describe("somebody who opens a business", () => {
  test("gets a code by mail, and with it a business of her own that begins with its first steps", async () => {
    const email = newAddress();
    const { body } = await ask(email);
    const opened = await open(body.sign_up_id, await newestCode(service, email));
    expect(opened.status, opened.text).toBe(204);
    const token = /=([^;]+)/.exec(opened.headers.getSetCookie()[0]!)![1]!;
    const owner = portalOf(service, { accountId: "", keyId: "", key: "", api: service.client() }, { token, email });
    expect((await owner.get("/session")).body).toMatchObject({
      account: { name: "Tienda Nueva" },
      role: { kind: "owner" },
      person: { email },
    });
    expect((await owner.get("/warehouses/all")).body.data).toHaveLength(1);
    expect((await open(body.sign_up_id, "123456")).body.error.code).toBe("CODE_EXPIRED");
  });

  test("learns from nothing but the mailbox that an address is known, and its code is never right", async () => {
    const known = await openPortal(service);
    const [mine, theirs] = [await ask(newAddress()), await ask(known.email)];
    expect([mine.status, Object.keys(mine.body)]).toEqual([theirs.status, Object.keys(theirs.body)]);
    const [mail] = await mailsTo(service, known.email);
    expect(mail!.subject).toBe("Usted ya tiene cuenta en Mostrador");
    expect(mail!.text).not.toMatch(/^\d{6}$/m);
    const tries = await Promise.all([mine, theirs].map(({ body }) => open(body.sign_up_id, "000000")));
    expect(tries.map(({ body }) => body.error.code)).toEqual(["CODE_INCORRECT", "CODE_INCORRECT"]);
  });

  test("has five tries with a code, and a password that is refused does not use it up", async () => {
    const email = newAddress();
    const { body } = await ask(email);
    const code = await newestCode(service, email);
    const weak = await open(body.sign_up_id, code, { password: "1234567890" });
    expect(weak).toMatchObject({ status: 400, body: { error: { param: "password" } } });
    const wrong = code === "111111" ? "222222" : "111111";
    for (let i = 0; i < 5; i++) expect((await open(body.sign_up_id, wrong)).status).toBe(422);
    expect((await open(body.sign_up_id, code)).body.error.code).toBe("CODE_EXPIRED");
  });

  test("asks only so often from one place", async () => {
    const answers = [];
    for (let i = 0; i < 25; i++) answers.push(await ask(newAddress()));
    expect(answers.at(-1)!.status).toBe(429);
  });
});

test("in live nobody opens a business unless SIGNUP says so; with invite, whoever has the operator's link", async () => {
  await using closed = await startService(liveSettings());
  const https = { "x-forwarded-proto": "https", origin: "https://127.0.0.1" };
  const refused = await call(closed, "POST", "/sign-ups", { email: "a@example.com" }, https);
  expect(refused).toMatchObject({ status: 403, body: { error: { code: "SIGN_UP_CLOSED" } } });
  await using byInvitation = await startService({ SIGNUP: "invite" });
  expect((await ask("b@example.com", byInvitation)).body.error.message).toContain("se necesita un enlace");
  const { link } = await makeSignUpLink(byInvitation.deps, "b@example.com");
  const [, id, code] = /#([^.]+)\.(\d{6})$/.exec(link)!;
  const opening = { code, name: "Con enlace", password: "lluvia sobre tejas" };
  expect((await call(byInvitation, "POST", `/sign-ups/${id}`, opening)).status).toBe(204);
  expect((await call(byInvitation, "POST", `/sign-ups/${id}`, opening)).status).toBe(410);
});

test("in a browser it is one page from the sign-in to Empezar", async () => {
  await using own = await startService();
  const visitor = await visit(browser, own, { width: 375 });
  await visitor.goto("/ingreso");
  await visitor.link("Abrir un negocio").click();
  await visitor.field("Su correo").fill("dona-rosa@example.com");
  await visitor.button("Enviar el código").click();
  await visitor.field("Código de 6 dígitos").waitFor();
  await visitor.field("Código de 6 dígitos").fill(await newestCode(own, "dona-rosa@example.com"));
  await visitor.field("Nombre del negocio").fill("Miscelánea Doña Rosa");
  await visitor.field("Contraseña").fill("lluvia sobre tejas");
  await visitor.button("Abrir el negocio").click();
  await visitor.page.getByRole("heading", { name: "Empezar", level: 1 }).waitFor();
  await visitor.sees("Miscelánea Doña Rosa");
  expect(visitor.complaints).toEqual([]);
});
