import { hour, minute, second } from "../lib/clock.ts";

/** How long a mailed code is good for: one that could not leave in this time is not sent any more. */
export const codeLifeMinutes = 10;

interface Rank {
  /**
   * How many sends this rank and those after it may have under way in a process. What is left stays free for those before
   * it, so that no slow ticket holds up a code.
   */
  slots: number;
  /** A send that takes longer has failed. Its lease is a little longer: another process takes it when this one was killed. */
  timeoutMs: number;
  /** Waits after failed tries; the last one repeats. */
  retryWaitsMs: readonly number[];
  /** From when on it is not tried any more; without it, when its partition is dropped. */
  lifeMs?: number;
}

const patient = { timeoutMs: 90 * second, retryWaitsMs: [10 * second, minute, 5 * minute, 20 * minute, hour] };

/** The most urgent first: a mail goes before all those of a later rank, and the accounts of a rank take turns. */
const ranks = {
  code: {
    slots: 12,
    timeoutMs: 30 * second,
    retryWaitsMs: [2 * second, 5 * second, 10 * second, 30 * second, minute],
    lifeMs: codeLifeMinutes * minute,
  },
  security: { slots: 10, ...patient },
  // Somebody waits for it, or should act on it.
  awaited: { slots: 8, ...patient },
  document: { slots: 6, ...patient },
  whenever: { slots: 3, ...patient },
} as const satisfies Record<string, Rank>;

/** Every kind of mail, with its rank. The kind is what logs and counters may say of a mail. */
const rankByKind = {
  code: "code",
  password_reset: "code",
  sign_up: "code",
  security_notice: "security",
  new_browser: "security",
  invitation: "awaited",
  requested_document: "awaited",
  fiscal_notice: "awaited",
  endpoint_failing: "awaited",
  endpoint_deactivated: "awaited",
  document: "document",
  ticket: "document",
  purchase_order: "document",
  key_expiring: "whenever",
  weekly_summary: "whenever",
} as const satisfies Record<string, keyof typeof ranks>;

export type MailKind = keyof typeof rankByKind;

/** What a person had mailed to an address that he typed. Such mails are limited, and the address may refuse them. */
export const typedAddressKinds: readonly MailKind[] = ["ticket", "requested_document", "purchase_order"];

export const inOrder: readonly Rank[] = Object.values(ranks);
const positions = Object.keys(ranks);

/** Kinds and their ranks for SQL: two lists that belong together. */
export const kindNames = Object.keys(rankByKind);
export const kindRanks = Object.values(rankByKind).map((rank) => positions.indexOf(rank));
/** A kind that only a newer process knows. */
export const unknownRank = positions.indexOf("document");

/** Which of the candidates, in order, may begin beside what is under way. */
export function takeWhatFits<T extends { rank: number }>(underWay: readonly number[], candidates: readonly T[]): T[] {
  const running = [...underWay];
  return candidates.filter(({ rank }) => {
    if (!hasRoom(running, rank)) return false;
    running.push(rank);
    return true;
  });
}

/** A mail takes a slot of its own rank and of all before it. */
function hasRoom(underWay: readonly number[], rank: number): boolean {
  return inOrder
    .slice(0, rank + 1)
    .every(({ slots }, before) => underWay.filter((one) => one >= before).length < slots);
}
