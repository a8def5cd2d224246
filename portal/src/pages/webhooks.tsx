import { Alert, Button, Group, Text } from "@mantine/core";
import { Link } from "wouter";
import type { ListedEndpoint } from "../lib/answers.ts";
import { percent, plural } from "../lib/format.ts";
import { useEndpoints, useSession } from "../lib/queries.ts";
import { endpointName, endpointStates, failureTitle } from "../lib/words.ts";
import { Icon } from "../ui/icons.tsx";
import { Empty, ErrorMessage, Heading, Loading, StateBadge, Time } from "../ui/parts.tsx";

const maxEndpoints = 5;

export default function Webhooks() {
  const endpoints = useEndpoints();
  const session = useSession().data;
  const count = endpoints.data?.length ?? 0;
  const isFull = count >= maxEndpoints;
  return (
    <>
      <Heading
        title="Webhooks"
        lead="Su servidor recibe por HTTPS un aviso firmado de cada evento que elija, segundos después de que ocurre."
      >
        {count > 0 && !isFull && (
          <Button component={Link} href="/webhooks/nuevo" leftSection={<Icon name="plus" size={18} />}>
            Agregar webhook
          </Button>
        )}
      </Heading>
      {session && !session.has_pro && (
        <Alert
          color="yellow"
          variant="light"
          mb="md"
          icon={<Icon name="alert" />}
          title="Los webhooks son del plan Pro"
        >
          Con el plan actual no se registran ni se envían eventos. Pida el plan Pro a quien opera el servicio.
        </Alert>
      )}
      {isFull && (
        <Alert color="gray" variant="light" mb="md" title={`Ya tiene ${maxEndpoints} webhooks, que es el máximo`}>
          Elimine uno que no use para agregar otro.
        </Alert>
      )}
      <ErrorMessage error={endpoints.error} retry={endpoints.refetch} />
      {endpoints.isPending ? (
        <Loading />
      ) : (
        <div className="card">
          {count === 0 ? (
            <Empty icon="webhook" title="Todavía no hay webhooks">
              <p>
                Agregue la dirección de su servidor y elija de qué quiere enterarse. Puede tener hasta {maxEndpoints}.
              </p>
              <Button component={Link} href="/webhooks/nuevo" leftSection={<Icon name="plus" size={18} />}>
                Agregar webhook
              </Button>
            </Empty>
          ) : (
            <table className="rows" aria-label="Webhooks">
              <thead>
                <tr>
                  <th>Webhook</th>
                  <th>Estado</th>
                  <th>Éxito en 24 h</th>
                  <th>Último fallo</th>
                </tr>
              </thead>
              <tbody>
                {endpoints.data?.map((endpoint) => (
                  <tr key={endpoint.id}>
                    <td data-label="">
                      <Link href={`/webhooks/${endpoint.id}`} style={{ overflowWrap: "anywhere" }}>
                        {endpointName(endpoint)}
                      </Link>
                      <Text size="xs" c="dimmed" component="div" className="mono">
                        {endpoint.name ? endpoint.url : plural(endpoint.event_types.length, "tipo", "tipos")}
                      </Text>
                    </td>
                    <td data-label="Estado">
                      <Group gap={6} wrap="nowrap">
                        <StateBadge {...endpointStates[endpoint.status]} />
                        {endpoint.status === "active" && endpoint.failing_since && (
                          <StateBadge title="Fallando" color="red" />
                        )}
                      </Group>
                    </td>
                    <td data-label="Éxito en 24 h">
                      <Success endpoint={endpoint} />
                    </td>
                    <td data-label="Último fallo">
                      <LastFailure endpoint={endpoint} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </div>
      )}
    </>
  );
}

function Success({ endpoint: { last_day } }: { endpoint: ListedEndpoint }) {
  const { success_rate, delivered, failed, dropped } = last_day;
  if (success_rate === null) return <Text c="dimmed">Sin intentos</Text>;
  return (
    <span>
      {percent(success_rate)}
      <Text size="xs" c="dimmed" component="div">
        {plural(delivered, "llegó", "llegaron")} · {plural(failed, "intento falló", "intentos fallaron")}
        {dropped > 0 && ` · ${plural(dropped, "descartada", "descartadas")}`}
      </Text>
    </span>
  );
}

function LastFailure({ endpoint: { last_failure } }: { endpoint: ListedEndpoint }) {
  if (!last_failure) return <Text c="dimmed">Ninguno</Text>;
  return (
    <span>
      <Time at={last_failure.at} relative />
      <Text size="xs" c="dimmed" component="div">
        {failureTitle(last_failure.failure)}
        {last_failure.status !== null && ` (${last_failure.status})`}
      </Text>
    </span>
  );
}
