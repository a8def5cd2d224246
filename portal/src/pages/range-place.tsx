import { MultiSelect, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Answer, NumberingRange } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { useSedeChoices } from "../lib/sedes.ts";
import { useAllWarehouses } from "../lib/stock-queries.ts";

/** Whom a range serves, as it is sent: one register, the registers of a warehouse or of a sede, or all. */
export interface ChosenPlace {
  register_id: string | null;
  location_id: string | null;
  warehouse_id: string | null;
  registers: string[];
}

export function placeOf(range: NumberingRange | undefined): ChosenPlace {
  return {
    register_id: range?.register_id ?? null,
    location_id: range?.location_id ?? null,
    warehouse_id: range?.warehouse_id ?? null,
    registers: range?.registers ?? [],
  };
}

const everywhere = "todas";

/** A business with one register, or none, has nothing to choose. */
export function RangePlace({
  place,
  onPlace,
  error,
}: {
  place: ChosenPlace;
  onPlace: (place: ChosenPlace) => void;
  error: string | undefined;
}) {
  const devices = useQuery({
    queryKey: ["devices"],
    queryFn: ({ signal }) => get<Answer<"GET /devices">>("/devices", signal),
    select: (list) => list.data.filter(({ revoked_at }) => revoked_at === null),
  }).data;
  const warehouses = useAllWarehouses().data?.filter(({ active, id }) => active || id === place.warehouse_id);
  const sedes = useSedeChoices();
  if (!devices?.length && sedes.length === 0) return null;
  const registers = (devices ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const value = place.register_id ?? place.location_id ?? place.warehouse_id ?? everywhere;
  return (
    <>
      <Select
        label="Quién lo usa"
        description={
          sedes.length > 0
            ? "Un rango propio de una caja, de una bodega o de una sede se usa antes que los de todas."
            : "Un rango propio de una caja o de una bodega se usa antes que los de todas."
        }
        allowDeselect={false}
        data={[
          { value: everywhere, label: "Todas las cajas" },
          { group: "Las cajas de una sede", items: sedes },
          { group: "Una caja", items: registers },
          {
            group: "Las cajas de una bodega",
            items: (warehouses ?? []).map(({ id, name }) => ({ value: id, label: name })),
          },
        ]}
        value={value}
        error={place.warehouse_id ? undefined : error}
        onChange={(id) =>
          onPlace({
            register_id: devices?.some((one) => one.id === id) ? id : null,
            location_id: sedes.some(({ value: one }) => one === id) ? id : null,
            warehouse_id: warehouses?.some((one) => one.id === id) ? id : null,
            registers: id === place.warehouse_id ? place.registers : [],
          })
        }
      />
      {place.warehouse_id && (
        <MultiSelect
          label="Cajas de esa bodega"
          required
          data={registers}
          value={place.registers}
          error={error}
          onChange={(chosen) => onPlace({ ...place, registers: chosen })}
        />
      )}
    </>
  );
}
