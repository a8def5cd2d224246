import { day, minute } from "../../lib/clock.ts";
import type { RequestSource } from "../accounts/hashing-queue.ts";
import { maxCodeTries } from "./mailed-code.ts";

/** A password reset code that was requested within the last day. */
export interface PastReset {
  id: string;
  source: string;
  created_at: Date;
  expires_at: Date;
  attempts: number;
  used_at: Date | null;
  mails: number;
  mailed_at: Date;
}

export type ResetStep =
  | { kind: "new"; sendsMail: boolean }
  /** The same code, valid for ten more minutes. */
  | { kind: "repeat"; id: string; sendsMail: boolean }
  | { kind: "refuse"; until: Date };

/** Codes per day: for one source, and for all unknown sources together. */
const ownCodes = 5;
const unknownCodes = 20;
/** Mails per day, so that nobody's mailbox is flooded: for one source, and for all unknown sources together. */
const ownMails = 8;
const unknownMails = 40;
const mailEveryMs = minute;

/**
 * Each source has codes of its own, so that nobody can use up another's tries. A valid code is sent again instead of
 * replaced; when no new one is allowed, the last one is extended. `past` is sorted newest first.
 */
export function decideReset(past: readonly PastReset[], source: RequestSource, now: Date): ResetStep {
  const own = past.filter((one) => one.source === source.name);
  const others = source.isKnown ? own : past.filter((one) => !one.source.startsWith("device "));
  const mayMail = sum(own) < ownMails && (source.isKnown || sum(others) < unknownMails);
  const repeat = (one: PastReset): ResetStep => ({
    kind: "repeat",
    id: one.id,
    sendsMail: mayMail && now.getTime() - one.mailed_at.getTime() >= mailEveryMs,
  });
  const working = own.find((one) => isLive(one) && one.expires_at > now);
  if (working) return repeat(working);
  if (own.length < ownCodes && (source.isKnown || others.length < unknownCodes))
    return { kind: "new", sendsMail: mayMail };
  const last = own.find(isLive) ?? others.find(isLive);
  if (last) return repeat(last);
  const counted = own.length < ownCodes ? others : own;
  return { kind: "refuse", until: new Date(counted.at(-1)!.created_at.getTime() + day) };
}

function isLive({ used_at, attempts }: PastReset): boolean {
  return used_at === null && attempts < maxCodeTries;
}

function sum(resets: readonly PastReset[]): number {
  return resets.reduce((mails, one) => mails + one.mails, 0);
}
