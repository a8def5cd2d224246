import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { useToday } from "../lib/queries.ts";
import { Section } from "../ui/parts.tsx";

/** The Z and the journal of any day. */
export function DayClose() {
  const today = useToday();
  const [date = today, setDate] = useState<string>();
  const path = `/portal/api/days/${date}`;
  return (
    <Section
      title="Cierre del día"
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
            <Button component="a" href={`${path}/z.pdf`} target="_blank" rel="noreferrer" variant="default">
              Informe Z en PDF
            </Button>
            <Button component="a" href={`${path}/z.pdf?width=80`} target="_blank" rel="noreferrer" variant="default">
              Z para 80 mm
            </Button>
            <Button component="a" href={`${path}/journal.csv`} variant="default">
              Diario contable en CSV
            </Button>
          </>
        )}
      </Group>
    </Section>
  );
}
