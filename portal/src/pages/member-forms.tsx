import { Stack } from "@mantine/core";
import { patch, post } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { type Member, type People, refreshPeople } from "../lib/people-queries.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Fields, FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";
import { type Chosen, RoleFields, sentRole } from "./role-fields.tsx";

const isComplete = ({ location_ids }: Chosen) => location_ids === null || location_ids.length > 0;

/** Invites somebody by mail. */
export function InviteForm({ people, onClose }: { people: People; onClose: () => void }) {
  const notify = useNotify();
  const start: Chosen & { email: string } = { email: "", role: "manager", location_ids: null };
  const form = useForm("POST /people/invitations", {
    draft: "invitation",
    start,
    fieldless: ["role", "location_ids"],
    send: ({ email, ...chosen }) => post("/people/invitations", { email: email.trim(), ...sentRole(chosen) }),
    async onSent() {
      await refreshPeople();
      notify("La invitación va en camino. El enlace sirve 72 horas.");
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title="Invitar a una persona">
      <FormFrame
        form={form}
        action="Enviar la invitación"
        isReady={form.values.email.trim() !== "" && isComplete(form.values)}
        onCancel={onClose}
      >
        <Stack gap="md">
          <Fields
            form={form}
            fields={[
              {
                name: "email",
                label: "Correo",
                type: "email",
                required: true,
                autoComplete: "off",
                description: "Ahí le llega un enlace. Si ya usa Mostrador, entra con su contraseña de siempre.",
                "data-autofocus": true,
              },
            ]}
          />
          <RoleFields people={people} value={form.values} onChange={form.change} />
        </Stack>
      </FormFrame>
    </Dialog>
  );
}

/** Another role, or other sedes, of somebody who is already there. */
export function MemberForm({ people, member, onClose }: { people: People; member: Member; onClose: () => void }) {
  const notify = useNotify();
  const start: Chosen = { role: member.role.id, location_ids: member.location_ids };
  const form = useForm("PATCH /people/:id", {
    draft: `member ${member.id}`,
    start,
    fieldless: ["role", "location_ids"],
    send: (chosen) => patch(`/people/${member.id}`, sentRole(chosen)),
    async onSent() {
      await refreshPeople();
      notify("Cambio guardado. Vale desde ya.");
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={`Rol de ${member.name || member.email}`}>
      <FormFrame form={form} action="Guardar" isReady={isComplete(form.values)} onCancel={onClose}>
        <RoleFields people={people} value={form.values} onChange={form.change} />
      </FormFrame>
    </Dialog>
  );
}
