import { Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { allRights, type Right, rightRooms, rights } from "../../../src/access/people/rights.ts";
import { post, put, remove } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { type People, refreshPeople, type ShownRole } from "../lib/people-queries.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Fields, FormFrame } from "../ui/form.tsx";
import { Section } from "../ui/parts.tsx";

/** What each role may do, and the business's own roles. */
export function Roles({ people }: { people: People }) {
  const [edited, setEdited] = useState<ShownRole | "new">();
  const [deleted, setDeleted] = useState<ShownRole>();
  return (
    <Section
      title="Roles"
      lead="Lo que puede hacer cada quien. Si ninguno le sirve, arme uno propio con los mismos derechos."
      aside={
        <Button variant="default" onClick={() => setEdited("new")}>
          Armar un rol
        </Button>
      }
    >
      <table className="rows" aria-label="Roles">
        <thead>
          <tr>
            <th>Rol</th>
            <th>Qué puede</th>
            <th aria-label="Acciones" />
          </tr>
        </thead>
        <tbody>
          {people.roles.map((role) => (
            <tr key={role.id}>
              <td data-label="">{role.title}</td>
              <td data-label="Puede">{role.covers ?? wordsOf(role)}</td>
              <td data-label="">
                {role.kind === "custom" && (
                  <Group gap="xs" justify="flex-end">
                    <Button size="compact-sm" variant="default" onClick={() => setEdited(role)}>
                      Editar
                    </Button>
                    <Button size="compact-sm" variant="default" color="red" onClick={() => setDeleted(role)}>
                      Eliminar
                    </Button>
                  </Group>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {edited && <RoleForm role={edited === "new" ? undefined : edited} onClose={() => setEdited(undefined)} />}
      {deleted && (
        <ConfirmDialog
          title={`Eliminar el rol ${deleted.title}`}
          action="Eliminar"
          danger
          run={() => remove(`/roles/${deleted.id}`).then(refreshPeople)}
          onClose={() => setDeleted(undefined)}
        >
          <Text>Solo se elimina si nadie lo tiene.</Text>
        </ConfirmDialog>
      )}
    </Section>
  );
}

function wordsOf({ rights: held }: ShownRole): string {
  const words = held.map((right) => rights[right].words).join(", ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

function RoleForm({ role, onClose }: { role: ShownRole | undefined; onClose: () => void }) {
  const start: { name: string; rights: Right[] } = { name: role?.title ?? "", rights: role?.rights ?? [] };
  const form = useForm("POST /roles", {
    draft: `role ${role?.id ?? "nuevo"}`,
    start,
    fieldless: ["rights"],
    send({ name, rights }) {
      const values = { name: name.trim(), rights };
      return role ? put(`/roles/${role.id}`, values) : post("/roles", values);
    },
    async onSent() {
      await refreshPeople();
      onClose();
    },
  });
  const { name, rights: chosen } = form.values;
  return (
    <Dialog onClose={onClose} title={role ? `Editar el rol ${role.title}` : "Armar un rol"} size="lg">
      <FormFrame form={form} action="Guardar" isReady={name.trim() !== "" && chosen.length > 0} onCancel={onClose}>
        <Stack gap="md">
          <Fields
            form={form}
            fields={[
              { name: "name", label: "Nombre", required: true, placeholder: "Bodeguero", "data-autofocus": true },
            ]}
          />
          <Checkbox.Group value={chosen} onChange={(value) => form.change({ rights: value as Right[] })}>
            <Stack gap="lg">
              {rightRooms.map((room) => (
                <fieldset key={room} className="plain">
                  <legend>{room}</legend>
                  <Stack gap="xs">
                    {allRights
                      .filter((right) => rights[right].room === room)
                      .map((right) => (
                        <Checkbox
                          key={right}
                          value={right}
                          label={capitalized(rights[right].words)}
                          description={rights[right].covers}
                        />
                      ))}
                  </Stack>
                </fieldset>
              ))}
            </Stack>
          </Checkbox.Group>
        </Stack>
      </FormFrame>
    </Dialog>
  );
}

const capitalized = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
