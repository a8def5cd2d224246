import { Alert, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { OpenedCall } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { duration, exactMoment } from "../lib/format.ts";
import { CallState } from "../ui/call-table.tsx";
import { Icon } from "../ui/icons.tsx";
import { Copy, ErrorMessage, Heading, Id, Loading, Section } from "../ui/parts.tsx";
import { useKeys } from "./keys.tsx";

const back = { to: "/solicitudes", label: "Registro de solicitudes" };

/** One request to the API: what was asked, what it got, and what to do about an error. */
export default function RequestPage({ id }: { id: string }) {
  const request = useQuery({
    queryKey: ["request-log", id],
    queryFn: ({ signal }) => get<OpenedCall>(`/requests/${id}`, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (request.isPending) return <Loading />;
  if (!request.data) {
    return (
      <>
        <Heading title="Solicitud" back={back} />
        <ErrorMessage error={request.error} retry={request.refetch} />
      </>
    );
  }
  const { method, path, error_code, request_headers, response_headers } = request.data;
  return (
    <>
      <Heading title={`${method} ${path}`} back={back} />
      {error_code && (
        <Alert color="red" variant="light" mb="md" icon={<Icon name="alert" />} title={`Respondió ${error_code}`}>
          <a href={`/docs/errores#${error_code}`}>Qué significa y qué hacer</a>
        </Alert>
      )}
      <Facts call={request.data} />
      <Section
        title="Cabeceras de la solicitud"
        aside={request_headers && <Copy value={lines(request_headers)} label="Copiar las cabeceras de la solicitud" />}
      >
        <Headers headers={request_headers} />
      </Section>
      <Section
        title="Cabeceras de la respuesta"
        aside={
          response_headers && <Copy value={lines(response_headers)} label="Copiar las cabeceras de la respuesta" />
        }
      >
        <Headers headers={response_headers} />
      </Section>
    </>
  );
}

function Facts({ call }: { call: OpenedCall }) {
  const key = useKeys().data?.find((one) => one.id === call.key_id);
  return (
    <Section title="Datos">
      <dl className="facts">
        <dt>Estado</dt>
        <dd>
          <CallState status={call.status} />
        </dd>
        <dt>Parámetros</dt>
        <dd>{call.query ? <Query text={call.query} /> : "Ninguno"}</dd>
        <dt>Clave</dt>
        <dd>{key ? <Link href={`/claves/${key.id}`}>{key.name}</Link> : "Ya no existe"}</dd>
        <dt>Duración</dt>
        <dd>{duration(call.ms)}</dd>
        <dt>Cuándo</dt>
        <dd>{exactMoment(call.created_at)}</dd>
        <dt>request_id</dt>
        <dd>
          <Id value={call.request_id} label="Copiar el request_id" whole />
        </dd>
      </dl>
    </Section>
  );
}

/** One line per parameter, as the service read it. */
function Query({ text }: { text: string }) {
  return (
    <dl className="headers">
      {text.split("&").map((pair, i) => {
        const [name = "", ...rest] = pair.split("=");
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: parameters may repeat, and never move
          <div key={i} style={{ display: "contents" }}>
            <dt>{readable(name)}</dt>
            <dd>{readable(rest.join("="))}</dd>
          </div>
        );
      })}
    </dl>
  );
}

function readable(escaped: string): string {
  try {
    return decodeURIComponent(escaped.replaceAll("+", " "));
  } catch {
    return escaped;
  }
}

function Headers({ headers }: { headers: Record<string, string> | null }) {
  if (!headers)
    return (
      <Text c="dimmed">
        No se guardaron: la cuenta pasó de las 10.000 solicitudes que se guardan con detalle al día.
      </Text>
    );
  return (
    <dl className="headers">
      {Object.entries(headers).map(([name, value]) => (
        <div key={name} style={{ display: "contents" }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function lines(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}
