import { validationError } from "../lib/errors.ts";

/** Calendar days of Colombia, `2026-11-15`, both included. */
export interface Period {
  from: string;
  to: string;
}

export const maxPeriodDays = 366;
const dayMs = 86_400_000;

/** The day that many days later, or earlier if negative. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** The Monday of a day's week. */
export function mondayOf(day: string): string {
  return addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
}

/** Throws unless both are days that exist, in order, and at most a year apart. */
export function checkPeriod({ from, to }: Period): void {
  for (const [param, value] of Object.entries({ from, to }))
    if (!isDay(value))
      throw validationError([{ param, message: "Este día no existe en el calendario. Escríbalo como 2026-09-28." }]);
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (days < 1) throw validationError([{ param: "to", message: "El último día no puede ser anterior al primero." }]);
  if (days > maxPeriodDays)
    throw validationError([{ param: "to", message: "El periodo puede tener hasta un año. Acérquelo al primer día." }]);
}

/** The 30th of February is read as the 2nd of March, so it does not come back as it was. */
function isDay(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
