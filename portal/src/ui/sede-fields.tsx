import { Checkbox, Stack, Text } from "@mantine/core";

/** Some sedes, or all of them with those to come. */
export function SedeFields({
  sedes,
  value,
  onChange,
  label = "Sus sedes",
  canAll = true,
}: {
  sedes: readonly { id: string; name: string }[];
  value: string[] | null;
  onChange: (ids: string[] | null) => void;
  label?: string;
  /** Whether it is hers to give all of them. */
  canAll?: boolean;
}) {
  return (
    <>
      {canAll && (
        <Checkbox
          label="Todas las sedes, también las que vengan"
          checked={value === null}
          onChange={(event) => onChange(event.currentTarget.checked ? null : sedes.map(({ id }) => id))}
        />
      )}
      {value !== null && (
        <Checkbox.Group label={label} value={value} onChange={onChange}>
          <Stack gap="xs" mt="xs">
            {sedes.map(({ id, name }) => (
              <Checkbox key={id} value={id} label={name} />
            ))}
          </Stack>
          {value.length === 0 && (
            <Text size="sm" c="red" mt="xs">
              Escoja al menos una.
            </Text>
          )}
        </Checkbox.Group>
      )}
    </>
  );
}
