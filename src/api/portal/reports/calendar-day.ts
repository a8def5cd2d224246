import { Type } from "../../../lib/schema.ts";

/** A day in the address of a report. */
export const calendarDay = Type.String({
  pattern: "^\\d{4}-\\d{2}-\\d{2}$",
  "x-hints": { pattern: "Escriba un día como 2026-09-28." },
});
