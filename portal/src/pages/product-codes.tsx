import { ActionIcon, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { type KeyboardEvent, useState } from "react";
import { Icon } from "../ui/icons.tsx";
import { NumberField } from "../ui/number-field.tsx";
import { Section } from "../ui/parts.tsx";
import type { CodeValues } from "./product-values.ts";

const most = 20;

/** A product's other codes and its packs. A scanner types into the field and presses Enter: that adds the code and saves nothing. */
export function ProductCodes({
  codes,
  onChange,
  sku,
  error,
}: {
  codes: readonly CodeValues[];
  onChange: (codes: CodeValues[]) => void;
  sku: string;
  error: string | undefined;
}) {
  const [typed, setTyped] = useState("");
  const code = typed.trim().normalize("NFC");
  const isKnown = code !== "" && (code === sku.trim() || codes.some((one) => one.code === code));
  function add(): void {
    if (code === "" || isKnown || codes.length >= most) return;
    onChange([...codes, { code, units: 1, name: "", price: "", variant_id: null }]);
    setTyped("");
  }
  function press(event: KeyboardEvent): void {
    if (event.key !== "Enter") return;
    event.preventDefault();
    add();
  }
  const change = (at: number, part: Partial<CodeValues>) =>
    onChange(codes.map((one, i) => (i === at ? { ...one, ...part } : one)));
  return (
    <Section
      title="Otros códigos y presentaciones"
      lead="El mismo producto con otro código, o una caja de varias unidades. La caja los encuentra todos."
    >
      <Stack gap="sm">
        {codes.map((one, at) => (
          <CodeRow
            key={one.code}
            value={one}
            onChange={(part) => change(at, part)}
            onRemove={() => onChange(codes.filter((_, i) => i !== at))}
          />
        ))}
        <Group align="flex-end" gap="sm">
          <TextInput
            label="Agregar un código"
            description="Escanéelo, o escríbalo y presione Enter."
            inputWrapperOrder={["label", "input", "description", "error"]}
            maxLength={48}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={press}
            error={isKnown ? "Este producto ya tiene ese código." : error}
            disabled={codes.length >= most}
            style={{ flex: 1 }}
          />
          <Button variant="default" onClick={add} disabled={code === "" || isKnown || codes.length >= most} mb={22}>
            Agregar
          </Button>
        </Group>
        {codes.length >= most && <Text size="sm">Un producto tiene como máximo {most} códigos más.</Text>}
      </Stack>
    </Section>
  );
}

function CodeRow(props: { value: CodeValues; onChange: (part: Partial<CodeValues>) => void; onRemove: () => void }) {
  const { value, onChange, onRemove } = props;
  const { code, units, name, price } = value;
  // Enter in one of these is a scan or a habit; only the button saves.
  const stay = (event: KeyboardEvent) => {
    if (event.key === "Enter") event.preventDefault();
  };
  return (
    <Group align="flex-end" gap="sm" role="group" aria-label={`Código ${code}`}>
      <Text style={{ flex: "1 1 10rem", overflowWrap: "anywhere" }}>{code}</Text>
      <NumberField
        label="Unidades"
        w={110}
        min={1}
        max={10_000}
        value={units}
        onChange={(next) => onChange({ units: next })}
        onKeyDown={stay}
      />
      <TextInput
        label="Nombre (opcional)"
        w={180}
        maxLength={60}
        placeholder={typeof units === "number" && units > 1 ? `Caja x${units}` : "Unidad"}
        value={name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        onKeyDown={stay}
      />
      <NumberField
        label="Precio propio (opcional)"
        w={180}
        prefix="$ "
        min={0}
        max={999_999_999_999}
        value={price}
        onChange={(next) => onChange({ price: next })}
        onKeyDown={stay}
      />
      <ActionIcon variant="subtle" size="lg" aria-label={`Quitar el código ${code}`} onClick={onRemove}>
        <Icon name="close" />
      </ActionIcon>
    </Group>
  );
}
