import { day, hour } from "../lib/clock.ts";

export const bogotaZone = "America/Bogota";

/** Colombia is five hours behind UTC all year; its last daylight saving ended in 1993, before any electronic document. */
export const behindUtcMs = 5 * hour;

export function bogotaDate(at: Date): string {
  return bogotaIso(at).slice(0, 10);
}

/** With the offset and without fractions, as it is hashed: 14:05:09-05:00. */
export function bogotaTime(at: Date): string {
  return `${bogotaIso(at).slice(11, 19)}-05:00`;
}

/** As people say it: 14:05. */
export function bogotaClock(at: Date): string {
  return bogotaIso(at).slice(11, 16);
}

/** The hour of the day, 0 to 23. */
export function bogotaHour(at: Date): number {
  const intoDay = (at.getTime() - behindUtcMs) % day;
  return Math.floor((intoDay < 0 ? intoDay + day : intoDay) / hour);
}

export function bogotaYear(at: Date): number {
  return Number(bogotaIso(at).slice(0, 4));
}

export function bogotaIso(at: Date): string {
  return new Date(at.getTime() - behindUtcMs).toISOString();
}
