import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useFilters } from "../lib/address.ts";
import type { Answer, ApiKey } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { plural } from "../lib/format.ts";
import { refreshMs } from "../lib/queries.ts";
import { Icon } from "../ui/icons.tsx";
import { Empty, ErrorMessage, Heading, Loading, StateBadge, Time } from "../ui/parts.tsx";
import { KeyPolicy } from "./key-policy.tsx";

export function useKeys() {
  return useQuery({
    queryKey: ["keys"],
    queryFn: ({ signal }) => get<Answer<"GET /api-keys">>("/api-keys", signal),
    select: ({ data }) => data.toReversed(),
    refetchInterval: refreshMs,
  });
}

export function keyState({ revoked_at, expires_at, replaced_by }: ApiKey): {
  title: string;
  color: string;
  isOver: boolean;
} {
  if (revoked_at) return { title: "Revocada", color: "gray", isOver: true };
  if (!expires_at) return { title: "Vigente", color: "green", isOver: false };
  const left = new Date(expires_at).getTime() - Date.now();
  if (left <= 0) return { title: "Vencida", color: "gray", isOver: true };
  if (replaced_by) return { title: "Reemplazada", color: "yellow", isOver: false };
  return left < 7 * 86_400_000
    ? { title: "Por vencer", color: "yellow", isOver: false }
    : { title: "Vigente", color: "green", isOver: false };
}

export default function Keys() {
  const keys = useKeys();
  const [{ todas }, setFilters] = useFilters(["todas"]);
  const all = keys.data ?? [];
  const shown = todas ? all : all.filter((key) => !keyState(key).isOver);
  const hidden = all.length - shown.length;
  return (
    <>
      <Heading
        title="Claves API"
        lead="Con ellas su sistema lee y escribe por la API. Cada una tiene solo los permisos que le dé."
      >
        <Button component={Link} href="/claves/nueva" leftSection={<Icon name="plus" size={18} />}>
          Crear clave
        </Button>
      </Heading>
      <ErrorMessage error={keys.error} retry={keys.refetch} />
      {keys.isPending ? (
        <Loading />
      ) : (
        <div className="card">
          {shown.length === 0 ? (
            <Empty icon="key" title="No hay claves vigentes">
              Cree una para cada sistema que se conecte: así puede revocar una sin tocar las demás.
            </Empty>
          ) : (
            <table className="rows" aria-label="Claves de API">
              <thead>
                <tr>
                  <th>Nombre</th>
                  <th>Estado</th>
                  <th>Permisos</th>
                  <th>Último uso</th>
                  <th>Vence</th>
                </tr>
              </thead>
              <tbody>
                {shown.map((key) => (
                  <tr key={key.id}>
                    <td data-label="">
                      <Link href={`/claves/${key.id}`}>{key.name}</Link>
                      <Text size="xs" c="dimmed" component="div" className="mono">
                        …{key.last_four}
                      </Text>
                    </td>
                    <td data-label="Estado">
                      <StateBadge {...keyState(key)} />
                    </td>
                    <td data-label="Permisos">{plural(key.scopes.length, "permiso", "permisos")}</td>
                    <td data-label="Último uso">
                      {key.last_used_at ? (
                        <Time at={key.last_used_at} relative />
                      ) : (
                        <Text span c="dimmed">
                          Nunca
                        </Text>
                      )}
                    </td>
                    <td data-label="Vence">{key.expires_at ? <Time at={key.expires_at} /> : "Nunca"}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {(hidden > 0 || todas) && (
            <Group justify="center" mt="md">
              <Button variant="subtle" size="compact-sm" onClick={() => setFilters({ todas: todas ? null : "1" })}>
                {todas
                  ? "Ocultar las revocadas y vencidas"
                  : `Mostrar ${plural(hidden, "revocada o vencida", "revocadas o vencidas")}`}
              </Button>
            </Group>
          )}
        </div>
      )}
      <KeyPolicy />
    </>
  );
}
