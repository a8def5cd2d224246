import { day as dayMs } from "../../lib/clock.ts";

/** A calendar day in Bogotá, as YYYY-MM-DD. */
export function isDay(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) &&
    !text.startsWith("0000") &&
    new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text
  );
}

/** The first instant of the day, and the first of the next. */
export function boundsOf(date: string): { since: Date; until: Date } {
  const since = new Date(`${date}T00:00:00-05:00`);
  return { since, until: new Date(since.getTime() + dayMs) };
}
