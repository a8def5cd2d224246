import { number, zone } from "../ui/format.ts";

const dateTime = new Intl.DateTimeFormat("es-CO", { ...zone, dateStyle: "short", timeStyle: "short" });
const dayOnly = new Intl.DateTimeFormat("es-CO", { ...zone, dateStyle: "short" });
const timeOnly = new Intl.DateTimeFormat("es-CO", { ...zone, timeStyle: "short" });

/** Whole numbers by hand: a screen full of prices is formatted with every product that is shown. */
const grouped = (value: number) => String(value).replace(/\B(?=(\d{3})+$)/g, ".");
const isPlain = (value: number) => Number.isInteger(value) && value >= 0 && value < 1e15;
const written = (value: number) => (isPlain(value) ? grouped(value || 0) : number(value || 0));
export const pesos = (value: number) => (value < 0 ? `-$${written(-value)}` : `$${written(value)}`);
/** A label of a scale may need six decimals for its price to come out. */
const quantities = new Intl.NumberFormat("es-CO", { maximumFractionDigits: 6 });
export const quantity = (value: number) => (isPlain(value) ? grouped(value || 0) : quantities.format(value));
export const moment = (iso: string) => dateTime.format(new Date(iso));
export const day = (iso: string) => dayOnly.format(new Date(iso));
export const time = (iso: string) => timeOnly.format(new Date(iso));
