import { useSession } from "../lib/queries.ts";
import { useSede, useSedes } from "../lib/sedes.ts";
import type { Column } from "../ui/record-table.tsx";

/** Where each row was made, while the page shows several sedes; none where there is one, or one is chosen. */
export function useSedeColumn<Row extends { location_id?: string | undefined }>(): Column<Row>[] {
  const { all, id } = useSede();
  const { data: session } = useSession();
  if (all.length < 2 || id !== undefined) return [];
  // What was made before there were sedes is of the first one, which has the business's id.
  const nameOf = ({ location_id = session?.account.id }: Row) => all.find((one) => one.id === location_id)?.name ?? "–";
  return [{ title: "Sede", cell: nameOf }];
}

/** The sede of one record; null in a business with one, where nobody speaks of them. */
export function useSedeName(locationId: string | undefined): string | null {
  const all = useSedes().data ?? [];
  const { data: session } = useSession();
  const id = locationId ?? session?.account.id;
  return all.length < 2 ? null : (all.find((one) => one.id === id)?.name ?? null);
}
