import { Alert, Button, Group, Text } from "@mantine/core";
import { Link } from "wouter";
import { plural } from "../lib/format.ts";
import { useEndpoints, useSession } from "../lib/queries.ts";
import { endpointStates } from "../lib/words.ts";
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
            <table className="rows">
              <thead>
                <tr>
                  <th>Dirección</th>
                  <th>Estado</th>
                  <th>Eventos</th>
                  <th>Agregado</th>
                </tr>
              </thead>
              <tbody>
                {endpoints.data?.map((endpoint) => (
                  <tr key={endpoint.id}>
                    <td data-label="">
                      <Link href={`/webhooks/${endpoint.id}`} className="mono" style={{ fontSize: "0.95em" }}>
                        {endpoint.url}
                      </Link>
                    </td>
                    <td data-label="Estado">
                      <Group gap={6} wrap="nowrap">
                        <StateBadge {...endpointStates[endpoint.status]} />
                        {endpoint.status === "active" && endpoint.failing_since && (
                          <StateBadge title="Fallando" color="red" />
                        )}
                      </Group>
                    </td>
                    <td data-label="Eventos">{plural(endpoint.event_types.length, "tipo", "tipos")}</td>
                    <td data-label="Agregado">
                      <Text size="sm" c="dimmed" component="span">
                        <Time at={endpoint.created_at} />
                      </Text>
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
