import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { remove } from "../lib/api.ts";
import {
  hasSedes,
  type Invitation,
  type Member,
  type People,
  refreshPeople,
  sedesText,
  usePeople,
} from "../lib/people-queries.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { ErrorMessage, Heading, Loading, Section, StateBadge, Time } from "../ui/parts.tsx";
import { InviteForm, MemberForm } from "./member-forms.tsx";
import { Roles } from "./own-roles.tsx";

/** Who enters the portal of this business, and as what. */
export default function PeoplePage() {
  const people = usePeople();
  const [isInviting, setInviting] = useState(false);
  return (
    <>
      <Heading
        title="Personas"
        lead="Quién entra a este portal y qué puede hacer. En Mostrador se le da un PIN a quien además atiende una caja."
      >
        <Button disabled={!people.data} onClick={() => setInviting(true)}>
          Invitar
        </Button>
      </Heading>
      <ErrorMessage error={people.error} retry={people.refetch} />
      {people.isPending && <Loading />}
      {people.data && (
        <>
          <Members people={people.data} />
          {people.data.invitations.length > 0 && <Invitations people={people.data} />}
          <Roles people={people.data} />
          {isInviting && <InviteForm people={people.data} onClose={() => setInviting(false)} />}
        </>
      )}
    </>
  );
}

function Members({ people }: { people: People }) {
  const [changed, setChanged] = useState<Member>();
  const [removed, setRemoved] = useState<Member>();
  return (
    <Section title="En el negocio">
      <table className="rows" aria-label="Personas del negocio">
        <thead>
          <tr>
            <th>Persona</th>
            <th>Rol</th>
            {hasSedes(people) && <th>Sedes</th>}
            <th>Entró</th>
            <th aria-label="Acciones" />
          </tr>
        </thead>
        <tbody>
          {people.data.map((member) => (
            <tr key={member.id}>
              <td data-label="">
                <PersonName {...member} /> {member.is_you && <StateBadge title="Usted" color="green" />}
              </td>
              <td data-label="Rol">
                {member.role.title}
                {member.is_cashier && (
                  <Text size="sm" c="dimmed">
                    Atiende en la caja
                  </Text>
                )}
              </td>
              {hasSedes(people) && <td data-label="Sedes">{sedesText(people, member.location_ids)}</td>}
              <td data-label="Entró">{member.signed_in_at ? <Time at={member.signed_in_at} relative /> : "–"}</td>
              <td data-label="">
                <Group gap="xs" justify="flex-end" wrap="nowrap">
                  <Button size="compact-sm" variant="default" onClick={() => setChanged(member)}>
                    Cambiar el rol
                  </Button>
                  <Button size="compact-sm" variant="default" color="red" onClick={() => setRemoved(member)}>
                    Retirar
                  </Button>
                </Group>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {changed && <MemberForm people={people} member={changed} onClose={() => setChanged(undefined)} />}
      {removed && (
        <ConfirmDialog
          title={`Retirar a ${removed.name || removed.email}`}
          action="Retirar"
          danger
          run={() => remove(`/people/${removed.id}`).then(refreshPeople)}
          onClose={() => setRemoved(undefined)}
        >
          <Text>
            Sus sesiones se cierran de inmediato{removed.is_cashier && ", y su PIN deja de servir en las cajas"}. Lo que
            hizo sigue a su nombre en el registro de seguridad.
          </Text>
        </ConfirmDialog>
      )}
    </Section>
  );
}

function PersonName({ name, email }: { name: string; email: string }) {
  if (name === "") return <span style={{ overflowWrap: "anywhere" }}>{email}</span>;
  return (
    <>
      {name}
      <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
        {email}
      </Text>
    </>
  );
}

function Invitations({ people }: { people: People }) {
  const [withdrawn, setWithdrawn] = useState<Invitation>();
  return (
    <Section
      title="Invitaciones abiertas"
      lead="Si el correo no llegó, invite otra vez a la misma dirección: el enlace anterior deja de servir."
    >
      <table className="rows" aria-label="Invitaciones abiertas">
        <thead>
          <tr>
            <th>Correo</th>
            <th>Rol</th>
            {hasSedes(people) && <th>Sedes</th>}
            <th>Vence</th>
            <th aria-label="Acciones" />
          </tr>
        </thead>
        <tbody>
          {people.invitations.map((invitation) => (
            <tr key={invitation.id}>
              <td data-label="" style={{ overflowWrap: "anywhere" }}>
                {invitation.email}
              </td>
              <td data-label="Rol">{invitation.role.title}</td>
              {hasSedes(people) && <td data-label="Sedes">{sedesText(people, invitation.location_ids)}</td>}
              <td data-label="Vence">
                <Time at={invitation.expires_at} />
              </td>
              <td data-label="" className="end">
                <Button size="compact-sm" variant="default" color="red" onClick={() => setWithdrawn(invitation)}>
                  Retirar la invitación
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {withdrawn && (
        <ConfirmDialog
          title={`Retirar la invitación de ${withdrawn.email}`}
          action="Retirar"
          danger
          run={() => remove(`/people/invitations/${withdrawn.id}`).then(refreshPeople)}
          onClose={() => setWithdrawn(undefined)}
        >
          <Text>El enlace que recibió deja de servir.</Text>
        </ConfirmDialog>
      )}
    </Section>
  );
}
