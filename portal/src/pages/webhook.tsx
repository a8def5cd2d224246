import { Alert, Button, Group, Menu, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { Link } from "wouter";
import type { Endpoint } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { eventTitle } from "../lib/developer-words.ts";
import { moment, plural } from "../lib/format.ts";
import { refreshMs } from "../lib/queries.ts";
import { endpointName, endpointStates, failureTitle } from "../lib/words.ts";
import { Icon } from "../ui/icons.tsx";
import { ErrorMessage, Heading, Id, Loading, Section, StateBadge, Time } from "../ui/parts.tsx";
import { RecentDeliveries } from "./recent-deliveries.tsx";
import { Recover } from "./recover.tsx";
import { SendExample } from "./send-example.tsx";
import { TestResult } from "./test-result.tsx";
import { useEndpointChanges } from "./webhook-changes.ts";
import { type DialogName, EndpointDialog } from "./webhook-dialogs.tsx";
import { SendingFacts } from "./webhook-sending.tsx";

const EndpointFigures = lazy(() => import("./endpoint-figures.tsx"));

const back = { to: "/webhooks", label: "Webhooks" };

export default function Webhook({ id }: { id: string }) {
  const [dialog, setDialog] = useState<DialogName | "example" | "recover">();
  const [testId, setTestId] = useState<string>();
  const endpoint = useQuery({
    queryKey: ["endpoint", id],
    queryFn: ({ signal }) => get<Endpoint>(`/webhook-endpoints/${id}`, signal),
    refetchInterval: refreshMs,
  });
  if (endpoint.isPending) return <Loading />;
  if (!endpoint.data) {
    return (
      <>
        <Heading title="Webhook" back={back} />
        <ErrorMessage error={endpoint.error} />
      </>
    );
  }
  return (
    <>
      <Header endpoint={endpoint.data} onOpen={setDialog} onTested={setTestId} />
      {testId && <TestResult key={testId} deliveryId={testId} />}
      <Warnings endpoint={endpoint.data} />
      <Facts endpoint={endpoint.data} onRotate={() => setDialog("rotate")} />
      <Suspense fallback={<Loading />}>
        <EndpointFigures id={id} />
      </Suspense>
      <Section title="Últimas entregas" aside={<Link href={`/entregas?endpoint=${id}`}>Ver todas</Link>}>
        <RecentDeliveries endpointId={id} />
      </Section>
      {dialog === "example" && (
        <SendExample endpoint={endpoint.data} onSent={setTestId} onClose={() => setDialog(undefined)} />
      )}
      {dialog === "recover" && (
        <Recover
          endpointId={id}
          {...(endpoint.data.failing_since && { since: endpoint.data.failing_since })}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog && dialog !== "example" && dialog !== "recover" && (
        <EndpointDialog name={dialog} endpoint={endpoint.data} onClose={() => setDialog(undefined)} />
      )}
    </>
  );
}

function Header({
  endpoint,
  onOpen,
  onTested,
}: {
  endpoint: Endpoint;
  onOpen: (name: DialogName | "example" | "recover") => void;
  onTested: (deliveryId: string) => void;
}) {
  const { id, url, status, name } = endpoint;
  const { setStatus, sendTest } = useEndpointChanges(id);
  const testing = useMutation({ mutationFn: sendTest, onSuccess: onTested });
  const resuming = useMutation({ mutationFn: () => setStatus("resume", "Webhook reanudado.") });
  return (
    <>
      <Heading title={endpointName(endpoint)} lead={name && <span className="mono">{url}</span>} back={back}>
        <Button onClick={() => testing.mutate()} loading={testing.isPending}>
          Enviar evento de prueba
        </Button>
        {status === "active" && (
          <Button variant="default" onClick={() => onOpen("pause")}>
            Pausar
          </Button>
        )}
        {status === "paused" && (
          <Button variant="default" onClick={() => resuming.mutate()} loading={resuming.isPending}>
            Reanudar
          </Button>
        )}
        {status === "deactivated" && (
          <Button variant="default" onClick={() => onOpen("reactivate")}>
            Reactivar
          </Button>
        )}
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <Button variant="default">Más</Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => onOpen("edit")}>Editar</Menu.Item>
            <Menu.Item onClick={() => onOpen("sending")}>Cabeceras, ritmo y filtros</Menu.Item>
            <Menu.Item onClick={() => onOpen("example")}>Enviar un ejemplo…</Menu.Item>
            <Menu.Item onClick={() => onOpen("recover")}>Recuperar desde…</Menu.Item>
            <Menu.Item onClick={() => onOpen("rotate")}>Rotar el secreto</Menu.Item>
            <Menu.Item c="var(--mantine-color-error)" onClick={() => onOpen("delete")}>
              Eliminar
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </Heading>
      <ErrorMessage error={testing.error ?? resuming.error} />
    </>
  );
}

function Warnings({ endpoint }: { endpoint: Endpoint }) {
  const { status, failing_since, consecutive_failures, secret_overlap_until } = endpoint;
  return (
    <>
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
    </>
  );
}

function Facts({ endpoint, onRotate }: { endpoint: Endpoint; onRotate: () => void }) {
  const { id, url, status, event_types, created_at, last_failure } = endpoint;
  return (
    <Section title="Datos">
      <dl className="facts">
        <dt>Dirección</dt>
        <dd className="mono">{url}</dd>
        <dt>Estado</dt>
        <dd>
          <StateBadge {...endpointStates[status]} />
        </dd>
        {last_failure && (
          <>
            <dt>Último fallo</dt>
            <dd>
              <Time at={last_failure.at} /> · {failureTitle(last_failure.failure)}
              {last_failure.status !== null && ` (${last_failure.status})`}
            </dd>
          </>
        )}
        <dt>Eventos</dt>
        <dd>
          <Group gap={6}>
            {event_types.map((type) => (
              <span key={type} title={type}>
                <StateBadge title={eventTitle(type)} color="gray" />
              </span>
            ))}
          </Group>
        </dd>
        <SendingFacts endpoint={endpoint} />
        <dt>Secreto</dt>
        <dd>
          <Text span c="dimmed">
            Se mostró una vez.{" "}
          </Text>
          <Button size="compact-sm" variant="subtle" onClick={onRotate}>
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
  );
}
