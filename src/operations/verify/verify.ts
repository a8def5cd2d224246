import { countSetAside } from "../../api/sync/set-aside/due.ts";
import { resources } from "../../business/registry.ts";
import { type Pool, withoutTimeouts } from "../../db/pool.ts";
import { oneRow } from "../../db/read.ts";
import type { FindingKind } from "../../fiscal/findings/fiscal-finding.ts";
import { countFindings } from "../../fiscal/findings/read-findings.ts";
import { auditChecks } from "./audit-checks.ts";
import { compareColumns } from "./compare-columns.ts";
import { consistencyChecks } from "./consistency-checks.ts";
import { fiscalChecks } from "./fiscal-checks.ts";
import { returnChecks } from "./return-checks.ts";
import { totalChecks } from "./total-checks.ts";

export interface Report {
  records: number;
  events: number;
  /** One line each: where, the expected value and the stored one. */
  problems: string[];
  /** What an update left to be done and is not done yet: it was not checked. */
  under_way: string[];
  /** What owners should settle: the records are stored in order, but do not agree with one another. */
  findings: { kind: FindingKind; count: number }[];
  /** Uploaded records that are in no list. Those that wait for us are problems too. */
  set_aside: { waiting: number; refused: number };
}

/** Checks that columns agree with bodies and sums with their parts. Read-only, in one snapshot, in small batches. */
export function verify(pool: Pool, progress: (done: number) => void = () => {}): Promise<Report> {
  return withoutTimeouts(pool, async (client) => {
    await client.query("begin isolation level repeatable read read only");
    const report: Report = {
      records: 0,
      events: 0,
      problems: [],
      under_way: [],
      findings: [],
      set_aside: { waiting: 0, refused: 0 },
    };
    for (const [i, resource] of resources.entries()) {
      progress(i / (resources.length + 1));
      const { records, problems } = await compareColumns(client, resource);
      report.records += records;
      report.problems.push(...problems);
    }
    const sums = await totalChecks(client);
    for (const { problem, text } of [...consistencyChecks, ...fiscalChecks, ...returnChecks, ...sums]) {
      const { rows } = await client.query<{ where: string }>(text);
      report.problems.push(...rows.map((row) => `${problem}: ${row.where}`));
    }
    const audit = await auditChecks(client);
    report.problems.push(...audit.problems);
    report.under_way.push(...audit.under_way);
    const { rows } = await client.query<{ count: number }>("select count(*) from events");
    report.events = oneRow(rows).count;
    report.findings = await countFindings(client);
    report.set_aside = await countSetAside(client);
    progress(1);
    return report;
  });
}
