import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Answer } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { exactMoment } from "../lib/format.ts";
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
      title="Registros en cuarentena"
      lead="Llegaron de una forma que no se puede leer. Se guardan tal cual y no detienen a los demás."
      none="Ninguno."
    >
      {(records) =>
        records.map((record) => (
          <details key={record.device_seq} style={{ marginBottom: "0.75rem" }}>
            <summary>
              N.º {record.device_seq} · {record.type ?? "tipo desconocido"} · {exactMoment(record.received_at)}
            </summary>
            <Text size="sm" my={6}>
              {record.reason}
            </Text>
            <pre className="code-block wraps">{record.raw}</pre>
          </details>
        ))
      }
    </RecordSection>
  );
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
