import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { remove } from "../lib/api.ts";
import { refreshSecondStep, useSecondStep } from "../lib/second-step.ts";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage, Section, StateBadge, Time } from "../ui/parts.tsx";

/** The browsers that are not asked for the second step for 30 days. */
export function TrustedBrowsers() {
  const notify = useNotify();
  const { data } = useSecondStep();
  const forgetting = useMutation({
    mutationFn: (id: string) => remove(`/trusted-browsers/${id}`),
    onSuccess: () => notify("Navegador olvidado: se le pedirá el segundo paso."),
    onSettled: () => refreshSecondStep(),
  });
  if (!data || data.browsers.length === 0) return null;
  return (
    <Section
      title="Navegadores recordados"
      lead="Mostraron su segundo paso y no se les vuelve a pedir al entrar durante 30 días."
    >
      <ErrorMessage error={forgetting.error} />
      <table className="rows" aria-label="Navegadores recordados">
        <thead>
          <tr>
            <th>Navegador</th>
            <th>Dirección IP</th>
            <th>Usado</th>
            <th>Hasta</th>
            <th>
              <span className="hidden-text">Acción</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {data.browsers.map((one) => (
            <tr key={one.id}>
              <td data-label="">
                {one.browser} {one.is_current && <StateBadge title="Este navegador" color="green" />}
              </td>
              <td data-label="Dirección IP" className="mono">
                {one.remote_address ?? "–"}
              </td>
              <td data-label="Usado">
                <Time at={one.last_used_at} relative />
              </td>
              <td data-label="Hasta">
                <Time at={one.expires_at} />
              </td>
              <td data-label="" className="end">
                <Button
                  size="compact-sm"
                  variant="default"
                  loading={forgetting.isPending && forgetting.variables === one.id}
                  onClick={() => forgetting.mutate(one.id)}
                >
                  Olvidar
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
