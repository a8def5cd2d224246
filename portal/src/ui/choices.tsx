import { Button, Checkbox, Fieldset, Group, SimpleGrid, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { rightOfScope } from "../../../src/access/people/scope-rights.ts";
import type { Scope } from "../../../src/engine/resources/scopes.ts";
import { allEvents, eventGroups, scopeGroups } from "../lib/developer-words.ts";
import { useMay, useSession } from "../lib/queries.ts";
import { StateBadge } from "./parts.tsx";

interface ChoiceProps {
  value: string[];
  onChange: (chosen: string[]) => void;
}

/** The event types, each with what it means. */
export function EventChoice({ value, onChange }: ChoiceProps) {
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
      <GroupedCheckboxes
        value={value}
        onChange={onChange}
        groups={eventGroups}
        boxOf={({ type, title, when }) => ({
          value: type,
          label: (
            <>
              {title} <span className="mono">{type}</span>
            </>
          ),
          description: when,
        })}
      />
    </>
  );
}

/** The scopes of a key, each with what it allows. Nobody gives a key what she may not do herself. */
export function ScopeChoice({ value, onChange }: ChoiceProps) {
  const may = useMay();
  const { environment = "live" } = useSession().data ?? {};
  return (
    <GroupedCheckboxes
      value={value}
      onChange={onChange}
      groups={scopeGroups(environment)}
      boxOf={({ scope, title }) => ({
        value: scope,
        disabled: !may(rightOfScope[scope as Scope]),
        label: (
          <>
            {title} {scope.endsWith(":write") && <StateBadge title="Escribe" color="yellow" />}
          </>
        ),
        description: (
          <span className="mono" style={{ fontSize: "1em" }}>
            {scope}
            {!may(rightOfScope[scope as Scope]) && " · no es de su rol"}
          </span>
        ),
      })}
    />
  );
}

function GroupedCheckboxes<T>({
  value,
  onChange,
  groups,
  boxOf,
}: ChoiceProps & {
  groups: { title: string; members: T[] }[];
  boxOf: (member: T) => { value: string; label: ReactNode; description: ReactNode; disabled?: boolean };
}) {
  return (
    <Checkbox.Group value={value} onChange={onChange}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="sm">
        {groups.map(({ title, members }) => (
          <Fieldset key={title} legend={title}>
            {members.map(boxOf).map((box) => (
              <Checkbox key={box.value} mb="xs" {...box} />
            ))}
          </Fieldset>
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  );
}
