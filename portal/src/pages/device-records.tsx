import { Button, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Answer } from "../lib/answers.ts";
import { get, post } from "../lib/api.ts";
import { exactMoment, plural } from "../lib/format.ts";
import { client } from "../lib/queries.ts";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage, Id, Loading, Section, Time } from "../ui/parts.tsx";

type Kind = "quarantined" | "flagged" | "conflicts";
type Records<K extends Kind> = Answer<`GET /devices/:id/${K}`>["data"];

/** A list of uploaded records that need attention. */
function RecordSection<K extends Kind>({
  id,
  kind,
  title,
  lead,
  none,
  children,
}: {
  id: string;
  kind: K;
  title: string;
  lead: string;
  none: string;
  children: (records: Records<K>) => ReactNode;
}) {
  const list = useQuery({
    queryKey: [kind, id],
    queryFn: ({ signal }) => get<{ data: Records<K> }>(`/devices/${id}/${kind}`, signal),
    refetchInterval: 10_000,
  });
  return (
    <Section title={title} lead={lead}>
      <ErrorMessage error={list.error} />
      {list.isPending && <Loading />}
      {list.data?.data.length === 0 && <Text>{none}</Text>}
      {!!list.data?.data.length && children(list.data.data)}
    </Section>
  );
}

export function QuarantinedRecords({ id }: { id: string }) {
  return (
    <RecordSection
      id={id}
      kind="quarantined"
      title="Registros apartados"
      lead="Llegaron y no están en las listas ni en los informes. Se guardan tal cual y no detienen a los demás."
      none="Ninguno."
    >
      {(records) => (
        <>
          <TryAgain id={id} />
          {records.map((record) => (
            <details key={record.device_seq} style={{ marginBottom: "0.75rem" }}>
              <summary>
                {record.state === "waiting" ? "Espera" : "En cuarentena"} · N.º {record.device_seq} ·{" "}
                {record.type ?? "tipo desconocido"} · {exactMoment(record.received_at)}
              </summary>
              <Text size="sm" my={6}>
                {record.reason}
                {record.tries > 0 && record.tried_at && (
                  <>
                    {" "}
                    Último intento: <Time at={record.tried_at} relative />.
                  </>
                )}
              </Text>
              <pre className="code-block wraps">{record.raw}</pre>
            </details>
          ))}
        </>
      )}
    </RecordSection>
  );
}

function TryAgain({ id }: { id: string }) {
  const notify = useNotify();
  const trying = useMutation({
    mutationFn: () => post<Answer<"POST /devices/:id/quarantined/retry">>(`/devices/${id}/quarantined/retry`),
    async onSuccess(tried) {
      notify(triedWords(tried));
      await client.invalidateQueries({ queryKey: ["quarantined", id] });
      await client.invalidateQueries({ queryKey: ["devices"] });
    },
  });
  return (
    <>
      <ErrorMessage error={trying.error} />
      <Button variant="default" mb="md" loading={trying.isPending} onClick={() => trying.mutate()}>
        Intentar de nuevo
      </Button>
    </>
  );
}

function triedWords({ stored, refused, waiting }: Answer<"POST /devices/:id/quarantined/retry">): string {
  const words = [
    stored > 0 ? `${plural(stored, "registro guardado", "registros guardados")}.` : "",
    waiting > 0 ? `${plural(waiting, "sigue", "siguen")} en espera: se intenta de nuevo cada hora.` : "",
    refused > 0 ? `${plural(refused, "no se puede", "no se pueden")} guardar como llegó: corríjalo en la caja.` : "",
  ];
  return words.filter(Boolean).join(" ") || "Ya no quedaba nada apartado.";
}

export function FlaggedRecords({ id }: { id: string }) {
  return (
    <RecordSection
      id={id}
      kind="flagged"
      title="Registros por revisar"
      lead="Se guardaron, pero algo en ellos no cuadra o no se conoce. Corríjalos en la caja: al subir bien, salen de esta lista."
      none="Ninguno."
    >
      {(records) =>
        records.map((record) => (
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
        ))
      }
    </RecordSection>
  );
}

export function Conflicts({ id }: { id: string }) {
  return (
    <RecordSection
      id={id}
      kind="conflicts"
      title="Ediciones que perdieron"
      lead="Cuando dos editan el mismo campo gana la edición más reciente. Aquí queda lo que esta caja quiso escribir."
      none="Ninguna."
    >
      {(conflicts) => (
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
            {conflicts.map((conflict) => (
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
    </RecordSection>
  );
}
