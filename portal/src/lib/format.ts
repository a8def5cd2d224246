import { number, plural, zone } from "../../../ui/format.ts";

export { number, number as quantity, plural };

const dateTime = new Intl.DateTimeFormat("es-CO", { ...zone, dateStyle: "medium", timeStyle: "short" });
const exact = new Intl.DateTimeFormat("es-CO", {
  ...zone,
  day: "2-digit",
  month: "2-digit",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
});
const dayOnly = new Intl.DateTimeFormat("es-CO", { ...zone, dateStyle: "medium" });
const hourOnly = new Intl.DateTimeFormat("es-CO", { ...zone, hour: "numeric" });
const weekday = new Intl.DateTimeFormat("es-CO", { ...zone, weekday: "short", day: "numeric", hour: "numeric" });
const decimals = new Intl.NumberFormat("es-CO", { maximumFractionDigits: 1 });
const percents = new Intl.NumberFormat("es-CO", { style: "percent", maximumFractionDigits: 1 });
const pesosFormat = new Intl.NumberFormat("es-CO", { style: "currency", currency: "COP", maximumFractionDigits: 0 });
const costFormat = new Intl.NumberFormat("es-CO", {
  style: "currency",
  currency: "COP",
  minimumFractionDigits: 0,
  maximumFractionDigits: 4,
});
const shortPesosFormat = new Intl.NumberFormat("es-CO", {
  style: "currency",
  currency: "COP",
  notation: "compact",
  maximumFractionDigits: 1,
});
const longDay = new Intl.DateTimeFormat("es-CO", { ...zone, weekday: "long", day: "numeric", month: "long" });
const shortDay = new Intl.DateTimeFormat("es-CO", { ...zone, day: "numeric", month: "short" });
const weekdayOnly = new Intl.DateTimeFormat("es-CO", { ...zone, weekday: "long" });
const monthAndYear = new Intl.DateTimeFormat("es-CO", { ...zone, month: "long", year: "numeric" });
const clockTime = new Intl.DateTimeFormat("es-CO", { ...zone, hour: "numeric", minute: "2-digit" });
const relative = new Intl.RelativeTimeFormat("es-CO", { numeric: "auto" });

export const moment = (iso: string) => dateTime.format(new Date(iso));
export const exactMoment = (iso: string) => exact.format(new Date(iso));
export const date = (iso: string) => dayOnly.format(new Date(iso));
export const hour = (iso: string) => hourOnly.format(new Date(iso));
export const dayAndHour = (iso: string) => weekday.format(new Date(iso));
export const percent = (share: number) => percents.format(share);
export const pesos = (value: number) => pesosFormat.format(value);

/** A cost as it is kept: with the decimals that it has. */
export const cost = (value: number) => costFormat.format(value);

/** For axes: "$ 1,2 M". */
export const shortPesos = (value: number) => shortPesosFormat.format(value);
export const time = (iso: string) => clockTime.format(new Date(iso));

export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Calendar days, such as `2026-11-15`, in Colombian time. */
export const fullDay = (day: string) => longDay.format(inColombia(day));
export const dayAndMonth = (day: string) => shortDay.format(inColombia(day));
export const weekdayName = (day: string) => weekdayOnly.format(inColombia(day));
export const monthName = (day: string) => monthAndYear.format(inColombia(day));
/** The day that many days later, or earlier if negative. */
export function addDays(day: string, days: number): string {
  return toLocal(new Date(inColombia(day).getTime() + days * 86_400_000)).slice(0, 10);
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** "hace 5 minutos", "en 2 horas". */
export function ago(iso: string, now = Date.now()): string {
  const ms = new Date(iso).getTime() - now;
  for (const [unit, size] of units) if (Math.abs(ms) >= size) return relative.format(Math.trunc(ms / size), unit);
  return ms > 0 ? "en segundos" : "hace un momento";
}

export function duration(ms: number): string {
  if (ms < 1_000) return `${number(Math.round(ms))} ms`;
  if (ms < 60_000) return `${decimals.format(ms / 1_000)} s`;
  if (ms < 3_600_000) return `${number(Math.round(ms / 60_000))} min`;
  if (ms < 86_400_000) return `${decimals.format(ms / 3_600_000)} h`;
  return `${decimals.format(ms / 86_400_000)} días`;
}

/** The instant of a date field's value, such as `2026-11-15T14:05`, which is Colombian time. */
export function fromLocal(value: string): string {
  return inColombia(value).toISOString();
}

/** The same for typed text or text from the address; undefined when it is not a date. */
export function fromTyped(value: string | undefined): string | undefined {
  return value === undefined || Number.isNaN(inColombia(value).getTime()) ? undefined : fromLocal(value);
}

/** What a filter by days means: from the first instant of a day, or to the end of one. Undefined when it is not a date. */
export const startOf = (day: string | undefined) => fromTyped(day?.slice(0, 10));
export const endOf = (day: string | undefined) => {
  const start = startOf(day);
  return start && new Date(Date.parse(start) + 86_400_000).toISOString();
};

function inColombia(value: string): Date {
  return new Date(`${value}${value.length === 10 ? "T00:00" : ""}:00-05:00`);
}

/** An instant as a date field's value, in Colombian time. */
export function toLocal(instant: Date): string {
  return new Date(instant.getTime() - 5 * 3_600_000).toISOString().slice(0, 16);
}
