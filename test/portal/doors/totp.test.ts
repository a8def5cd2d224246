import { expect, test } from "vitest";
import { sql } from "../../../src/db/sql.ts";
import { day, hour, minute, second } from "../../../src/lib/clock.ts";
import { type Door, enrolTotp, openDoor } from "../../support/doors.ts";
import { sharedService } from "../../support/fixtures.ts";
import { mailsTo } from "../../support/portal.ts";
import { openAccount } from "../../support/visitor.ts";

const service = sharedService({ TRUST_PROXY: "1" });

/** Somebody with an application, signed in at one browser. */
async function withTotp() {
  const { accountId, email } = await openAccount(service);
  const home = openDoor(service);
  expect((await home.signIn(email)).status).toBe(201);
  return { accountId, email, home, ...(await enrolTotp(service, home)) };
}

const code = (answer: { body: { error: { code: string } } }) => answer.body.error.code;

function pass(ms: number): void {
  service.deps.clock.shiftTo(service.deps.clock.offsetMs() + ms);
}

test("a known password from a new browser ends at the second step; the application's code opens", async () => {
  const { email, phone } = await withTotp();
  const door = openDoor(service);
  const asked = await door.signIn(email);
  expect(asked.status).toBe(202);
  expect(asked.body.second_step.kinds).toEqual(["totp", "recovery_code"]);
  expect(door.cookies.has("mostrador_session")).toBe(false);
  expect((await door.get("/account")).status).toBe(401);
  const entered = await door.show("totp", phone.next());
  expect(entered.status, entered.text).toBe(201);
  expect(entered.body.account.email).toBe(email);
  expect((await door.get("/account")).status).toBe(200);
});

test("the browser that did it is asked again after 30 days, another at once", async () => {
  const { email, phone } = await withTotp();
  const door = openDoor(service);
  await door.signIn(email);
  await door.show("totp", phone.next());
  expect((await door.signIn(email)).status).toBe(201);
  expect((await openDoor(service).signIn(email)).status).toBe(202);
  pass(30 * day - minute);
  expect((await door.signIn(email)).status).toBe(201);
  pass(2 * minute);
  expect((await door.signIn(email)).status).toBe(202);
});

test("a code is taken once, by however many browsers at a time", async () => {
  const { email, phone } = await withTotp();
  const doors = Array.from({ length: 6 }, () => openDoor(service));
  for (const door of doors) await door.signIn(email);
  const same = phone.next();
  const answers = await Promise.all(doors.map((door) => door.show("totp", same)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422, 422, 422, 422]);
  const later = openDoor(service);
  await later.signIn(email);
  expect(code(await later.show("totp", same))).toBe("CODE_INCORRECT");
});

test("a code of the step before is not taken after one of the step after", async () => {
  const { email, phone } = await withTotp();
  const before = phone.next();
  pass(30 * second);
  const after = phone.code();
  const [first, next] = [openDoor(service), openDoor(service)];
  await first.signIn(email);
  await next.signIn(email);
  expect((await first.show("totp", after)).status).toBe(201);
  expect((await next.show("totp", before)).status).toBe(422);
});

test("the code of another person opens nothing", async () => {
  const [one, other] = [await withTotp(), await withTotp()];
  const door = openDoor(service);
  await door.signIn(one.email);
  expect(code(await door.show("totp", other.phone.next()))).toBe("CODE_INCORRECT");
  expect(code(await door.show("recovery_code", other.recoveryCodes[0]!))).toBe("CODE_INCORRECT");
});

test("a secret copied into another person's row does not open there", async () => {
  const [one, other] = [await withTotp(), await withTotp()];
  await service.deps.pool.query(sql`
    update factors set secret = (select secret from factors where id = ${other.factorId}) where id = ${one.factorId}`);
  const door = openDoor(service);
  await door.signIn(one.email);
  const answer = await door.show("totp", other.phone.next());
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(door.cookies.has("mostrador_session")).toBe(false);
});

test("a sign-in that began in another browser goes on in none", async () => {
  const { email, phone } = await withTotp();
  const [victim, thief] = [openDoor(service), openDoor(service)];
  await victim.signIn(email);
  expect(code(await thief.show("totp", phone.next()))).toBe("SECOND_STEP_EXPIRED");
  const token = victim.cookies.get("mostrador_stage")!;
  victim.cookies.set("mostrador_stage", `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`);
  expect(code(await victim.show("totp", phone.code()))).toBe("SECOND_STEP_EXPIRED");
  victim.cookies.set("mostrador_stage", token);
  expect((await victim.show("totp", phone.code())).status).toBe(201);
  victim.cookies.set("mostrador_stage", token);
  expect(code(await victim.show("totp", phone.next())), "it is used up").toBe("SECOND_STEP_EXPIRED");
});

test("whoever answers with what was not asked for reads what is", async () => {
  const { email, phone } = await withTotp();
  const door = openDoor(service);
  await door.signIn(email);
  const wrong = await door.show("mailed_code", "123456");
  expect([wrong.status, code(wrong)]).toEqual([422, "WRONG_SECOND_STEP"]);
  expect(wrong.body.error.message).toContain("use el código de su aplicación, o un código de recuperación");
  expect((await door.show("totp", phone.next())).status).toBe(201);
});

test("a sign-in ends after ten minutes, and with the password it was begun with", async () => {
  const { email, phone, home } = await withTotp();
  const [late, former] = [openDoor(service), openDoor(service)];
  await late.signIn(email);
  pass(10 * minute + second);
  expect(code(await late.show("totp", phone.code()))).toBe("SECOND_STEP_EXPIRED");
  await former.signIn(email);
  const changed = await home.post("/account/password", {
    current_password: "una clave larga",
    new_password: "otra clave bien larga",
  });
  expect(changed.status, changed.text).toBe(204);
  expect(code(await former.show("totp", phone.next()))).toBe("SECOND_STEP_EXPIRED");
});

test("a factor that was removed in another session is not taken any more", async () => {
  const { email, phone, home, factorId } = await withTotp();
  const door = openDoor(service);
  await door.signIn(email);
  expect((await home.send("DELETE", `/factors/${factorId}`)).status).toBe(204);
  expect((await door.show("totp", phone.next())).status).toBe(422);
  expect((await openDoor(service).signIn(email)).status, "nothing is asked of whoever has none").toBe(201);
});

test("a thousand guesses from as many addresses are counted before they are compared", async () => {
  const { email, phone } = await withTotp();
  const wrong = (guess: number) => String((Number(phone.code()) + 1000 + guess * 37) % 1_000_000).padStart(6, "0");
  const doors: Door[] = [];
  const counts = new Map<number, number>();
  for (let round = 0; round < 20; round++) {
    const door = openDoor(service, { address: `203.0.${round}.1` });
    if ((await door.signIn(email)).status === 202) doors.push(door);
  }
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, guess) => doors[guess % doors.length]!.show("totp", wrong(guess))),
  );
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  expect(counts.get(201)).toBeUndefined();
  expect(counts.get(422) ?? 0, "compared at most").toBeLessThanOrEqual(30);
  expect([...counts.keys()].toSorted()).toEqual([401, 422, 429]);
  pass(hour + second);
  const owner = openDoor(service);
  await owner.signIn(email);
  expect((await owner.show("totp", phone.code())).status, "after an hour its person comes in").toBe(201);
}, 240_000);

test("recovery codes: ten, shown once, hashed, each once in a race, told by mail, made anew", async () => {
  const { email, home, recoveryCodes } = await withTotp();
  expect(new Set(recoveryCodes).size).toBe(10);
  const [first = "", second_ = ""] = recoveryCodes;
  const stored = await service.deps.pool.query(sql`select encode(hash, 'escape') as hash from recovery_codes`);
  expect(JSON.stringify(stored.rows)).not.toContain(first);
  expect((await home.get("/second-step")).text).not.toContain(first);
  const doors = Array.from({ length: 8 }, () => openDoor(service));
  for (const door of doors) expect((await door.signIn(email)).status).toBe(202);
  const answers = await Promise.all(doors.map((door) => door.show("recovery_code", first.toUpperCase())));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status !== 201).every(({ status }) => status === 422)).toBe(true);
  const told = (await mailsTo(service, email)).filter(({ subject }) => /código de recuperación$/.test(subject));
  expect(told).toHaveLength(1);
  expect(told[0]!.text).toContain("Le quedan 9");
  const anew = await home.post("/recovery-codes");
  expect(anew.status).toBe(201);
  const door = openDoor(service);
  await door.signIn(email);
  expect((await door.show("recovery_code", second_)).status).toBe(422);
  expect((await door.show("recovery_code", anew.body.codes[0].replaceAll("-", " "))).status).toBe(201);
});

test("a session left open neither adds nor removes a factor: the password or the second step is asked", async () => {
  const { email } = await openAccount(service);
  const home = openDoor(service);
  await home.signIn(email);
  expect(code(await home.post("/factors/totp", { name: "Teléfono" }))).toBe("PASSWORD_INCORRECT");
  expect(code(await home.post("/factors/totp", { name: "Teléfono", current_password: "otra" }))).toBe(
    "PASSWORD_INCORRECT",
  );
  const { factorId, phone } = await enrolTotp(service, home);
  pass(10 * minute + second);
  const refused = await home.send("DELETE", `/factors/${factorId}`);
  expect([refused.status, code(refused)]).toEqual([403, "STEP_UP_REQUIRED"]);
  expect(refused.body.error.kinds).toEqual(["totp", "recovery_code"]);
  expect(code(await home.post("/recovery-codes"))).toBe("STEP_UP_REQUIRED");
  expect((await home.post("/step-up", { kind: "totp", code: phone.next() })).status).toBe(200);
  expect((await home.post("/recovery-codes")).status).toBe(201);
  expect((await home.send("DELETE", `/factors/${factorId}`)).status).toBe(204);
  expect((await home.get("/second-step")).body).toMatchObject({ kinds: [], factors: [], recovery_codes: { left: 0 } });
});

test("nobody renames or removes another's factor", async () => {
  const [one, other] = [await withTotp(), await withTotp()];
  expect((await other.home.send("PATCH", `/factors/${one.factorId}`, { name: "Mío" })).status).toBe(404);
  expect((await other.home.send("DELETE", `/factors/${one.factorId}`)).status).toBe(404);
  expect((await one.home.get("/second-step")).body.factors).toMatchObject([{ name: "Teléfono", kind: "totp" }]);
});
