import { number, zone } from "../ui/format.ts";

const dateTime = new Intl.DateTimeFormat("es-CO", { ...zone, dateStyle: "short", timeStyle: "short" });
const dayOnly = new Intl.DateTimeFormat("es-CO", { ...zone, dateStyle: "short" });
const timeOnly = new Intl.DateTimeFormat("es-CO", { ...zone, timeStyle: "short" });

export const pesos = (value: number) => (value < 0 ? `-$${number(-value)}` : `$${number(value || 0)}`);
/** A label of a scale may need six decimals for its price to come out. */
const quantities = new Intl.NumberFormat("es-CO", { maximumFractionDigits: 6 });
export const quantity = (value: number) => quantities.format(value);
export const moment = (iso: string) => dateTime.format(new Date(iso));
export const day = (iso: string) => dayOnly.format(new Date(iso));
export const time = (iso: string) => timeOnly.format(new Date(iso));
