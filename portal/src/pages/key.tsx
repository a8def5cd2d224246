import { Button, Group, Select, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import type { ApiKey, RequestedConfirmation, Result } from "../lib/answers.ts";
import { post, remove } from "../lib/api.ts";
import { scopeTitle } from "../lib/developer-words.ts";
import { client } from "../lib/queries.ts";
import { CodeDialog } from "../ui/code-dialog.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage, Heading, Loading, NotFound, Section, StateBadge, Time } from "../ui/parts.tsx";
import { useShowOnce } from "../ui/shown-once.tsx";
import { Calls } from "./key-calls.tsx";
import { RestrictKey } from "./key-restrict.tsx";
import { keyState, useKeys } from "./keys.tsx";

export default function Key({ id }: { id: string }) {
  const keys = useKeys();
  const notify = useNotify();
  const [dialog, setDialog] = useState<"revoke" | "rotate" | "restrict">();
  const back = { to: "/claves", label: "Claves API" };
  const key = keys.data?.find((one) => one.id === id);
  if (keys.isPending) return <Loading />;
  if (!key)
    return <NotFound heading="Clave" back={back} icon="key" title="Esta clave no existe en la cuenta" list={keys} />;
  return (
    <>
      <Heading title={key.name} back={back}>
        {!keyState(key).isOver && (
          <>
            {!key.replaced_by && (
              <>
                <Button variant="default" onClick={() => setDialog("restrict")}>
                  Limitar direcciones
                </Button>
                <Button variant="default" onClick={() => setDialog("rotate")}>
                  Rotar
                </Button>
              </>
            )}
            <Button color="red.9" variant="outline" c="var(--mantine-color-error)" onClick={() => setDialog("revoke")}>
              Revocar
            </Button>
          </>
        )}
      </Heading>
      <Facts apiKey={key} />
      <Calls apiKey={key} />
      {dialog === "revoke" && (
        <ConfirmDialog
          title="Revocar la clave"
          action="Revocar"
          danger
          run={async () => {
            await remove(`/api-keys/${id}`);
            notify("Clave revocada.");
            await client.invalidateQueries({ queryKey: ["keys"] });
          }}
          onClose={() => setDialog(undefined)}
        >
          Lo que use «{key.name}» recibe API_KEY_REVOKED desde este momento. No se puede deshacer.
        </ConfirmDialog>
      )}
      {dialog === "restrict" && <RestrictKey apiKey={key} onClose={() => setDialog(undefined)} />}
      {dialog === "rotate" && <Rotate apiKey={key} onClose={() => setDialog(undefined)} />}
    </>
  );
}

function Facts({ apiKey: key }: { apiKey: ApiKey }) {
  return (
    <Section title="Datos">
      <dl className="facts">
        <dt>Estado</dt>
        <dd>
          <StateBadge {...keyState(key)} />
        </dd>
        {key.replaced_by && (
          <>
            <dt>La reemplaza</dt>
            <dd>
              <Link href={`/claves/${key.replaced_by}`}>la clave que hizo la rotación</Link>
            </dd>
          </>
        )}
        <dt>Termina en</dt>
        <dd className="mono">{key.last_four}</dd>
        <dt>Puede</dt>
        <dd>
          <ul className="quiet-list">
            {key.scopes.map((scope) => (
              <li key={scope}>
                {scopeTitle(scope)}{" "}
                <Text span c="dimmed" className="mono">
                  {scope}
                </Text>
              </li>
            ))}
          </ul>
        </dd>
        <dt>Creada</dt>
        <dd>
          <Time at={key.created_at} />
        </dd>
        <dt>Último uso</dt>
        <dd>
          {key.last_used_at ? <Time at={key.last_used_at} relative /> : "Nunca"}
          {key.last_used_from && (
            <>
              {" "}
              desde <span className="mono">{key.last_used_from}</span>
            </>
          )}
        </dd>
        <dt>Sirve desde</dt>
        <dd className="mono">{key.allowed_addresses?.join(", ") ?? "cualquier dirección"}</dd>
        <dt>Vence</dt>
        <dd>{key.expires_at ? <Time at={key.expires_at} /> : "Nunca"}</dd>
        {key.revoked_at && (
          <>
            <dt>Revocada</dt>
            <dd>
              <Time at={key.revoked_at} />
            </dd>
          </>
        )}
      </dl>
    </Section>
  );
}

const overlaps = [
  { value: "0", label: "Deja de funcionar ya" },
  { value: "1", label: "Funciona 1 hora más" },
  { value: "24", label: "Funciona 24 horas más" },
];

function Rotate({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const [, navigate] = useLocation();
  const [overlap, setOverlap] = useState("24");
  const showOnce = useShowOnce();
  const requesting = useMutation({
    mutationFn: () => post<RequestedConfirmation>(`/api-keys/${apiKey.id}/rotate`, { overlap_hours: Number(overlap) }),
  });
  function showKey(successor: Result<"api_key.rotate">) {
    onClose();
    void client.invalidateQueries({ queryKey: ["keys"] });
    showOnce({
      title: "Clave rotada",
      label: `Clave nueva «${successor.api_key.name}»`,
      value: successor.key,
      warning:
        "Cópiela ahora: no se vuelve a mostrar. Cámbiela en su sistema antes de que la anterior deje de funcionar.",
      onClose: () => navigate(`/claves/${successor.api_key.id}`, { replace: true }),
    });
  }
  if (requesting.data) {
    return (
      <CodeDialog<Result<"api_key.rotate">>
        confirmation={requesting.data}
        action={`rotar la clave «${apiKey.name}»`}
        onDone={showKey}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog onClose={onClose} title="Rotar la clave">
      <Text mb="md">Se crea una clave nueva con los mismos permisos y el mismo vencimiento.</Text>
      <Select
        label="La clave anterior"
        allowDeselect={false}
        value={overlap}
        onChange={(value) => setOverlap(value ?? "24")}
        data={overlaps}
      />
      <ErrorMessage error={requesting.error} />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Cancelar
        </Button>
        <Button loading={requesting.isPending} onClick={() => requesting.mutate()}>
          Enviar el código
        </Button>
      </Group>
    </Dialog>
  );
}
