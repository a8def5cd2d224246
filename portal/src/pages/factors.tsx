import { Button, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Answer } from "../lib/answers.ts";
import { post, remove } from "../lib/api.ts";
import { knowsPasskeys } from "../lib/passkeys.ts";
import { type Factor, refreshSecondStep, type SecondStep, useSecondStep } from "../lib/second-step.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Icon } from "../ui/icons.tsx";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage, Loading, Section, StateBadge, Time } from "../ui/parts.tsx";
import { useShowOnce } from "../ui/shown-once.tsx";
import { AddPasskey, AddTotp } from "./add-factor.tsx";
import { RenameFactor } from "./rename-factor.tsx";

const kindTitles: Record<Factor["kind"], string> = { totp: "Aplicación de códigos", passkey: "Llave de acceso" };

/** What its person shows beside the password, and what helps when it is lost. */
export function Factors() {
  const state = useSecondStep();
  const [adding, setAdding] = useState<Factor["kind"]>();
  const showCodes = useShowCodes();
  function added(codes: string[] | null) {
    setAdding(undefined);
    void refreshSecondStep();
    if (codes) showCodes(codes);
  }
  const { data } = state;
  const hasFactor = (data?.factors.length ?? 0) > 0;
  return (
    <Section
      title="Segundo paso"
      lead="Con él, quien sepa su contraseña no entra. Se pide al entrar en un navegador nuevo y antes de los cambios que importan."
      aside={data && <StateBadge title={hasFactor ? "Activo" : "Sin activar"} color={hasFactor ? "green" : "yellow"} />}
    >
      <ErrorMessage error={state.error} retry={state.refetch} />
      {state.isPending && <Loading />}
      {data && hasFactor && <FactorTable factors={data.factors} />}
      {data && (
        <Group mt="md" gap="xs">
          <Button
            variant={hasFactor ? "default" : "filled"}
            leftSection={<Icon name="shield" size={18} />}
            onClick={() => setAdding("totp")}
          >
            Agregar una aplicación
          </Button>
          {data.has_passkeys && knowsPasskeys && (
            <Button variant="default" leftSection={<Icon name="key" size={18} />} onClick={() => setAdding("passkey")}>
              Agregar una llave de acceso
            </Button>
          )}
        </Group>
      )}
      {data && !data.has_passkeys && (
        <Text size="sm" c="dimmed" mt="xs">
          Las llaves de acceso no se ofrecen aquí: necesitan que el portal tenga un nombre, y este se abre por una
          dirección IP. Pídaselo a quien opera el servicio; mientras tanto, use una aplicación de códigos.
        </Text>
      )}
      {data?.has_passkeys && !knowsPasskeys && (
        <Text size="sm" c="dimmed" mt="xs">
          Este navegador no conoce las llaves de acceso. Ábralo en uno más nuevo, o use una aplicación de códigos.
        </Text>
      )}
      {data && hasFactor && <RecoveryCodes codes={data.recovery_codes} onMade={showCodes} />}
      {adding === "totp" && <AddTotp needsPassword={!hasFactor} onDone={added} onClose={() => setAdding(undefined)} />}
      {adding === "passkey" && (
        <AddPasskey needsPassword={!hasFactor} onDone={added} onClose={() => setAdding(undefined)} />
      )}
    </Section>
  );
}

function FactorTable({ factors }: { factors: readonly Factor[] }) {
  const notify = useNotify();
  const [removing, setRemoving] = useState<Factor>();
  const [renaming, setRenaming] = useState<Factor>();
  return (
    <>
      <table className="rows" aria-label="Segundos pasos">
        <thead>
          <tr>
            <th>Nombre</th>
            <th>Clase</th>
            <th>Agregado</th>
            <th>Usado</th>
            <th>
              <span className="hidden-text">Acción</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {factors.map((factor) => (
            <tr key={factor.id}>
              <td data-label="">{factor.name}</td>
              <td data-label="Clase">{kindTitles[factor.kind]}</td>
              <td data-label="Agregado">
                <Time at={factor.created_at} />
              </td>
              <td data-label="Usado">{factor.last_used_at ? <Time at={factor.last_used_at} relative /> : "Nunca"}</td>
              <td data-label="" className="end">
                <Group gap="xs" justify="flex-end">
                  <Button size="compact-sm" variant="default" onClick={() => setRenaming(factor)}>
                    Cambiar el nombre
                  </Button>
                  <Button size="compact-sm" variant="default" onClick={() => setRemoving(factor)}>
                    Quitar
                  </Button>
                </Group>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {renaming && <RenameFactor factor={renaming} onClose={() => setRenaming(undefined)} />}
      {removing && (
        <ConfirmDialog
          title={`¿Quitar «${removing.name}»?`}
          action="Quitar"
          danger
          run={() => remove(`/factors/${removing.id}`)}
          onClose={() => setRemoving(undefined)}
          onDone={() => {
            setRemoving(undefined);
            notify("Se quitó el segundo paso.");
            void refreshSecondStep();
          }}
        >
          <p>
            {factors.length === 1
              ? "Es el único: su cuenta queda protegida solo por la contraseña y el correo, y los códigos de recuperación dejan de servir."
              : "Ya no servirá para entrar. Los navegadores recordados se olvidan."}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

function RecoveryCodes({ codes, onMade }: { codes: SecondStep["recovery_codes"]; onMade: (codes: string[]) => void }) {
  const making = useMutation({
    mutationFn: () => post<Answer<"POST /recovery-codes">>("/recovery-codes"),
    onSuccess(made) {
      onMade(made.codes);
      void refreshSecondStep();
    },
  });
  return (
    <div style={{ marginTop: "1.25rem" }}>
      <Text fw={600}>Códigos de recuperación</Text>
      <Text c="dimmed" size="sm">
        Para cuando no tenga a mano su segundo paso.{" "}
        {codes.left === 0
          ? "No le queda ninguno."
          : `Le ${codes.left === 1 ? "queda 1" : `quedan ${codes.left}`} de 10.`}{" "}
        Si los perdió, haga unos nuevos: los anteriores dejan de servir.
      </Text>
      <ErrorMessage error={making.error} />
      <Button variant="default" mt="sm" loading={making.isPending} onClick={() => making.mutate()}>
        Hacer códigos nuevos
      </Button>
    </div>
  );
}

/** Shown above all pages until somebody says that they are kept. */
export function useShowCodes(): (codes: readonly string[]) => void {
  const showOnce = useShowOnce();
  return (codes) =>
    showOnce({
      title: "Sus códigos de recuperación",
      label: "Con cada uno entra una vez, sin su aplicación ni su llave.",
      value: codes.join("\n"),
      warning:
        "Guárdelos ahora donde los encuentre sin su teléfono: impresos, o en su gestor de contraseñas. No se vuelven a mostrar.",
      onClose: () => {},
    });
}
