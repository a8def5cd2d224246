import { Button, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Answer } from "../lib/answers.ts";
import { get, remove } from "../lib/api.ts";
import { client } from "../lib/queries.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage, Loading, Section, StateBadge, Time } from "../ui/parts.tsx";

export function Sessions() {
  const notify = useNotify();
  const [isAsking, setAsking] = useState(false);
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
  const others = (sessions.data?.data.length ?? 1) - 1;
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
              <td data-label="">{session.browser}</td>
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
      {others > 0 && (
        <Button variant="default" mt="md" onClick={() => setAsking(true)}>
          Cerrar las demás sesiones
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title="¿Cerrar las demás sesiones?"
          action="Cerrar las demás"
          danger
          run={() => remove<Answer<"DELETE /sessions">>("/sessions")}
          onClose={() => setAsking(false)}
          onDone={({ closed }) => {
            setAsking(false);
            notify(closed === 1 ? "Se cerró la otra sesión." : `Se cerraron las otras ${closed} sesiones.`);
            void client.invalidateQueries({ queryKey: ["sessions"] });
          }}
        >
          <p>
            Quien esté dentro en otro navegador o equipo tendrá que entrar otra vez con la contraseña. Esta sesión sigue
            abierta.
          </p>
        </ConfirmDialog>
      )}
    </Section>
  );
}
