import { Button, Group } from "@mantine/core";
import { plural } from "../lib/format.ts";
import { Section } from "../ui/parts.tsx";

export type ZeroTax = "excluded" | "exempt";

const choices: { value: ZeroTax; label: string }[] = [
  { value: "excluded", label: "Son excluidos" },
  { value: "exempt", label: "Son exentos" },
];

/** An IVA of 0 may be either class, and only the owner knows which: asked once for all rows of the file. */
export function ImportZeroTax(props: {
  rows: number;
  value: ZeroTax | undefined;
  isReading: boolean;
  onChoose: (value: ZeroTax) => void;
}) {
  const { rows, value, isReading, onChoose } = props;
  return (
    <Section
      title={`IVA 0 en ${plural(rows, "fila", "filas")}: ¿Excluido o Exento?`}
      lead="Para la DIAN no es lo mismo. Lo que elija vale para todas esas filas; si hay de ambas clases, escriba «Excluido» o «Exento» en el archivo."
    >
      <Group role="group" aria-label="Qué es el IVA 0">
        {choices.map(({ value: one, label }) => (
          <Button
            key={one}
            variant={one === value ? "filled" : "default"}
            aria-pressed={one === value}
            disabled={isReading}
            onClick={() => onChoose(one)}
          >
            {label}
          </Button>
        ))}
      </Group>
    </Section>
  );
}
