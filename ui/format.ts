/** How numbers and days are written in Colombia, wherever the browser or the register is. */
export const zone = { timeZone: "America/Bogota" };
const numbers = new Intl.NumberFormat("es-CO", { maximumFractionDigits: 3 });
const calendarDay = new Intl.DateTimeFormat("en-CA", zone);

/** Up to three decimals, as goods sold by weight have. */
export const number = (value: number) => numbers.format(value);

export function plural(count: number, one: string, many: string): string {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** The day at the shop, as 2026-11-18. */
export const dayOf = (instant: string | Date) => calendarDay.format(new Date(instant));
