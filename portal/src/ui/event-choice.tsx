import { Button, Checkbox, Fieldset, Group, SimpleGrid, Text } from "@mantine/core";
import { allEvents, eventGroups } from "../lib/words.ts";

/** The event types, each with what it means. */
export function EventChoice({ value, onChange }: { value: string[]; onChange: (types: string[]) => void }) {
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Text c="dimmed" size="sm" aria-live="polite">
          {value.length === 0 ? "Elija al menos uno." : `${value.length} de ${allEvents.length} elegidos.`}
        </Text>
        <Group gap={4}>
          <Button size="compact-sm" variant="subtle" onClick={() => onChange(allEvents.map(({ type }) => type))}>
            Todos
          </Button>
          <Button size="compact-sm" variant="subtle" color="gray" c="dimmed" onClick={() => onChange([])}>
            Ninguno
          </Button>
        </Group>
      </Group>
      <Checkbox.Group value={value} onChange={onChange}>
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
          {eventGroups.map(({ title, members }) => (
            <Fieldset key={title} legend={title}>
              {members.map(({ type, title, when }) => (
                <Checkbox
                  key={type}
                  value={type}
                  mb="xs"
                  label={
                    <>
                      {title} <span className="mono">{type}</span>
                    </>
                  }
                  description={when}
                />
              ))}
            </Fieldset>
          ))}
        </SimpleGrid>
      </Checkbox.Group>
    </>
  );
}
