import { Alert, Button, Group, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import type { Answer, Device as Found } from "../lib/answers.ts";
import { get, patch, remove } from "../lib/api.ts";
import { duration, exactMoment } from "../lib/format.ts";
import { client } from "../lib/queries.ts";
import { Ask } from "../ui/ask.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icons.tsx";
import { useNotice } from "../ui/notices.tsx";
import { Empty, Heading, Id, Loading, Section, State, Time, Trouble } from "../ui/parts.tsx";
import { troublesOf, useDevices } from "./devices.tsx";

export default function Device({ id }: { id: string }) {
  const devices = useDevices();
  const tell = useNotice();
  const [dialog, setDialog] = useState<"rename" | "revoke">();
  const back = { to: "/cajas", label: "Cajas" };
  const device = devices.data?.find((one) => one.id === id);
  if (devices.isPending) return <Loading />;
  if (!device) {
    return (
      <>
        <Heading title="Caja" back={back} />
        <Trouble error={devices.error} retry={devices.refetch} />
        {!devices.error && (
          <Empty icon="register" title="Esta caja no existe en la cuenta">
            <Link href="/cajas">Vea las que hay</Link>.
          </Empty>
        )}
      </>
    );
  }
  const troubles = troublesOf(device);
  return (
    <>
      <Heading title={device.name} back={back}>
        {!device.revoked_at && (
          <>
            <Button variant="default" onClick={() => setDialog("rename")}>
              Cambiar el nombre
            </Button>
            <Button color="red.9" variant="outline" c="var(--mantine-color-error)" onClick={() => setDialog("revoke")}>
              Retirar
            </Button>
          </>
        )}
      </Heading>
      {device.is_outdated && !device.revoked_at && (
        <Alert
          color="yellow"
          variant="light"
          mb="md"
          icon={<Icon name="alert" />}
          title="Actualice la aplicación de esta caja"
        >
          Mientras no lo haga, los productos no se pueden editar por la API: responde DEVICES_OUTDATED.
        </Alert>
      )}
      <Section title="Datos">
        <dl className="facts">
          <dt>Estado</dt>
          <dd>
            <Group gap={6}>
              {troubles.length === 0 && <State title="Al día" color="green" />}
              {troubles.map((trouble) => (
                <State key={trouble.title} {...trouble} />
              ))}
            </Group>
          </dd>
          <dt>Versión</dt>
          <dd>{device.app_version ?? "No ha informado"}</dd>
          <dt>Vista por última vez</dt>
          <dd>{device.last_seen_at ? <Time at={device.last_seen_at} relative /> : "Nunca"}</dd>
          <dt>Reloj</dt>
          <dd>{skewWords(device)}</dd>
          <dt>Vinculada</dt>
          <dd>
            <Time at={device.created_at} />
          </dd>
          <dt>Identificador</dt>
          <dd>
            <Id value={id} label="Copiar el identificador" whole />
          </dd>
        </dl>
      </Section>
      <QuarantinedRecords id={id} />
      <FlaggedRecords id={id} />
      <Conflicts id={id} />
      {dialog === "rename" && <Rename device={device} onClose={() => setDialog(undefined)} />}
      {dialog === "revoke" && (
        <Ask
          title="Retirar la caja"
          action="Retirar"
          danger
          run={async () => {
            await remove(`/devices/${id}`);
            tell("Caja retirada.");
            await client.invalidateQueries({ queryKey: ["devices"] });
          }}
          onClose={() => setDialog(undefined)}
        >
          «{device.name}» deja de sincronizar desde este momento. Lo que ya subió se conserva; lo que tenga sin subir
          espera en el equipo hasta que la vincule de nuevo.
        </Ask>
      )}
    </>
  );
}

function skewWords({ skew_ms }: Found): string {
  if (skew_ms === null) return "Todavía no se sabe";
  if (Math.abs(skew_ms) < 60_000) return "En hora";
  return `${skew_ms > 0 ? "Atrasado" : "Adelantado"} ${duration(Math.abs(skew_ms))}`;
}

function Rename({ device, onClose }: { device: Found; onClose: () => void }) {
  const tell = useNotice();
  const [name, setName] = useState(device.name);
  const saving = useMutation({
    mutationFn: () => patch(`/devices/${device.id}`, { name }),
    async onSuccess() {
      tell("Nombre cambiado.");
      await client.invalidateQueries({ queryKey: ["devices"] });
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title="Cambiar el nombre de la caja">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          saving.mutate();
        }}
      >
        <TextInput
          label="Nombre"
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <Trouble error={saving.error} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" loading={saving.isPending}>
            Guardar
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}

function QuarantinedRecords({ id }: { id: string }) {
  const list = useQuery({
    queryKey: ["quarantined", id],
    queryFn: ({ signal }) => get<Answer<"GET /devices/:id/quarantined">>(`/devices/${id}/quarantined`, signal),
    refetchInterval: 10_000,
  });
  return (
    <Section
      title="Registros en cuarentena"
      lead="Llegaron de una forma que no se puede leer. Se guardan tal cual y no detienen a los demás."
    >
      <Trouble error={list.error} />
      {list.isPending && <Loading />}
      {list.data?.data.length === 0 && <Text>Ninguno.</Text>}
      {list.data?.data.map((record) => (
        <details key={record.device_seq} style={{ marginBottom: "0.75rem" }}>
          <summary>
            N.º {record.device_seq} · {record.type ?? "tipo desconocido"} · {exactMoment(record.received_at)}
          </summary>
          <Text size="sm" my={6}>
            {record.reason}
          </Text>
          <pre className="code-block wraps">{record.raw}</pre>
        </details>
      ))}
    </Section>
  );
}

function FlaggedRecords({ id }: { id: string }) {
  const list = useQuery({
    queryKey: ["flagged", id],
    queryFn: ({ signal }) => get<Answer<"GET /devices/:id/flagged">>(`/devices/${id}/flagged`, signal),
    refetchInterval: 10_000,
  });
  return (
    <Section
      title="Registros por revisar"
      lead="Se guardaron, pero algo en ellos no cuadra o no se conoce. Corríjalos en la caja: al subir bien, salen de esta lista."
    >
      <Trouble error={list.error} />
      {list.isPending && <Loading />}
      {list.data?.data.length === 0 && <Text>Ninguno.</Text>}
      {list.data?.data.map((record) => (
        <details key={`${record.type} ${record.record_id}`} style={{ marginBottom: "0.75rem" }}>
          <summary>
            {record.type} · {record.findings[0]?.message} · {exactMoment(record.found_at)}
          </summary>
          <Text size="sm" my={6}>
            <Id value={record.record_id} label="Copiar el identificador del registro" />
          </Text>
          <ul>
            {record.findings.map((finding) => (
              <li key={`${finding.field} ${finding.message}`}>
                <span className="mono">{finding.field}</span>: {finding.message} Llegó{" "}
                <span className="mono">{JSON.stringify(finding.got)}</span>, se esperaba{" "}
                <span className="mono">{JSON.stringify(finding.expected)}</span>.
              </li>
            ))}
          </ul>
        </details>
      ))}
    </Section>
  );
}

function Conflicts({ id }: { id: string }) {
  const list = useQuery({
    queryKey: ["conflicts", id],
    queryFn: ({ signal }) => get<Answer<"GET /devices/:id/conflicts">>(`/devices/${id}/conflicts`, signal),
    refetchInterval: 10_000,
  });
  return (
    <Section
      title="Ediciones que perdieron"
      lead="Cuando dos editan el mismo campo gana la edición más reciente. Aquí queda lo que esta caja quiso escribir."
    >
      <Trouble error={list.error} />
      {list.isPending && <Loading />}
      {list.data?.data.length === 0 && <Text>Ninguna.</Text>}
      {!!list.data?.data.length && (
        <table className="rows" aria-label="Ediciones que perdieron">
          <thead>
            <tr>
              <th>Registro</th>
              <th>Campo</th>
              <th>Quedó</th>
              <th>Se perdió</th>
              <th>Cuándo</th>
            </tr>
          </thead>
          <tbody>
            {list.data.data.map((conflict) => (
              <tr key={conflict.id}>
                <td data-label="">
                  {conflict.type} <Id value={conflict.record_id} label="Copiar el identificador del registro" />
                </td>
                <td data-label="Campo" className="mono">
                  {conflict.field}
                </td>
                <td data-label="Quedó" className="mono">
                  {JSON.stringify(conflict.kept)}
                </td>
                <td data-label="Se perdió" className="mono">
                  {JSON.stringify(conflict.lost)}
                </td>
                <td data-label="Cuándo">
                  <Time at={conflict.found_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
