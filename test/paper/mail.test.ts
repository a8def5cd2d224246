import { expect, test } from "vitest";
import { apidianAuthority } from "../../src/fiscal/authority/apidian/adapter.ts";
import { fiscalWorker } from "../../src/fiscal/documents/worker.ts";
import { subscriptionOf, suppress } from "../../src/mail/suppressions.ts";
import type { OutgoingMail } from "../../src/mail/transport.ts";
import { startMailWorker } from "../../src/mail/worker.ts";
import { documentFiles } from "../../src/paper/attachments.ts";
import { newPress } from "../../src/paper/press.ts";
import { acceptOnce, startApidian } from "../support/apidian.ts";
import { eventually } from "../support/eventually.ts";
import { sharedService } from "../support/fixtures.ts";
import { decideAll } from "../support/issuing.ts";
import { everyClass, newBuyer, openPapers, saleOf, sellOf } from "../support/papers.ts";
import { readPdf } from "../support/pdf.ts";
import { mailsTo, type Portal } from "../support/portal.ts";

const service = sharedService();

async function invoiceTo(owner: Portal, email: string | null): Promise<string> {
  const buyer = await newBuyer(service, owner.accountId, { email });
  return sellOf(service, owner.accountId, (at) =>
    saleOf(at, everyClass, { document_kind: "invoice", customer_id: buyer.id }),
  );
}

test("the buyer gets the document once, after the verdict, with its PDF and the provider's XML", async () => {
  const { deps } = service;
  const owner = await openPapers(service);
  const address = `${owner.accountId}@buyer.example`;
  await owner.put("/look", { color: "#112233", mails_documents: true, email: "tienda@example.com" });
  const id = await invoiceTo(owner, address);
  expect(await mailsTo(service, address)).toEqual([]);
  await using apidian = await startApidian();
  const signed = '<?xml version="1.0"?><Invoice>ñ</Invoice>';
  apidian.onSend = (received) => {
    const reply = acceptOnce(apidian, received) as { body: object };
    return { body: { ...reply.body, invoicexml: Buffer.from(signed).toString("base64") } };
  };
  const worker = fiscalWorker(deps, apidianAuthority({ url: apidian.url, token: "t" }));
  await worker.workOff();
  await worker.workOff();
  const mails = await mailsTo(service, address);
  expect(mails.map(({ subject }) => subject)).toEqual([expect.stringMatching(/^Factura electrónica SETP1 de /)]);
  expect(mails[0]!.text).toContain("https://catalogo-vpfe-hab.dian.gov.co/document/searchqr?documentkey=");
  expect(mails[0]!.text).not.toContain("titular de la cuenta");

  const sent: OutgoingMail[] = [];
  const press = newPress();
  const transport = { send: async (mail: OutgoingMail) => void sent.push(mail), close() {} };
  const mailer = startMailWorker(deps, { transport, filesOf: documentFiles(deps, press) });
  const mail = await eventually(() => sent.find(({ to }) => to === address));
  await mailer.stop();
  await press.stop();
  expect(mail.attachments!.map(({ filename, contentType }) => [filename, contentType])).toEqual([
    ["SETP1.pdf", "application/pdf"],
    ["SETP1.xml", "application/xml"],
  ]);
  // Nobody reads the address that mails come from; the shop reads its own.
  expect(mail.replyTo).toBe("tienda@example.com");
  expect(mail.text).toContain("responda a este correo o comuníquese con");
  expect((await readPdf(mail.attachments![0]!.content)).text).toContain("FACTURA ELECTRÓNICA DE VENTA");
  expect(mail.attachments![1]!.content.toString()).toBe(signed);
  expect((await owner.get(`/records/invoices/${id}`)).body.status).toBe("issued");
});

test("nothing is mailed to a buyer without an address, with a nonsense one, or where the business does not want it", async () => {
  const owner = await openPapers(service);
  const before = await allMails();
  await invoiceTo(owner, null);
  await invoiceTo(owner, "Ana <ana@example.com>, otra");
  await decideAll(service);
  await owner.put("/look", { color: "#112233", mails_documents: false });
  await invoiceTo(owner, "b@buyer.example");
  await decideAll(service);
  expect(await allMails()).toBe(before);
});

test("a document is mailed again on request: to its buyer, or to another address", async () => {
  const owner = await openPapers(service);
  const address = `${owner.accountId}@again.example`;
  const id = await invoiceTo(owner, address);
  const early = await owner.post(`/invoices/${id}/mail`, {});
  expect([early.status, early.body.error.code]).toEqual([409, "DOCUMENT_NOT_MAILABLE"]);
  await decideAll(service);
  const asked = await owner.post(`/invoices/${id}/mail`, {});
  expect([asked.status, asked.body]).toEqual([202, { email: address }]);
  expect(await mailsTo(service, address)).toHaveLength(2);
  await owner.post(`/invoices/${id}/mail`, { email: "contador@example.com" });
  expect(await mailsTo(service, "contador@example.com")).toHaveLength(1);
});

test("a document cannot fill somebody's mailbox, even with requests at once", async () => {
  const owner = await openPapers(service);
  const id = await invoiceTo(owner, null);
  await decideAll(service);
  const nobody = await owner.post(`/invoices/${id}/mail`, {});
  expect([nobody.status, nobody.body.error.param]).toEqual([400, "email"]);
  const email = `${owner.accountId}@full.example`;
  const answers = await Promise.all(Array.from({ length: 9 }, () => owner.post(`/invoices/${id}/mail`, { email })));
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
  expect(await mailsTo(service, email)).toHaveLength(5);
});

test("a document does not go where a buyer asked for no more mails; where a mailbox was missing the owner may try again", async () => {
  const { pool, clock, config } = service.deps;
  const owner = await openPapers(service);
  const id = await invoiceTo(owner, null);
  await decideAll(service);
  const suppressed = async (email: string, reason: "unsubscribed" | "bounced") => {
    await pool.query(suppress(subscriptionOf(config, owner.accountId, email), reason, clock.now()));
    return owner.post(`/invoices/${id}/mail`, { email });
  };
  const refused = await suppressed(`No.${owner.accountId}@example.com`, "unsubscribed");
  expect([refused.status, refused.body.error.param]).toEqual([400, "email"]);
  expect(refused.body.error.message).toMatch(/pidieron no recibir más correos/);
  expect((await owner.post(`/invoices/${id}/mail`, { email: `no.${owner.accountId}@EXAMPLE.com` })).status).toBe(400);
  expect((await suppressed(`si.${owner.accountId}@example.com`, "bounced")).status).toBe(202);
});

test("a document of another account cannot be mailed", async () => {
  const [owner, other] = [await openPapers(service), await openPapers(service)];
  const id = await invoiceTo(owner, null);
  await decideAll(service);
  expect((await other.post(`/invoices/${id}/mail`, { email: "x@example.com" })).status).toBe(404);
});

async function allMails(): Promise<number> {
  const { rows } = await service.deps.pool.query("select count(*)::int as count from mails where kind = 'document'");
  return rows[0].count;
}
