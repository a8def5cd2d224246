import { SegmentedControl } from "@mantine/core";
import { useFilters } from "../lib/address.ts";
import type { ApiCall } from "../lib/answers.ts";
import { duration } from "../lib/format.ts";
import { useList } from "../lib/queries.ts";
import { Empty, ErrorMessage, Id, Loading, LoadMore, Section, StateBadge, Time } from "../ui/parts.tsx";

/** The requests that a key made. */
export function Calls({ id }: { id: string }) {
  const [{ resultado }, setFilters] = useFilters(["resultado"]);
  const list = useList<ApiCall>(`/api-keys/${id}/requests`, { result: resultado });
  return (
    <Section
      title="Solicitudes de los últimos 7 días"
      aside={
        <SegmentedControl
          size="xs"
          aria-label="Resultado"
          value={resultado ?? ""}
          onChange={(value) => setFilters({ resultado: value || null })}
          data={[
            { value: "", label: "Todas" },
            { value: "ok", label: "Correctas" },
            { value: "error", label: "Con error" },
          ]}
        />
      }
    >
      <ErrorMessage error={list.error} retry={list.refetch} />
      {list.isPending ? (
        <Loading />
      ) : list.data?.length ? (
        <CallTable calls={list.data} />
      ) : (
        <Empty icon="list" title={resultado ? "Ninguna solicitud coincide" : "Todavía no hay solicitudes"}>
          {!resultado && (
            <>
              Pruebe: <span className="mono">GET /public/v1/products?limit=2</span> con la cabecera{" "}
              <span className="mono">Authorization: Bearer …</span>
            </>
          )}
        </Empty>
      )}
      <LoadMore list={list} />
    </Section>
  );
}

function CallTable({ calls }: { calls: ApiCall[] }) {
  return (
    <table className="rows" aria-label="Solicitudes">
      <thead>
        <tr>
          <th>Solicitud</th>
          <th>Estado</th>
          <th className="end">Duración</th>
          <th>Cuándo</th>
          <th>request_id</th>
        </tr>
      </thead>
      <tbody>
        {calls.map((call) => (
          <tr key={call.request_id}>
            <td data-label="" className="mono">
              <strong>{call.method}</strong> {call.path}
            </td>
            <td data-label="Estado">
              <StateBadge title={String(call.status)} color={call.status < 400 ? "green" : "red"} />
            </td>
            <td data-label="Duración" className="end">
              {duration(call.ms)}
            </td>
            <td data-label="Cuándo">
              <Time at={call.created_at} />
            </td>
            <td data-label="request_id" className="wide">
              <Id value={call.request_id} label="Copiar el request_id" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
