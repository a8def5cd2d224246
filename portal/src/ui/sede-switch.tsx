import { NativeSelect } from "@mantine/core";
import { useLocation } from "wouter";
import { useSede } from "../lib/sedes.ts";

/** The pages that show all sedes or one. */
const switched = new Set([
  "/",
  "/ventas",
  "/inventario",
  "/inventario/movimientos",
  "/turnos",
  "/cotizaciones",
  "/documentos",
  "/informes",
]);

/** Which sede a page shows. A business with one has no such switch. */
export function SedeSwitch() {
  const [location] = useLocation();
  const { all, id, choose } = useSede();
  if (all.length < 2 || !switched.has(location)) return null;
  return (
    <NativeSelect
      aria-label="Sede"
      className="sede-switch"
      size="sm"
      mb="sm"
      maw={280}
      data={[{ value: "", label: "Todas las sedes" }, ...all.map(({ id: value, name }) => ({ value, label: name }))]}
      value={id ?? ""}
      onChange={(event) => choose(event.currentTarget.value || undefined)}
    />
  );
}
