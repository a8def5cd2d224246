import { Button, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { Answer } from "../lib/answers.ts";
import { get, remove } from "../lib/api.ts";
import { client } from "../lib/queries.ts";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage, Loading, Section, StateBadge, Time } from "../ui/parts.tsx";

export function Sessions() {
  const notify = useNotify();
  const sessions = useQuery({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => get<Answer<"GET /sessions">>("/sessions", signal),
    refetchInterval: 15_000,
  });
  const closing = useMutation({
    mutationFn: (id: string) => remove(`/sessions/${id}`),
    onSuccess: () => notify("Sesión cerrada."),
    onSettled: () => client.invalidateQueries({ queryKey: ["sessions"] }),
  });
  return (
    <Section title="Sesiones abiertas" lead="Si no reconoce alguna, ciérrela y cambie su contraseña.">
      <ErrorMessage error={sessions.error ?? closing.error} />
      {sessions.isPending && <Loading />}
      <table className="rows" aria-label="Sesiones abiertas">
        <thead>
          <tr>
            <th>Navegador</th>
            <th>Dirección IP</th>
            <th>Abierta</th>
            <th>Activa</th>
            <th>
              <span className="hidden-text">Acción</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sessions.data?.data.map((session) => (
            <tr key={session.id}>
              <td data-label="">{browserName(session.user_agent)}</td>
              <td data-label="Dirección IP" className="mono">
                {session.remote_address ?? "–"}
              </td>
              <td data-label="Abierta">
                <Time at={session.created_at} />
              </td>
              <td data-label="Activa">
                <Time at={session.last_seen_at} relative />
              </td>
              <td data-label="" className="end">
                {session.is_current ? (
                  <StateBadge title="Esta sesión" color="green" />
                ) : (
                  <Button
                    size="compact-sm"
                    variant="default"
                    onClick={() => closing.mutate(session.id)}
                    loading={closing.isPending && closing.variables === session.id}
                  >
                    Cerrar
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {sessions.data?.data.length === 1 && (
        <Text size="sm" c="dimmed" mt="xs">
          No hay otras.
        </Text>
      )}
    </Section>
  );
}

/** The browser and the system, precise enough for owners to recognize their own sessions. */
function browserName(agent: string | null): string {
  if (!agent) return "Programa";
  const browser = /Edg\//.test(agent)
    ? "Edge"
    : /Firefox\//.test(agent)
      ? "Firefox"
      : /Chrome\//.test(agent)
        ? "Chrome"
        : /Safari\//.test(agent)
          ? "Safari"
          : "Programa";
  const system = /Android/.test(agent)
    ? "Android"
    : /iPhone|iPad/.test(agent)
      ? "iOS"
      : /Windows/.test(agent)
        ? "Windows"
        : /Mac OS/.test(agent)
          ? "macOS"
          : /Linux/.test(agent)
            ? "Linux"
            : undefined;
  return system ? `${browser} en ${system}` : browser;
}
