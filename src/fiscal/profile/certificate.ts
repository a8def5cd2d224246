import { day } from "../../lib/clock.ts";

/** Ordering a new one from a certification body takes the business some weeks. */
const soonDays = 30;
const urgentDays = 7;

export type CertificateStage = "ending" | "urgent" | "ended";

/** Whether the certificate with which documents are signed ends soon, or has ended; undefined while there is time. */
export function certificateStage(validUntil: string | undefined, today: string): CertificateStage | undefined {
  if (validUntil === undefined) return undefined;
  const left = Math.round((Date.parse(validUntil) - Date.parse(today)) / day);
  if (left < 0) return "ended";
  return left <= urgentDays ? "urgent" : left <= soonDays ? "ending" : undefined;
}

export function isCertificateDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
}
