import { expect, test } from "vitest";
import { mailNotices, startNoticeMails } from "../../src/alerts/mail-notices.ts";
import { sql } from "../../src/db/sql.ts";
import { openFindings } from "../../src/fiscal/findings/fiscal-finding.ts";
import { hour } from "../../src/lib/clock.ts";
import { type Notice, recordNotices } from "../../src/notices/record-notices.ts";
import { bogotaDate } from "../../src/taxes/bogota-time.ts";
import { advance, fiscalBusiness, plainSale, ringUp } from "../support/fiscal.ts";
import { sharedService } from "../support/fixtures.ts";
import { mailsTo } from "../support/portal.ts";

const service = sharedService();

const emailOf = (accountId: string) => `${accountId}@example.com`;

async function note(accountId: string, ...notices: Notice[]): Promise<void> {
  const now = service.deps.clock.now();
  await service.deps.pool.query(recordNotices(accountId, now, bogotaDate(now), notices));
}

const rejected = (name: string): Notice => ({
  kind: "document_rejected",
  subject: name,
  message: `La DIAN rechazó el documento ${name}: Regla: FAD06, Rechazo: <b>NIT</b>`,
});

test("the owner gets one mail about a range that ends, as text and HTML, with what to do next", async () => {
  const { accountId } = await fiscalBusiness(service, { posTo: 1 });
  await ringUp(service, accountId, (at) => [plainSale(at, 1_000), plainSale(at, 2_000), plainSale(at, 3_000)]);
  const worker = startNoticeMails(service.deps);
  await worker.stop();
  const [mail, ...more] = await mailsTo(service, emailOf(accountId));
  expect(more).toEqual([]);
  expect(mail!.subject).toBe("Sus ventas se quedaron sin números de la DIAN");
  expect(mail!.text).toContain("El rango de numeración EPOS 1–1 para documentos POS se agotó.");
  expect(mail!.text).toContain("(Ocurrió 2 veces.)");
  expect(mail!.text).toContain("Qué hacer: Las ventas se siguen registrando, pero sin documento.");
  expect(mail!.text).toContain("http://127.0.0.1:3000/ajustes/facturacion#rangos");
  const { rows } = await service.deps.pool.query(sql`select body_html from mails where account_id = ${accountId}`);
  expect(rows[0].body_html).toMatch(/<a href="http:\/\/127\.0\.0\.1:3000\/ajustes\/facturacion#rangos"/);

  // The matter comes up again all day; a day later it is mailed again.
  await ringUp(service, accountId, (at) => [plainSale(at, 4_000)]);
  advance(service, 2 * hour);
  expect(await mailNotices(service.deps)).toBe(0);
});

test("notices that follow within the hour are combined into one mail, the most urgent first", async () => {
  const { accountId } = await service.business();
  await note(accountId, rejected("EPOS1"));
  expect(await mailNotices(service.deps)).toBe(1);
  await note(accountId, rejected("EPOS2"));
  expect(await mailNotices(service.deps)).toBe(0);
  await note(accountId, {
    kind: "emission_failed",
    subject: "authority",
    message: "El documento EPOS3 no se pudo emitir.",
  });
  advance(service, hour + 1);
  expect(await mailNotices(service.deps)).toBe(1);
  const [second, first] = await mailsTo(service, emailOf(accountId));
  expect(first!.subject).toBe("La DIAN rechazó un documento");
  expect(second!.subject).toBe("Un documento no se pudo emitir, y otros avisos");
  expect(second!.text).toMatch(/EPOS3[\s\S]*EPOS2/);
  expect(second!.text).not.toContain("EPOS1");
});

test("the authority's message is escaped in the mail and cut to a reasonable length", async () => {
  const { accountId } = await service.business();
  const long: Notice = { ...rejected("EPOS9"), message: `<script>alert(1)</script>${"x".repeat(50_000)}` };
  await note(accountId, long, ...Array.from({ length: 60 }, (_, i) => rejected(`EPOS${i + 10}`)));
  expect(await mailNotices(service.deps)).toBe(1);
  const { rows } = await service.deps.pool.query(sql`
    select body_html, body_text from mails where account_id = ${accountId}`);
  expect(rows[0].body_html).not.toMatch(/<script|<b>NIT/);
  expect(rows[0].body_html.length).toBeLessThan(20_000);
  expect(rows[0].body_text).toContain("Hay 41 avisos más.");
});

test("a notice that this process has no words for holds up nobody's mail", async () => {
  const [one, other] = [await service.business(), await service.business()];
  for (const { accountId } of [one, other])
    await service.deps.pool.query(sql`
      insert into notices (account_id, kind, subject, on_day, message, created_at, last_at)
      values (${accountId}, 'of_a_later_release', 'x', current_date, 'Algo nuevo', now(), now())`);
  await note(other.accountId, rejected("EPOS1"));
  expect(await mailNotices(service.deps)).toBe(1);
  expect(await mailsTo(service, emailOf(one.accountId))).toEqual([]);
  const [mail] = await mailsTo(service, emailOf(other.accountId));
  expect(mail!.text).not.toContain("Algo nuevo");
  await service.deps.pool.query("delete from notices where kind = 'of_a_later_release'");
});

test("a finding that is mailed to nobody leaves no notice", async () => {
  const { accountId } = await service.business();
  const { pool, clock } = service.deps;
  const about = {
    subject: "x",
    gravity: "warning",
    saleId: null,
    invoiceId: null,
    message: "Algo",
    nextStep: "Mire.",
  } as const;
  const kinds = ["late_sales", "huge_total"] as const;
  await openFindings(
    { client: pool, accountId, at: clock.now() },
    kinds.map((kind) => ({ ...about, kind })),
  );
  const { rows } = await pool.query(sql`select kind from notices where account_id = ${accountId}`);
  expect(rows).toEqual([{ kind: "huge_total" }]);
  expect(await mailNotices(service.deps)).toBe(1);
});

test("a crash between the mark and the mail leaves neither, and concurrent processes write one mail", async () => {
  const { accountId } = await service.business();
  await note(accountId, rejected("EPOS1"));
  const { pool } = service.deps;
  // The mail cannot be stored, as when the process dies before its transaction commits.
  await pool.query("alter table mails add constraint no_mails check (kind <> 'fiscal_notice') not valid");
  await expect(mailNotices(service.deps)).rejects.toThrow("no_mails");
  await pool.query("alter table mails drop constraint no_mails");
  const { rows } = await pool.query(sql`select mailed_at from notices where account_id = ${accountId}`);
  expect(rows).toEqual([{ mailed_at: null }]);
  const written = await Promise.all(Array.from({ length: 6 }, () => mailNotices(service.deps)));
  expect(written.reduce((sum, one) => sum + one, 0)).toBe(1);
  expect(await mailsTo(service, emailOf(accountId))).toHaveLength(1);
});
