import { Text } from "@mantine/core";
import { Link } from "wouter";
import { auditedBy, auditList, detailOf, roleTitleOf } from "../../../src/api/portal/lists/audit-log.ts";
import { auditActions, auditedPages } from "../../../src/api/portal/lists/audit-words.ts";
import type { AuditEntry } from "../lib/answers.ts";
import { titleIn } from "../lib/words.ts";
import { columnsOf } from "../lists/cells.tsx";

/** What a column of the audit log shows besides its value. */
export const auditCells = {
  /** With a link to what it is about. */
  action: ({ action, record }: AuditEntry) =>
    record ? (
      <Link href={`${auditedPages[record.object].path}/${record.id}`}>{titleIn(auditActions, action)}</Link>
    ) : (
      titleIn(auditActions, action)
    ),
  detail: (entry: AuditEntry) => (
    <Text size="sm" className="mono" component="span">
      {detailOf(entry.details) ?? "–"}
    </Text>
  ),
  who: (entry: AuditEntry) => (
    <div>
      {auditedBy(entry)}
      {entry.role && (
        <Text size="sm" c="dimmed" component="div">
          {roleTitleOf(entry.role)}
        </Text>
      )}
    </div>
  ),
  from: ({ remote_address }: AuditEntry) => <span className="mono">{remote_address ?? "–"}</span>,
};

export const auditColumns = columnsOf(auditList, auditCells);
