import { Alert, Button, Group, Menu, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { Link, useLocation } from "wouter";
import type { Answer, Endpoint, RequestedConfirmation, Result } from "../lib/answers.ts";
import { get, patch, post, remove } from "../lib/api.ts";
import { moment, plural } from "../lib/format.ts";
import { client, refreshMs } from "../lib/queries.ts";
import { endpointStates, eventTitle } from "../lib/words.ts";
import { Ask } from "../ui/ask.tsx";
import { ConfirmCode } from "../ui/confirm-code.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { EventChoice } from "../ui/event-choice.tsx";
import { Icon } from "../ui/icons.tsx";
import { useNotice } from "../ui/notices.tsx";
import { Heading, Id, Loading, Section, State, Time, Trouble } from "../ui/parts.tsx";
import { ShownOnce } from "../ui/secret.tsx";
import { RecentDeliveries } from "./recent-deliveries.tsx";

const EndpointFigures = lazy(() => import("./endpoint-figures.tsx"));

type Errand = "edit" | "delete" | "rotate" | "pause" | "reactivate";

export default function Webhook({ id }: { id: string }) {
  const [, navigate] = useLocation();
  const tell = useNotice();
  const [dialog, setDialog] = useState<Errand>();
  const [secret, setSecret] = useState<string>();
  const path = `/webhook-endpoints/${id}`;
  const endpoint = useQuery({
    queryKey: ["endpoint", id],
    queryFn: ({ signal }) => get<Endpoint>(path, signal),
    refetchInterval: refreshMs,
  });
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ["endpoint", id] }),
      client.invalidateQueries({ queryKey: ["endpoints"] }),
      client.invalidateQueries({ queryKey: ["list", `${path}/deliveries`] }),
    ]);
  const change = async (step: "pause" | "resume" | "reactivate", told: string) => {
    await post(`${path}/${step}`);
    tell(told);
    await refresh();
  };
  const testing = useMutation({
    mutationFn: () => post<Answer<"POST /webhook-endpoints/:id/test">>(`${path}/test`),
    onSuccess: () => {
      tell("El evento de prueba va en camino. Su resultado aparece abajo.");
      return refresh();
    },
  });
  const resuming = useMutation({ mutationFn: () => change("resume", "Webhook reanudado.") });
  const rotating = useMutation({ mutationFn: () => post<RequestedConfirmation>(`${path}/rotate-secret`) });

  if (endpoint.isPending) return <Loading />;
  if (!endpoint.data) {
    return (
      <>
        <Heading title="Webhook" back={{ to: "/webhooks", label: "Webhooks" }} />
        <Trouble error={endpoint.error} />
      </>
    );
  }
  const { url, status, event_types, created_at, failing_since, consecutive_failures, secret_overlap_until } =
    endpoint.data;
  return (
    <>
      <Heading title={url.replace(/^https:\/\//, "")} back={{ to: "/webhooks", label: "Webhooks" }}>
        <Button onClick={() => testing.mutate()} loading={testing.isPending}>
          Enviar evento de prueba
        </Button>
        {status === "active" && (
          <Button variant="default" onClick={() => setDialog("pause")}>
            Pausar
          </Button>
        )}
        {status === "paused" && (
          <Button variant="default" onClick={() => resuming.mutate()} loading={resuming.isPending}>
            Reanudar
          </Button>
        )}
        {status === "deactivated" && (
          <Button variant="default" onClick={() => setDialog("reactivate")}>
            Reactivar
          </Button>
        )}
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <Button variant="default">Más</Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setDialog("edit")}>Editar</Menu.Item>
            <Menu.Item onClick={() => setDialog("rotate")}>Rotar el secreto</Menu.Item>
            <Menu.Item c="var(--mantine-color-error)" onClick={() => setDialog("delete")}>
              Eliminar
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Heading>
      <Trouble error={testing.error ?? resuming.error} />
      {failing_since && status === "active" && (
        <Alert color="red" variant="light" mb="md" icon={<Icon name="alert" />} title="Las entregas están fallando">
          Desde el {moment(failing_since)} van{" "}
          {plural(consecutive_failures, "intento fallido seguido", "intentos fallidos seguidos")}. Con 20 seguidos
          durante más de 24 horas se desactiva. Vea abajo la causa de cada uno.
        </Alert>
      )}
      {status === "deactivated" && (
        <Alert
          color="red"
          variant="light"
          mb="md"
          icon={<Icon name="alert" />}
          title="Desactivado por fallos continuos"
        >
          Corrija su servidor, envíe un evento de prueba y reactívelo. Lo ocurrido mientras tanto no se reenvía: léalo
          con GET /events.
        </Alert>
      )}
      {secret_overlap_until && (
        <Alert color="blue" variant="light" mb="md" title="Rotación del secreto en curso">
          Hasta el <strong>{moment(secret_overlap_until)}</strong> cada entrega lleva dos firmas: la del secreto nuevo y
          la del anterior. Después solo firma el nuevo.
        </Alert>
      )}
      <Section title="Datos">
        <dl className="facts">
          <dt>Dirección</dt>
          <dd className="mono">{url}</dd>
          <dt>Estado</dt>
          <dd>
            <State {...endpointStates[status]} />
          </dd>
          <dt>Eventos</dt>
          <dd>
            <Group gap={6}>
              {event_types.map((type) => (
                <span key={type} title={type}>
                  <State title={eventTitle(type)} color="gray" />
                </span>
              ))}
            </Group>
          </dd>
          <dt>Secreto</dt>
          <dd>
            <Text span c="dimmed">
              Se mostró una vez.{" "}
            </Text>
            <Button size="compact-sm" variant="subtle" onClick={() => setDialog("rotate")}>
              Rotar
            </Button>
          </dd>
          <dt>Agregado</dt>
          <dd>
            <Time at={created_at} />
          </dd>
          <dt>Identificador</dt>
          <dd>
            <Id value={id} label="Copiar el identificador" whole />
          </dd>
        </dl>
      </Section>
      <Suspense fallback={<Loading />}>
        <EndpointFigures id={id} />
      </Suspense>
      <Section title="Últimas entregas" aside={<Link href={`/entregas?endpoint=${id}`}>Ver todas</Link>}>
        <RecentDeliveries endpointId={id} />
      </Section>

      {dialog === "edit" && <Edit endpoint={endpoint.data} onClose={() => setDialog(undefined)} onChanged={refresh} />}
      {dialog === "pause" && (
        <Ask
          title="Pausar el webhook"
          action="Pausar"
          run={() => change("pause", "Webhook en pausa.")}
          onClose={() => setDialog(undefined)}
        >
          Lo que ya está pendiente espera y se envía al reanudar. Los eventos que ocurran durante la pausa no se envían:
          quedan en Eventos.
        </Ask>
      )}
      {dialog === "reactivate" && (
        <Ask
          title="Reactivar el webhook"
          action="Reactivar"
          run={() => change("reactivate", "Webhook reactivado.")}
          onClose={() => setDialog(undefined)}
        >
          Recibirá los eventos desde ahora. Los del tiempo que estuvo inactivo no se reenvían.
        </Ask>
      )}
      {dialog === "delete" && (
        <Ask
          title="Eliminar el webhook"
          action="Eliminar"
          danger
          run={async () => {
            await remove(path);
            tell("Webhook eliminado.");
            client.removeQueries({ queryKey: ["endpoint", id] });
            await client.invalidateQueries({ queryKey: ["endpoints"] });
            navigate("/webhooks");
          }}
          onClose={() => setDialog(undefined)}
        >
          <span className="mono">{url}</span> deja de recibir eventos y sus entregas pendientes se descartan. No se
          puede deshacer.
        </Ask>
      )}
      {dialog === "rotate" && !rotating.data && (
        <Ask
          title="Rotar el secreto"
          action="Enviar el código"
          run={() => rotating.mutateAsync()}
          onClose={() => !rotating.data && setDialog(undefined)}
        >
          Se crea un secreto nuevo. Durante 24 horas las entregas llevan las dos firmas, para que cambie el secreto en
          su servidor sin perder ninguna.
        </Ask>
      )}
      {rotating.data && !secret && (
        <ConfirmCode<Result<"webhook_endpoint.rotate_secret">>
          confirmation={rotating.data}
          action="rotar el secreto de este webhook"
          detail={url}
          onDone={(outcome) => {
            setSecret(outcome.secret);
            void refresh();
          }}
          onClose={() => {
            rotating.reset();
            setDialog(undefined);
          }}
        />
      )}
      {secret && (
        <ShownOnce
          title="Secreto rotado"
          label="Secreto nuevo"
          value={secret}
          onClose={() => {
            setSecret(undefined);
            rotating.reset();
            setDialog(undefined);
          }}
        />
      )}
    </>
  );
}

function Edit({
  endpoint,
  onClose,
  onChanged,
}: {
  endpoint: Endpoint;
  onClose: () => void;
  onChanged: () => Promise<unknown>;
}) {
  const tell = useNotice();
  const [url, setUrl] = useState(endpoint.url);
  const [types, setTypes] = useState(endpoint.event_types);
  const saving = useMutation({
    mutationFn: () =>
      patch<Answer<"PATCH /webhook-endpoints/:id">>(`/webhook-endpoints/${endpoint.id}`, {
        ...(url !== endpoint.url && { url }),
        event_types: types,
      }),
    async onSuccess(answer) {
      if ("confirmation_id" in answer) return;
      tell("Webhook actualizado.");
      await onChanged();
      onClose();
    },
  });
  const asked = saving.data && "confirmation_id" in saving.data ? saving.data : undefined;
  if (asked) {
    return (
      <ConfirmCode
        confirmation={asked}
        action="cambiar la dirección de este webhook"
        detail={url}
        onDone={() => {
          tell("La dirección cambió.");
          void onChanged();
          onClose();
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog onClose={onClose} title="Editar el webhook" size="xl">
      <TextInput
        label="URL de su servidor"
        description="Si la cambia, le pediremos un código y rige desde que lo confirme."
        type="url"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        mb="md"
      />
      <EventChoice value={types} onChange={setTypes} />
      <Trouble error={saving.error} />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Cancelar
        </Button>
        <Button disabled={types.length === 0} loading={saving.isPending} onClick={() => saving.mutate()}>
          Guardar
        </Button>
      </Group>
    </Dialog>
  );
}
