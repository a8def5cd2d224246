import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { query } from "../lib/api.ts";
import { useToday } from "../lib/queries.ts";
import { useSede } from "../lib/sedes.ts";
import { fileAddress } from "../lib/shown-business.ts";
import { Section } from "../ui/parts.tsx";

/** The Z and the journal of any day. */
export function DayClose() {
  const today = useToday();
  const [date = today, setDate] = useState<string>();
  const { id: location_id, all } = useSede();
  const path = `/days/${date}`;
  const here = all.find(({ id }) => id === location_id);
  return (
    <Section
      title={here ? `Cierre del día de ${here.name}` : "Cierre del día"}
      lead="El informe Z reúne documentos, ventas por tarifa, medios de pago y devoluciones; el diario los lleva a sus cuentas."
    >
      <Group align="flex-end" gap="sm">
        <TextInput
          label="Día"
          type="date"
          required
          value={date}
          onChange={(event) => setDate(event.currentTarget.value)}
        />
        {date !== "" && (
          <>
            <Button
              component="a"
              href={fileAddress(`${path}/z.pdf${query({ location_id })}`)}
              target="_blank"
              rel="noreferrer"
              variant="default"
            >
              Informe Z en PDF
            </Button>
            <Button
              component="a"
              href={fileAddress(`${path}/z.pdf${query({ width: "80", location_id })}`)}
              target="_blank"
              rel="noreferrer"
              variant="default"
            >
              Z para 80 mm
            </Button>
            <Button component="a" href={fileAddress(`${path}/journal.csv${query({ location_id })}`)} variant="default">
              Diario contable en CSV
            </Button>
          </>
        )}
      </Group>
    </Section>
  );
}
