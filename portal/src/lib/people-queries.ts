import { useQuery } from "@tanstack/react-query";
import type { Answer } from "./answers.ts";
import { get } from "./api.ts";
import { client } from "./queries.ts";

export type People = Answer<"GET /people">;
export type Member = People["data"][number];
export type Invitation = People["invitations"][number];
export type ShownRole = People["roles"][number];

export function usePeople() {
  return useQuery({
    queryKey: ["people"],
    queryFn: ({ signal }) => get<People>("/people", signal),
    refetchInterval: 15_000,
  });
}

export const refreshPeople = () => client.invalidateQueries({ queryKey: ["people"] });

/** With one sede or none there is nothing to choose, and nobody sees the word. */
export const hasSedes = ({ sedes }: Pick<People, "sedes">) => sedes.length > 1;

export function sedesText({ sedes }: Pick<People, "sedes">, ids: readonly string[] | null): string {
  if (ids === null) return "Todas las sedes";
  return sedes.flatMap(({ id, name }) => (ids.includes(id) ? [name] : [])).join(", ");
}
