import { useQuery } from "@tanstack/react-query";
import type { Answer, Session } from "./answers.ts";
import { get } from "./api.ts";
import { client } from "./queries.ts";
import { refreshStock } from "./stock-queries.ts";

export type Transfer = Answer<"GET /transfers/:id">;
export type Destination = Answer<"GET /transfers/destinations">["data"][number];
export type TransferLine = Transfer["lines"][number];

export const transferWords: Record<Transfer["state"], { title: string; color: string }> = {
  sent: { title: "En camino", color: "yellow" },
  short: { title: "Llegó con menos", color: "red" },
  received: { title: "Recibido", color: "green" },
  settled: { title: "Cerrado con diferencia", color: "gray" },
};

/** Of a line, what is on its way, in thousandths as quantities are kept. */
export const leftOf = ({ sent, received, settled }: TransferLine): number =>
  Math.round((sent - received - settled) * 1000) / 1000;

/** Whether somebody may act at one end of a transfer, as the service says. */
export const mayAt = (session: Session | null | undefined, { location_id }: Transfer["from"]): boolean =>
  !!session?.rights.includes("stock:write") &&
  (session.location_ids === null || (location_id !== null && session.location_ids.includes(location_id)));

export function useTransfer(id: string | undefined) {
  return useQuery({
    enabled: id !== undefined,
    queryKey: ["transfer", id],
    queryFn: ({ signal }) => get<Transfer>(`/transfers/${id}`, signal),
  });
}

/** What has left a warehouse and arrived in none. */
export function useOnTheWay(enabled = true) {
  return useQuery({
    enabled,
    queryKey: ["transfers", "on-the-way"],
    queryFn: ({ signal }) => get<Answer<"GET /transfers/on-the-way">>("/transfers/on-the-way", signal),
    select: ({ data }) => data,
  });
}

/** Where goods may be sent, each with its sede where there are several. */
export function useDestinations() {
  return useQuery({
    queryKey: ["transfers", "destinations"],
    queryFn: ({ signal }) => get<Answer<"GET /transfers/destinations">>("/transfers/destinations", signal),
    select: ({ data }) => data,
  });
}

export const refreshTransfers = () =>
  Promise.all([
    refreshStock(),
    ...[["transfer"], ["transfers"], ["list", "/transfers"], ["attention"]].map((queryKey) =>
      client.invalidateQueries({ queryKey }),
    ),
  ]);
