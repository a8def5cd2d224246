import { expect, test } from "vitest";
import { day } from "../../../src/lib/clock.ts";
import { codeAt, enrolTotp, mailsAt, openDoor } from "../../support/doors.ts";
import { shared } from "../../support/fixtures.ts";
import { password } from "../../support/portal.ts";
import { startService } from "../../support/service.ts";
import { startSmtp } from "../../support/smtp.ts";
import { openAccount } from "../../support/visitor.ts";

const smtp = shared(() => startSmtp());
const service = shared(() =>
  startService({ SMTP_URL: smtp.url, MAIL_FROM: "Mostrador <avisos@example.com>", TRUST_PROXY: "1" }),
);

/** An owner without a factor, who signed in once, at home. */
async function withoutFactor() {
  const { accountId, email } = await openAccount(service);
  const home = openDoor(service);
  const first = await home.signIn(email);
  expect(first.status, "the very first sign-in asks for nothing").toBe(201);
  return { accountId, email, home };
}

test("a known password from a new browser ends at the mailed code; the browser is known from then on", async () => {
  const { email, home } = await withoutFactor();
  expect((await home.signIn(email)).status, "a known browser").toBe(201);
  const door = openDoor(service);
  const asked = await door.signIn(email);
  expect(asked.status, asked.text).toBe(202);
  expect(asked.body.second_step.kinds).toEqual(["mailed_code"]);
  expect((await door.get("/account")).status).toBe(401);
  const code = await codeAt(service, smtp, email);
  const wrong = await door.show("mailed_code", code === "000000" ? "000001" : "000000");
  expect(wrong.body.error).toMatchObject({ code: "CODE_INCORRECT", attempts_left: 4 });
  expect((await openDoor(service).show("mailed_code", code)).status, "another browser").toBe(401);
  expect((await door.show("mailed_code", code)).status).toBe(201);
  expect((await door.signIn(email)).status).toBe(201);
});

test("five wrong mailed codes end the sign-in, and ten unused codes a day are enough", async () => {
  const { email } = await withoutFactor();
  const door = openDoor(service);
  await door.signIn(email);
  const code = await codeAt(service, smtp, email);
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
  for (let i = 0; i < 5; i++) expect((await door.show("mailed_code", wrong)).status).toBe(422);
  expect((await door.show("mailed_code", code)).status).toBeGreaterThanOrEqual(400);
  for (let i = 0; i < 9; i++) expect((await openDoor(service).signIn(email)).status).toBe(202);
  const beyond = await openDoor(service).signIn(email);
  expect([beyond.status, beyond.body.error.code]).toEqual([429, "TOO_MANY_CODES"]);
  service.deps.clock.shiftTo(service.deps.clock.offsetMs() + day);
  expect((await openDoor(service).signIn(email)).status).toBe(202);
});

test("whoever gets a factor meanwhile is not let in by the code of a new browser", async () => {
  const { email, home } = await withoutFactor();
  const door = openDoor(service);
  await door.signIn(email);
  const code = await codeAt(service, smtp, email);
  await enrolTotp(service, home);
  expect((await door.show("mailed_code", code)).status).toBe(401);
  expect((await door.signIn(email)).body.second_step.kinds).toEqual(["totp", "recovery_code"]);
});

test("an owner who lost password, telephone and codes gets back in with her mail alone, and is told", async () => {
  const { email, home } = await withoutFactor();
  const { phone, recoveryCodes } = await enrolTotp(service, home);
  const door = openDoor(service);
  const { reset_id } = (await door.post("/password-resets", { email })).body;
  const reset = { code: await codeAt(service, smtp, email), password: "una clave nueva y larga" };
  expect((await door.post(`/password-resets/${reset_id}`, reset)).status).toBe(204);
  expect((await door.signIn(email)).status, "the old password").toBe(401);
  const asked = await door.signIn(email, reset.password);
  expect(asked.body.second_step.kinds, "the reset alone does not get past her factors").toEqual([
    "totp",
    "recovery_code",
  ]);
  expect((await door.show("mailed_code", reset.code)).status).toBe(401);
  expect((await door.post("/session/second-step/lost")).status).toBe(202);
  const code = await codeAt(service, smtp, email);
  expect(code).not.toBe(reset.code);
  expect((await openDoor(service).show("mailed_code", code)).status, "another browser").toBe(401);
  expect((await door.show("mailed_code", code)).status).toBe(201);
  expect((await door.get("/second-step")).body).toMatchObject({ kinds: [], factors: [], recovery_codes: { left: 0 } });
  expect((await home.get("/account")).status, "every other session ended").toBe(401);
  const later = openDoor(service);
  await later.signIn(email, reset.password);
  expect((await later.show("totp", phone.next())).status).toBe(401);
  expect((await later.show("recovery_code", recoveryCodes[0]!)).status).toBe(401);
  const told = await mailsAt(service, smtp, email);
  expect(told.some((raw) => /Subject:.*segundo_paso.*correo/i.test(raw) || raw.includes("segundo paso"))).toBe(true);
});

test("whoever guessed the password cannot block the mailed codes: a password set by mail begins their count anew", async () => {
  const { email, home } = await withoutFactor();
  await enrolTotp(service, home);
  for (let i = 0; i < 10; i++) {
    const thief = openDoor(service);
    expect((await thief.signIn(email)).status).toBe(202);
    expect((await thief.post("/session/second-step/lost")).status).toBe(202);
  }
  const blocked = openDoor(service);
  await blocked.signIn(email);
  expect((await blocked.post("/session/second-step/lost")).body.error.code).toBe("TOO_MANY_CODES");
  const door = openDoor(service);
  const { reset_id } = (await door.post("/password-resets", { email })).body;
  const reset = { code: await codeAt(service, smtp, email), password: "una clave nueva y larga" };
  expect((await door.post(`/password-resets/${reset_id}`, reset)).status).toBe(204);
  expect((await door.signIn(email, reset.password)).status).toBe(202);
  expect((await door.post("/session/second-step/lost")).status).toBe(202);
  expect((await door.show("mailed_code", await codeAt(service, smtp, email))).status).toBe(201);
});

test("without the password the mail of a new browser is never sent", async () => {
  const { email } = await withoutFactor();
  const before = (await mailsAt(service, smtp, email)).length;
  const door = openDoor(service);
  expect((await door.signIn(email, `no es ${password}`)).status).toBe(401);
  expect((await door.post("/session/second-step/lost")).status).toBe(401);
  expect(await mailsAt(service, smtp, email)).toHaveLength(before);
});
