import { useSession } from "../lib/queries.ts";
import { useSede } from "../lib/sedes.ts";
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
