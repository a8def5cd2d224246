import { expect, test } from "vitest";
import { inHashingQueue } from "../../src/access/accounts/hashing-queue.ts";
import { sql } from "../../src/db/sql.ts";
import { minute } from "../../src/lib/clock.ts";
import type { ApiError } from "../../src/lib/errors.ts";
import { sharedService } from "../support/fixtures.ts";
import { call, from, mailsTo, newestCode, openAgain, openPortal, type Portal, password } from "../support/portal.ts";
import { startService } from "../support/service.ts";

const service = sharedService({ TRUST_PROXY: "1" });

test("five failures lock an address out for fifteen minutes, even when they are concurrent", async () => {
  const owner = await openPortal(service);
  const wrong = () => call(service, "POST", "/session", { email: owner.email.toUpperCase(), password: "no es esta" });
  const tries = await Promise.all(Array.from({ length: 8 }, wrong));
  const codes = tries.map((one) => one.body.error.code).toSorted((a, b) => a.localeCompare(b));
  expect(codes).toEqual([...Array(5).fill("SIGN_IN_FAILED"), ...Array(3).fill("SIGN_IN_LOCKED")]);
  const right = () => call(service, "POST", "/session", { email: owner.email, password });
  const locked = await right();
  expect(locked.body.error.code).toBe("SIGN_IN_LOCKED");
  expect(Number(locked.headers.get("retry-after"))).toBeGreaterThan(800);
  service.deps.clock.shiftTo(service.deps.clock.offsetMs() + 16 * minute);
  expect((await right()).status).toBe(201);
});

const enter = (owner: Portal, headers: Record<string, string>, secret = password) =>
  call(service, "POST", "/session", { email: owner.email, password: secret }, headers);
const outcome = ({ status, body }: Awaited<ReturnType<typeof call>>) => body?.error?.code ?? status;

/** Makes as many failed attempts as an address has for an account, and one more. */
async function lockOut(owner: Portal, headers: Record<string, string>): Promise<void> {
  const tries = await Promise.all(Array.from({ length: 6 }, () => enter(owner, headers, "no es esta")));
  expect(tries.map(outcome).filter((one) => one === "SIGN_IN_LOCKED")).toHaveLength(1);
}

/** The cookie by which a browser that signed in before is recognized. */
async function knownBrowser(owner: Portal, address: string): Promise<{ cookie: string }> {
  const entered = await enter(owner, from(address));
  expect(entered.status).toBe(201);
  const cookie = entered.headers.getSetCookie().find((one) => one.startsWith("mostrador_device_"))!;
  expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Max-Age=31536000$/);
  return { cookie: cookie.split(";")[0]! };
}

test("strangers lock out their own address and no other, and a /64 counts as one", async () => {
  const owner = await openPortal(service);
  await lockOut(owner, from("198.51.100.1"));
  expect((await enter(owner, from("198.51.100.2"))).status).toBe(201);
  for (let i = 1; i <= 5; i++) await enter(owner, from(`2001:db8:1:2::${i}`), "no es esta");
  expect(outcome(await enter(owner, from("2001:db8:1:2:ffff::1")))).toBe("SIGN_IN_LOCKED");
  expect((await enter(owner, from("2001:db8:1:3::1"))).status).toBe(201);
});

test("a browser that signed in before gets in where strangers are locked out, and has as many attempts as they", async () => {
  const owner = await openPortal(service);
  const browser = await knownBrowser(owner, "198.51.100.10");
  const shop = from("198.51.100.11");
  await lockOut(owner, shop);
  expect(outcome(await enter(owner, shop))).toBe("SIGN_IN_LOCKED");
  const forged = { cookie: browser.cookie.replace(/.(?=.{8}$)/, (one) => (one === "A" ? "B" : "A")) };
  expect(outcome(await enter(owner, { ...shop, ...forged }))).toBe("SIGN_IN_LOCKED");
  expect((await enter(owner, { ...shop, ...browser })).status).toBe(201);
  await lockOut(owner, { ...shop, ...browser });
  expect(outcome(await enter(owner, { ...shop, ...browser }))).toBe("SIGN_IN_LOCKED");
  expect((await enter(owner, from("198.51.100.12"))).status).toBe(201);
});

test("a browser is recognized for its own account only,", async () => {
  const [owner, other] = [await openPortal(service), await openPortal(service)];
  const browser = await knownBrowser(other, "198.51.100.20");
  const foreign = {
    cookie: browser.cookie.replace(/^[^=]+/, (await knownBrowser(owner, "198.51.100.21")).cookie.split("=")[0]!),
  };
  await lockOut(owner, from("198.51.100.22"));
  for (const cookie of [browser, foreign])
    expect(outcome(await enter(owner, { ...from("198.51.100.22"), ...cookie }))).toBe("SIGN_IN_LOCKED");
});

test("guessing from many addresses is slowed down, except for known browsers", async () => {
  const owner = await openPortal(service);
  const browser = await knownBrowser(owner, "198.51.100.30");
  // The state after 29 attempts from as many addresses, each of which would take 0.2 s of a core.
  const now = service.deps.clock.now();
  await service.deps.pool.query(sql`
    insert into sign_in_failures (email_key, source, failures, last_failure_at)
    values (${owner.email.toLowerCase()}, 'strangers', 29, ${now})
    on conflict (email_key, source) do update set failures = 29, last_failure_at = ${now}`);
  expect(outcome(await enter(owner, from("198.51.100.31"), "no es esta"))).toBe("SIGN_IN_FAILED");
  expect(outcome(await enter(owner, from("198.51.100.32")))).toBe("SIGN_IN_LOCKED");
  expect((await enter(owner, { ...from("198.51.100.32"), ...browser })).status).toBe(201);
  // A mailed code lets the owner in from a new browser too.
  const asked = await call(service, "POST", "/password-resets", { email: owner.email }, from("198.51.100.33"));
  const secret = "otra clave larga";
  const set = { code: await newestCode(service, owner.email), password: secret };
  const reset = await call(service, "POST", `/password-resets/${asked.body.reset_id}`, set, from("198.51.100.33"));
  const cookie = reset.headers.getSetCookie()[0]!.split(";")[0]!;
  await lockOut(owner, from("198.51.100.33"));
  expect((await enter(owner, { ...from("198.51.100.33"), cookie }, secret)).status).toBe(201);
});

test("while too many passwords wait to be hashed, strangers are told to retry and a known browser gets in", async () => {
  const owner = await openPortal(service);
  const browser = await knownBrowser(owner, "198.51.100.50");
  const busy = Promise.withResolvers<void>();
  const waiting = (name: string, account: string) =>
    inHashingQueue({ name, isKnown: false }, account, () => busy.promise).then(
      () => "hashed",
      (error: ApiError) => `${error.status} after ${error.headers["retry-after"]} s`,
    );
  // There is a limit per address, per account and for all strangers together.
  const greedy = Array.from({ length: 9 }, (_, n) => waiting("address 192.0.2.1", `${n}@example.com`));
  expect(await Promise.race(greedy)).toBe("503 after 3 s");
  const crowd = Array.from({ length: 9 }, (_, n) => waiting(`address 192.0.2.2${n}`, "una@example.com"));
  expect(await Promise.race(crowd)).toBe("503 after 3 s");
  const refused = await enter(owner, from("198.51.100.51"));
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "3"]);
  expect((await enter(owner, { ...from("198.51.100.51"), ...browser })).status).toBe(201);
  const { rows } = await service.deps.pool.query(sql`
    select source from sign_in_failures where email_key = ${owner.email} and source like '%198.51.100.51'`);
  expect(rows, "a try that was not judged is not counted").toEqual([]);
  busy.resolve();
  const outcomes = await Promise.all([...greedy, ...crowd]);
  expect(outcomes.filter((one) => one === "hashed")).toHaveLength(16);
  expect((await enter(owner, from("198.51.100.51"))).status).toBe(201);
});

test("failed sign-ins by strangers do not keep an open session from changing its password", async () => {
  const owner = await openPortal(service);
  const here = from("198.51.100.60");
  await lockOut(owner, here);
  const change = (session: Portal, current_password: string) =>
    session.post("/account/password", { current_password, new_password: "otra clave larga" }, here);
  for (let i = 0; i < 5; i++) expect(outcome(await change(owner, "no es esta"))).toBe("PASSWORD_INCORRECT");
  expect(outcome(await change(owner, password))).toBe("SIGN_IN_LOCKED");
  const elsewhere = await openAgain(service, owner.business, owner.email);
  expect((await change(elsewhere, password)).status).toBe(204);
});

test("requesting a new password too often sends the same code again from time to time, and the code works", async () => {
  const owner = await openPortal(service);
  const ask = (address: string) => call(service, "POST", "/password-resets", { email: owner.email }, from(address));
  const mails = async () => (await mailsTo(service, owner.email)).length;
  const first = await ask("198.51.100.40");
  for (let i = 0; i < 7; i++) {
    const again = await ask("198.51.100.40");
    expect([again.status, again.body.reset_id]).toEqual([202, first.body.reset_id]);
  }
  expect(await mails()).toBe(1);
  service.deps.clock.shiftTo(service.deps.clock.offsetMs() + 61_000);
  expect((await ask("198.51.100.40")).body.reset_id).toBe(first.body.reset_id);
  expect(await mails()).toBe(2);
  const [repeated, original] = await mailsTo(service, owner.email);
  expect(repeated!.text).toBe(original!.text);
  // Strangers who request and guess codes all day do not invalidate the owner's own code.
  const mine = await ask("198.51.100.41");
  expect(mine.body.reset_id).not.toBe(first.body.reset_id);
  const code = await newestCode(service, owner.email);
  const use = (id: string, tried: string, address: string) =>
    call(service, "POST", `/password-resets/${id}`, { code: tried, password: "otra clave larga" }, from(address));
  for (let i = 0; i < 6; i++) await use(first.body.reset_id, "00000x".replace("x", String(i)), "198.51.100.40");
  expect((await use(mine.body.reset_id, code, "198.51.100.41")).status).toBe(204);
});

test("calls faster than a person makes are told when to retry: per account, and per address before signing in", async () => {
  await using limited = await startService({}, { traffic: { portalPerSecond: 0.01, portalBurst: 5 } });
  const [owner, other] = [await openPortal(limited), await openPortal(limited)];
  const statuses = async (ask: () => ReturnType<typeof call>) => {
    const answers = [];
    for (let i = 0; i < 6; i++) answers.push(await ask());
    const { status, headers, body } = answers[5]!;
    expect([status, body.error.code, headers.get("retry-after")]).toEqual([
      429,
      "RATE_LIMITED",
      expect.stringMatching(/^\d+$/),
    ]);
    return answers.slice(0, 5).map((answer) => answer.status);
  };
  expect(await statuses(() => owner.get("/devices"))).toEqual([200, 200, 200, 200, 200]);
  expect((await other.get("/devices")).status).toBe(200);
  const cookie = "mostrador_session=none";
  expect(await statuses(() => call(limited, "GET", "/devices", undefined, { cookie }))).toEqual(Array(5).fill(401));
  expect((await call(limited, "DELETE", "/session")).status).toBe(429);
  // A cookie that was valid a moment ago is not affected by strangers at the same address.
  expect((await other.get("/devices")).status).toBe(200);
});
