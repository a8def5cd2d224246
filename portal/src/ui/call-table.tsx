import { Text } from "@mantine/core";
import { Link } from "wouter";
import type { ApiCall } from "../lib/answers.ts";
import { duration } from "../lib/format.ts";
import { Id, StateBadge, Time } from "./parts.tsx";

/** Requests to the API, each leading to its details. `keyName` adds a column with the key that made it. */
export function CallTable({ calls, keyName }: { calls: ApiCall[]; keyName?: (keyId: string) => string }) {
  return (
    <table className="rows" aria-label="Solicitudes">
      <thead>
        <tr>
          <th>Solicitud</th>
          <th>Estado</th>
          {keyName && <th>Clave</th>}
          <th className="end">Duración</th>
          <th>Cuándo</th>
          <th>request_id</th>
        </tr>
      </thead>
      <tbody>
        {calls.map((call) => (
          <tr key={call.request_id}>
            <td data-label="" className="mono">
              <Link href={`/solicitudes/${call.request_id}`}>
                <strong>{call.method}</strong> {call.path}
              </Link>
              {call.query && (
                <Text size="xs" c="dimmed" component="div" className="mono">
                  ?{call.query}
                </Text>
              )}
            </td>
            <td data-label="Estado">
              <span>
                <CallState status={call.status} />
                {call.error_code && (
                  <Text size="xs" c="dimmed" component="div" className="mono">
                    {call.error_code}
                  </Text>
                )}
              </span>
            </td>
            {keyName && <td data-label="Clave">{keyName(call.key_id)}</td>}
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

export function CallState({ status }: { status: number }) {
  return <StateBadge title={String(status)} color={status < 400 ? "green" : "red"} />;
}
