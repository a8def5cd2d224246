import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { describe, expect, test } from "vitest";
import { watchNodes } from "../../src/db/nodes.ts";
import { sql } from "../../src/db/sql.ts";
import { queueMail } from "../../src/mail/queue-mail.ts";
import { smtpTransport } from "../../src/mail/transport.ts";
import { startMailWorker } from "../../src/mail/worker.ts";
import { eventually } from "../support/eventually.ts";
import { endNode, hasNodeCommands, nodeOf, startNode } from "../support/node-shops.ts";
import type { Business, Service } from "../support/service.ts";
import { startHooks } from "../support/webhooks.ts";

const mail = { kind: "fiscal_notice" as const, subject: "Hola", text: "Hola", html: "<p>Hola</p>" };

/** A mail server that accepts mails to one address only when it is told to. */
async function startMailServer(isSlow: (recipient: string) => boolean, accept: Promise<void>) {
  const recipients: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    onData(stream, { envelope }, done) {
      stream.resume();
      stream.on("end", () => {
        const to = envelope.rcptTo[0]!.address;
        recipients.push(to);
        if (isSlow(to)) void accept.then(() => done());
        else done();
      });
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  return {
    recipients,
    url: `smtp://127.0.0.1:${port}?requireTLS=false`,
    close: () => new Promise<void>((done) => server.close(done)),
  };
}

/** Two businesses on different nodes. */
async function apart(service: Service): Promise<[one: Business, other: Business, nodeOfOne: string]> {
  const one = await service.business();
  const node = await nodeOf(service, one.accountId);
  for (;;) {
    const other = await service.business();
    if ((await nodeOf(service, other.accountId)) !== node) return [one, other, node];
  }
}

function isRecorded({ deps }: Service, { accountId }: Business, what: "delivery" | "mail") {
  const text =
    what === "delivery"
      ? sql`select from webhook_deliveries where account_id = ${accountId} and state = 'delivered'`
      : sql`select from mails where account_id = ${accountId} and sent_at is not null`;
  return async () => (await deps.pool.query(text)).rowCount === 1;
}

describe.skipIf(!hasNodeCommands)("on Citus", () => {
  test("what was sent for a node that died is recorded when it is back, and nobody waits for that", {
    timeout: 300_000,
  }, async () => {
    await using hooks = await startHooks();
    const { service, receiver } = hooks;
    const { deps } = service;
    const nodes = await watchNodes(deps.pool, service.databaseUrl);
    const [dead, living, node] = await apart(service);
    const isNodeDead = Promise.withResolvers<void>();
    const mails = await startMailServer((to) => to.startsWith(dead.accountId), isNodeDead.promise);
    const mailer = startMailWorker(deps, { transport: smtpTransport(mails.url, "caja@example.com") });
    const paths = { dead: `/${dead.accountId}`, living: `/${living.accountId}` };
    await hooks.endpoint(dead, { path: paths.dead });
    await hooks.endpoint(living, { path: paths.living });
    receiver.answers.set(paths.dead, (_received, response) => {
      void isNodeDead.promise.then(() => response.writeHead(200).end());
    });
    const sendMail = async ({ accountId }: Business) => {
      await queueMail(deps.pool, accountId, deps.clock.now(), mail);
      deps.mail?.emit();
    };
    try {
      await sendMail(dead);
      await eventually(() => mails.recipients.length === 1, 30_000);
      await hooks.writeCustomer(dead, "Ana");
      await eventually(() => receiver.on(paths.dead).length === 1, 30_000);
      await endNode(node);
      isNodeDead.resolve();
      // Both fail to be stored before anything of the others is sent.
      await eventually(() => nodes.away().length === 1, 30_000);

      await hooks.writeCustomer(living, "Ana");
      await sendMail(living);
      await eventually(isRecorded(service, living, "delivery"), 30_000);
      await eventually(isRecorded(service, living, "mail"), 30_000);

      await startNode(node);
      await eventually(() => nodes.away().length === 0, 60_000);
      await eventually(isRecorded(service, dead, "delivery"), 30_000);
      await eventually(isRecorded(service, dead, "mail"), 30_000);
      expect(receiver.on(paths.dead)).toHaveLength(1);
      expect(mails.recipients.filter((to) => to.startsWith(dead.accountId))).toHaveLength(1);
    } finally {
      isNodeDead.resolve();
      await startNode(node);
      await mailer.stop();
      await mails.close();
      await nodes.stop();
    }
  });
});
