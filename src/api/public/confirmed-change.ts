import { AsyncLocalStorage } from "node:async_hooks";
import type { AuditAction } from "../../access/accounts/audit-actions.ts";
import { type Actor, recordAudit } from "../../access/accounts/record-audit.ts";
import type { Write } from "../../engine/writing/write.ts";

/** A change that a person confirmed to an assistant: unlike what other programs do, it has a line in the audit log. */
export interface ConfirmedChange {
  action: AuditAction;
  actor: Actor;
  /** Of the record as it was answered. Names no person's data: the log outlives them. */
  details(record: { id: string }): Record<string, unknown>;
}

/** Set around the request that makes the change. */
export const confirmedChange = new AsyncLocalStorage<ConfirmedChange>();

/** The line commits with the change, or neither does. */
export async function recordConfirmed(
  { client, accountId, at }: Write,
  { action, actor, details }: ConfirmedChange,
  answered: string,
): Promise<void> {
  const record = JSON.parse(answered) as { id: string };
  await recordAudit(client, { accountId, at, action, details: details(record), actor });
}
