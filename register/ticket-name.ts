import { time } from "./format.ts";
import type { Ticket } from "./ticket.ts";

/** What a ticket is called that is not sold yet: it has no number, because the sale that comes first takes the next one. */
export function ticketName(ticket: Pick<Ticket, "table_label" | "opened_at">): string {
  return ticket.table_label === null ? `De ${since(ticket.opened_at)}` : placeName(ticket.table_label);
}

/** The same, where several of one name stand side by side. */
export function ticketNames(tickets: readonly Ticket[]): string[] {
  const names = tickets.map(ticketName);
  return names.map((name, i) => {
    const before = names.slice(0, i).filter((one) => one === name).length;
    return before === 0 ? name : `${name} (${before + 1})`;
  });
}

/** A table's bare number needs a word; a person's name, or "Mesa 4", does not. */
export function placeName(label: string): string {
  return /^\d{1,3}$/.test(label.trim()) ? `Mesa ${label.trim()}` : label;
}

/** "las 3:45 p. m.", "la 1:05 p. m." */
export function since(iso: string): string {
  const at = time(iso);
  return `${/^1:/.test(at) ? "la" : "las"} ${at}`;
}
