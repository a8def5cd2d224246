import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createKey } from "../../src/access/api-keys/create-key.ts";
import { sql } from "../../src/db/sql.ts";
import { hour, minute } from "../../src/lib/clock.ts";
import { startExpiryNotices } from "../../src/mail/mail-expiring-keys.ts";
import { startMailWorker } from "../../src/mail/worker.ts";
import { eventually } from "../support/eventually.ts";
import { perTest } from "../support/fixtures.ts";
import { interfere, serverGone } from "../support/interfere.ts";
import { call, openPortal } from "../support/portal.ts";
import { startService } from "../support/service.ts";

let smtp: SMTPServer;
let received: string[];
let isRefusing: boolean;
let plainUrl: string;
beforeEach(async () => {
  received = [];
  isRefusing = false;
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, _session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        if (!isRefusing) received.push(Buffer.concat(chunks).toString());
        done(isRefusing ? Object.assign(new Error("try later"), { responseCode: 451 }) : null);
      });
    },
  });
  smtp.listen(0, "127.0.0.1");
  await once(smtp.server, "listening");
  const { port } = smtp.server.address() as AddressInfo;
  plainUrl = `smtp://127.0.0.1:${port}`;
});
afterEach(() => new Promise<void>((done) => smtp.close(done)));
const service = perTest(() =>
  startService({ SMTP_URL: `${plainUrl}?requireTLS=false`, MAIL_FROM: "Mostrador <avisos@example.com>" }),
);

const input = { url: "https://tienda.com.co/webhooks", event_types: ["sale.completed"] };
const waiting = async () =>
  (await service.deps.pool.query(sql`select attempts, sent_at, body_text, last_error from mails order by created_at`))
    .rows;

test("a code is sent over SMTP as text and HTML, and its text does not stay in the database", async () => {
  const worker = startMailWorker(service.deps);
  const portal = await openPortal(service);
  await portal.post("/webhook-endpoints", input);
  const mail = await eventually(() => received[0]);
  expect(mail).toMatch(/^From: Mostrador <avisos@example.com>/m);
  expect(mail).toContain(`To: ${portal.email}`);
  expect(mail).toContain("text/html");
  expect(mail).toMatch(/^\d{6}$/m);
  await eventually(async () => (await waiting())[0].sent_at !== null);
  expect((await waiting())[0]).toMatchObject({ attempts: 1, body_text: null });
  await worker.stop();
});

test("without TLS no mail is sent unless SMTP_URL allows it, and the error says what to do", async () => {
  await using strict = await startService({ SMTP_URL: plainUrl });
  const worker = startMailWorker(strict.deps);
  await (await openPortal(strict)).post("/webhook-endpoints", input);
  const lastError = async () =>
    (await strict.deps.pool.query("select last_error from mails")).rows[0]?.last_error ?? undefined;
  expect(await eventually(lastError)).toMatch(/no ofrece TLS.*smtps:\/\/.*\?requireTLS=false/);
  expect(received).toEqual([]);
  await worker.stop();
});

test("a refused mail is retried, even after a restart, and arrives once", async () => {
  isRefusing = true;
  const worker = startMailWorker(service.deps);
  const portal = await openPortal(service);
  await portal.post("/webhook-endpoints", input);
  await eventually(async () => (await waiting())[0]?.attempts === 1);
  expect((await waiting())[0].last_error).toContain("try later");
  await worker.stop();
  isRefusing = false;
  const next = startMailWorker(service.deps);
  service.deps.clock.shiftTo(minute);
  await eventually(() => received.length === 1);
  await eventually(async () => (await waiting())[0].sent_at !== null);
  service.deps.clock.shiftTo(2 * 60 * minute);
  await next.stop();
  expect(received).toHaveLength(1);
});

test("a mail that was sent while the database was unavailable is not sent again", async () => {
  const worker = startMailWorker(service.deps);
  const portal = await openPortal(service);
  interfere(service.deps.pool, "set sent_at", serverGone);
  await portal.post("/webhook-endpoints", input);
  await eventually(async () => (await waiting())[0].sent_at !== null);
  service.deps.clock.shiftTo(2 * 60 * minute);
  await worker.stop();
  expect(received).toHaveLength(1);
  expect((await waiting())[0]).toMatchObject({ attempts: 1, last_error: null });
});

test("an SMTP session that fails after its lease expired does not undo what another worker sent", async () => {
  const { deps } = service;
  const slow = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const send = () => {
    begun.resolve();
    return slow.promise;
  };
  const first = startMailWorker(deps, { transport: { send, close() {} } });
  await (await openPortal(service)).post("/webhook-endpoints", input);
  await begun.promise;
  await deps.pool.query(sql`update mails set leased_until = clock_timestamp() - interval '1 second'`);
  const second = startMailWorker(deps);
  await eventually(async () => (await waiting())[0].sent_at !== null);
  slow.reject(new Error("timeout"));
  await first.stop();
  deps.clock.shiftTo(minute);
  await second.stop();
  expect(received).toHaveLength(1);
  expect((await deps.pool.query(sql`select 1 from mails where next_attempt_at is not null`)).rowCount).toBe(0);
});

test("a name with line breaks is refused in the portal, and adds neither a header nor a line to a mail", async () => {
  const portal = await openPortal(service);
  const name = "ERP\r\nBcc: ladron@example.com\r\n\r\nEntre a https://malo.example";
  for (const answer of [
    await portal.post("/api-keys", { name, scopes: ["sales:read"] }),
    await portal.post("/devices/enrolment", { name }),
    await portal.patch("/account", { name }),
    await portal.patch("/account", { name: "\u202Eanitsejrotsap" }),
  ]) {
    expect([answer.status, answer.body.error.param]).toEqual([400, "name"]);
    expect(answer.body.error.message).toContain("una sola línea");
  }
  expect((await portal.patch("/account", { name: "Café «La 80» 👩‍🍳" })).status).toBe(200);
  // It came from the command line, or is older than the rule.
  const { id } = await createKey(service.deps, { accountId: portal.accountId, name, scopes: ["sales:read"] });
  await service.deps.pool.query(
    sql`update api_keys set name = ${name}, expires_at = ${new Date(Date.now() + hour)} where id = ${id}`,
  );
  const worker = startMailWorker(service.deps);
  const notices = startExpiryNotices(service.deps);
  await notices.stop();
  const mail = await eventually(() => received[0]);
  const [headers, ...body] = mail.split("\r\n\r\n");
  expect(headers).not.toMatch(/^Bcc/im);
  // Long lines are folded in transport and unfolded for the reader.
  expect(body.join("\r\n\r\n").replaceAll("=\r\n", "")).not.toMatch(/^(Bcc|Entre a)/m);
  await worker.stop();
});

test("with SMTP there is no mailbox page", async () => {
  expect((await fetch(`${service.baseUrl}/dev/mail`)).status).toBe(404);
});

test("without SMTP the mailbox shows each mail to people and to scripts, and the log mentions it without its code or its reader", async () => {
  const lines: string[] = [];
  await using plain = await startService();
  plain.deps.log.info = ((fields: object, text: string) => lines.push(`${JSON.stringify(fields)} ${text}`)) as never;
  const worker = startMailWorker(plain.deps);
  const portal = await openPortal(plain);
  await portal.post("/webhook-endpoints", input);
  const code = await portal.code();
  const page = await (await fetch(`${plain.baseUrl}/dev/mail`, { headers: { accept: "text/html" } })).text();
  expect(page).toContain(code);
  expect(page).toContain("https://tienda.com.co/webhooks");
  await eventually(() => lines.some((line) => line.includes("mailbox")));
  expect(lines.join("\n")).toMatch(/"kind":"code".*mailbox/);
  for (const secret of [portal.email, code]) expect(lines.join("\n")).not.toContain(secret);
  await worker.stop();
});

test("a form posted to the portal is refused as not JSON", async () => {
  const portal = await openPortal(service);
  const answer = await portal.post("/devices/enrolment", "name=x", { "content-type": "text/plain" });
  expect(answer.body.error.code).toBe("INVALID_JSON");
  expect((await call(service, "GET", "/nada")).body.error.code).toBe("ROUTE_NOT_FOUND");
});
