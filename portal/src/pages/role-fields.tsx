import { Radio, Stack } from "@mantine/core";
import { hasSedes, type People, type ShownRole } from "../lib/people-queries.ts";
import { SedeFields } from "../ui/sede-fields.tsx";

export interface Chosen {
  role: string;
  location_ids: string[] | null;
}

/** Which role, and for which sedes where there are several. */
export function RoleFields({
  people,
  value,
  onChange,
}: {
  people: People;
  value: Chosen;
  onChange: (part: Partial<Chosen>) => void;
}) {
  return (
    <Stack gap="md">
      <Radio.Group label="Rol" value={value.role} onChange={(role) => onChange({ role })}>
        <Stack gap="xs" mt="xs">
          {people.roles.map((role) => (
            <Radio key={role.id} value={role.id} label={role.title} description={roleText(role)} />
          ))}
        </Stack>
      </Radio.Group>
      {hasSedes(people) && value.role !== "owner" && (
        <SedeFields
          sedes={people.sedes}
          value={value.location_ids}
          onChange={(location_ids) => onChange({ location_ids })}
        />
      )}
    </Stack>
  );
}

export const roleText = ({ covers, rights }: ShownRole): string =>
  covers ?? `${rights.length} ${rights.length === 1 ? "derecho" : "derechos"} de la lista.`;

/** Whoever may do everything sees every sede: no list goes with that role. */
export const sentRole = ({ role, location_ids }: Chosen): Chosen => ({
  role,
  location_ids: role === "owner" ? null : location_ids,
});
