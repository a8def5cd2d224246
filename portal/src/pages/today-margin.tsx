import { useQuery } from "@tanstack/react-query";
import type { Answer } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { number, pesos } from "../lib/format.ts";
import { marginNote } from "../lib/margin-words.ts";
import { refreshMs, useMay } from "../lib/queries.ts";
import { Figure } from "../ui/figure.tsx";

/** On Hoy, for whoever may see what things cost. */
export function TodayMargin({ location_id }: { location_id: string | undefined }) {
  const may = useMay()("costs:read");
  const margin = useQuery({
    queryKey: ["today-margin", location_id],
    queryFn: ({ signal }) =>
      get<Answer<"GET /today/margin">>(`/today/margin${location_id ? `?location_id=${location_id}` : ""}`, signal),
    refetchInterval: refreshMs,
    enabled: may,
  });
  const sums = margin.data;
  if (!sums) return null;
  const below = sums.below_cost === 0 ? [] : [`por debajo del costo: ${number(sums.below_cost)}`];
  const note = [marginNote(sums), ...below].filter(Boolean).join(", ");
  return (
    <Figure
      label="Margen de hoy"
      value={sums.lines === sums.unknown_lines ? "–" : pesos(sums.margin)}
      to={`/informes?por=margin_product&desde=${sums.day}&hasta=${sums.day}`}
      note={note || undefined}
    />
  );
}
