import { expect, test } from "vitest";
import { newTicket } from "./ticket.ts";
import { placeName, ticketName, ticketNames } from "./ticket-name.ts";

const opened = (at: string, table_label: string | null = null) => ({
  ...newTicket("a", new Date(at)),
  table_label,
});

test("a ticket that is not sold is called by its table, its customer or its time, and never by a sale's number", () => {
  const [afternoon, one] = [opened("2026-11-18T20:45:00Z"), opened("2026-11-18T18:05:00Z")];
  expect(ticketName(afternoon)).toMatch(/^De las 3:45\sp\.\sm\.$/);
  expect(ticketName(one)).toMatch(/^De la 1:05\sp\.\sm\.$/);
  expect(ticketNames([afternoon, opened("2026-11-18T20:45:30Z"), opened("2026-11-18T20:45:30Z", "Doña Rosa")])).toEqual(
    [ticketName(afternoon), `${ticketName(afternoon)} (2)`, "Doña Rosa"],
  );
  expect(["4", " 12 ", "Mesa 4", "Doña Rosa", "Barra 2"].map(placeName)).toEqual([
    ...["Mesa 4", "Mesa 12", "Mesa 4", "Doña Rosa", "Barra 2"],
  ]);
});
