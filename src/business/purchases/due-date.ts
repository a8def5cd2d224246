import { validationError } from "../../lib/errors.ts";

/** The day of an invoice and so many after it. */
export function dueDate(from: string | null, termDays: number): string | null {
  if (from === null) return null;
  const day = new Date(`${from}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + termDays);
  return day.toISOString().slice(0, 10);
}

/** The pattern lets the 31st of any month through. */
export function requireDay(param: string, day: string | null): void {
  if (day === null) return;
  const at = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(at.getTime()) || at.toISOString().slice(0, 10) !== day)
    throw validationError([{ param, message: `\`${param}\` no es un día del calendario.` }]);
}
