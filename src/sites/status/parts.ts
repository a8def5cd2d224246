import { poolReadOnlyReason } from "../../db/read-only.ts";
import type { CoreDeps } from "../../engine/deps.ts";
import { pendingDocuments } from "../../fiscal/documents/pending-documents.ts";
import { minute } from "../../lib/clock.ts";
import { pendingMails } from "../../mail/pending-mails.ts";
import { oldestTurn } from "../../webhooks/queue/oldest-turn.ts";

export const partNames = ["database", "webhooks", "documents", "mail"] as const;
export type PartName = (typeof partNames)[number];

export interface PartState {
  part: PartName;
  isWell: boolean;
  /** How long the oldest that is due has been waiting for its turn; 0 where nothing waits. */
  waitingMs: number;
}

/** Waiting longer than this is an incident: long after a restart's backlog, and before somebody calls. */
const patienceMs: Record<Exclude<PartName, "database">, number> = {
  webhooks: 5 * minute,
  documents: 15 * minute,
  mail: 10 * minute,
};

/** How each part does now, from its queue, however the receivers, the authority and the mailboxes of single businesses do. Without a database nothing else can be known. */
export async function readParts({ pool, clock }: Pick<CoreDeps, "pool" | "clock">): Promise<PartState[]> {
  const problem = await poolReadOnlyReason(pool).catch((error: Error) => error.message);
  if (problem !== undefined) return [{ part: "database", isWell: false, waitingMs: 0 }];
  const now = clock.now();
  const queues = await Promise.all([
    oldestTurn(pool, now),
    pendingDocuments(pool, now).then(({ oldestDue }) => oldestDue),
    pendingMails(pool, now).then(({ oldestDue }) => oldestDue),
  ]);
  const names = ["webhooks", "documents", "mail"] as const;
  return [
    { part: "database", isWell: true, waitingMs: 0 },
    ...names.map((part, i) => {
      const oldestDue = queues[i]!;
      const waitingMs = oldestDue === null ? 0 : Math.max(0, now.getTime() - oldestDue.getTime());
      return { part, isWell: waitingMs <= patienceMs[part], waitingMs };
    }),
  ];
}
