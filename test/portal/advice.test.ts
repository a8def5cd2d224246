import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { type BuiltInRole, builtInRoles } from "../../src/access/people/rights.ts";
import { mailNotices } from "../../src/alerts/mail-notices.ts";
import { sql } from "../../src/db/sql.ts";
import { findingKinds } from "../../src/fiscal/findings/fiscal-finding.ts";
import { noticeKinds, recordNotices } from "../../src/notices/record-notices.ts";
import { shared, sharedService } from "../support/fixtures.ts";
import { enterAs } from "../support/people.ts";
import { mailsTo, openPortal, type Portal } from "../support/portal.ts";
import { saleBody } from "../support/records.ts";
import { enrol, upload } from "../support/register.ts";

/** Who may take the step that is advised, as a person would say it: A administrador, E encargado, C contador, D desarrollador. The owner may all. */
const byFinding: Readonly<Record<string, string>> = {
  sale_changed: "AE--",
  two_documents: "AE--",
  number_taken: "A---",
  sale_without_lines: "AECD",
  acts_withheld: "A---",
  drawer_short: "AEC-",
  late_sales: "AECD",
  huge_total: "A---",
  foreign_shift: "A---",
  wrong_clock: "AECD",
  sale_reduced: "AEC-",
  shift_rewritten: "AEC-",
  closed_shift: "AEC-",
  left_shift: "AEC-",
  misnamed_line: "AEC-",
  large_tip: "AEC-",
  nameless_credit: "AEC-",
  wrong_tax: "AE--",
  unauthorized: "AE--",
};
const letters = { owner: "", administrator: "A", manager: "E", accountant: "C", developer: "D" } as const;
const may = (role: BuiltInRole, row: string) => role === "owner" || row.includes(letters[role]);

const service = sharedService();
const shop = shared(async () => {
  const owner = await openPortal(service);
  await service.deps.pool.query(sql`update people set name = 'Marta' where id = ${owner.accountId}`);
  const till = await enrol(service, owner.accountId);
  const sale = saleBody(new Date().toISOString());
  await till.push([{ type: "sale", id: sale.id, data: upload(sale) }]);
  const now = service.deps.clock.now();
  for (const kind of findingKinds)
    await service.deps.pool.query(sql`
      insert into fiscal_findings (account_id, id, kind, subject, gravity, sale_id, message, next_step, found_at)
      values (${owner.accountId}, ${randomUUID()}, ${kind}, ${kind}, 'warning', ${sale.id}, ${kind}, 'Hágalo usted.', ${now})`);
  const flags = [{ field: "rights.discount", expected: null, got: null, message: "Ana hizo un descuento." }];
  await service.deps.pool.query(sql`
    insert into flagged_records (account_id, record_id, type, device_id, device_seq, found_at, findings)
    values (${owner.accountId}, ${sale.id}, 'sale', ${till.deviceId}, 1, ${now}, ${JSON.stringify(flags)})`);
  const people = { owner } as unknown as Record<BuiltInRole, Portal>;
  for (const role of builtInRoles) if (role !== "owner") people[role] = await enterAs(service, owner.business, role);
  return { owner, saleId: sale.id, people };
});

type Advice = { kind: string; finding_kind?: string; next_step: string; can_close?: boolean };

test.each(["administrator", "manager", "accountant", "owner"] as const)(
  "the role %s is advised only what it may do, and told whom to ask for the rest",
  async (role) => {
    const { people, saleId, owner } = shop;
    const portal = people[role];
    const lists: Advice[][] = [
      (await portal.get("/findings?limit=100")).body.data,
      (await portal.get(`/sales/${saleId}/findings`)).body.data,
      (await portal.get(`/sales/${saleId}`)).body.findings,
      (await portal.get("/attention")).body.data.filter(({ kind }: Advice) => kind === "finding"),
    ];
    const known = new Set<string>();
    for (const one of lists.flat()) {
      const kind = one.finding_kind ?? one.kind;
      known.add(kind);
      const isToAsk = one.next_step.includes(`avise a Marta (${owner.email})`);
      expect([kind, isToAsk], one.next_step).toEqual([kind, !may(role, byFinding[kind]!)]);
      if (one.can_close !== undefined && kind !== "unauthorized") expect(one.can_close).toBe(role !== "manager");
    }
    expect([...known].toSorted()).toEqual(Object.keys(byFinding).toSorted());
  },
);

/** What the mails of each alert tell their reader to do. */
const steps: readonly [alert: string, row: string, words: string][] = [
  ["document_rejected", "A-C-", "reenvíe el documento"],
  ["range_ending", "A---", "regístrelo en Ajustes"],
  ["unauthorized_act", "AE--", "dele el permiso en Ajustes"],
  ["shift_short", "AEC-", "Abra el turno"],
  ["stock_low", "AEC-", "Pida lo que falte"],
];

test("a mail tells nobody to do what her role does not permit, and leads nowhere that she may not open", async () => {
  const { people, owner } = shop;
  const alerts = steps.map(([alert]) => alert);
  for (const role of builtInRoles)
    for (const alert of alerts) await people[role].put(`/alerts/${alert}`, { active: true });
  const notices = noticeKinds.map((kind) => ({ kind, subject: kind, message: `Pasó ${kind}.` }));
  const now = service.deps.clock.now();
  await service.deps.pool.query(recordNotices(owner.accountId, now, now.toISOString().slice(0, 10), notices));
  await mailNotices(service.deps);
  for (const role of ["owner", "administrator", "manager", "accountant"] as const) {
    const mails = (await mailsTo(service, people[role].email)).filter(({ text }) => text.includes("Pasó "));
    expect(mails, role).toHaveLength(1);
    const { text } = mails[0]!;
    const plain = text.replaceAll(/\s+/g, " ");
    for (const [alert, row, words] of steps)
      expect([role, alert, plain.includes(words)]).toEqual([role, alert, may(role, row)]);
    const isAnyAsked = role === "manager" || role === "accountant";
    expect(plain.includes("avise a Marta"), role).toBe(isAnyAsked);
  }
  expect((await mailsTo(service, people.developer.email)).filter(({ text }) => text.includes("Pasó "))).toEqual([]);
});
