import { Button, Group, SegmentedControl, Select, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { useFilters } from "../lib/address.ts";
import type { ApiCall, ApiKey, RequestedConfirmation, Result } from "../lib/answers.ts";
import { post, remove } from "../lib/api.ts";
import { duration } from "../lib/format.ts";
import { client, useList } from "../lib/queries.ts";
import { scopeTitle } from "../lib/words.ts";
import { Ask } from "../ui/ask.tsx";
import { ConfirmCode } from "../ui/confirm-code.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useNotice } from "../ui/notices.tsx";
import { Empty, Heading, Id, Loading, More, Section, State, Time, Trouble } from "../ui/parts.tsx";
import { ShownOnce } from "../ui/secret.tsx";
import { keyState, useKeys } from "./keys.tsx";

export default function Key({ id }: { id: string }) {
  const keys = useKeys();
  const tell = useNotice();
  const [dialog, setDialog] = useState<"revoke" | "rotate">();
  const back = { to: "/claves", label: "Claves API" };
  const key = keys.data?.find((one) => one.id === id);
  if (keys.isPending) return <Loading />;
  if (!key) {
    return (
      <>
        <Heading title="Clave" back={back} />
        <Trouble error={keys.error} retry={keys.refetch} />
        {!keys.error && (
          <Empty icon="key" title="Esta clave no existe en la cuenta">
            <Link href="/claves">Vea las que hay</Link>.
          </Empty>
        )}
      </>
    );
  }
  const state = keyState(key);
  return (
    <>
      <Heading title={key.name} back={back}>
        {!state.isOver && (
          <>
            {!key.replaced_by && (
              <Button variant="default" onClick={() => setDialog("rotate")}>
                Rotar
              </Button>
            )}
            <Button color="red.9" variant="outline" c="var(--mantine-color-error)" onClick={() => setDialog("revoke")}>
              Revocar
            </Button>
          </>
        )}
      </Heading>
      <Section title="Datos">
        <dl className="facts">
          <dt>Estado</dt>
          <dd>
            <State {...state} />
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
          <dd>{key.last_used_at ? <Time at={key.last_used_at} relative /> : "Nunca"}</dd>
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
      <Calls id={id} />
      {dialog === "revoke" && (
        <Ask
          title="Revocar la clave"
          action="Revocar"
          danger
          run={async () => {
            await remove(`/api-keys/${id}`);
            tell("Clave revocada.");
            await client.invalidateQueries({ queryKey: ["keys"] });
          }}
          onClose={() => setDialog(undefined)}
        >
          Lo que use «{key.name}» recibe API_KEY_REVOKED desde este momento. No se puede deshacer.
        </Ask>
      )}
      {dialog === "rotate" && <Rotate apiKey={key} onClose={() => setDialog(undefined)} />}
    </>
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
  const [made, setMade] = useState<Result<"api_key.rotate">>();
  const asking = useMutation({
    mutationFn: () => post<RequestedConfirmation>(`/api-keys/${apiKey.id}/rotate`, { overlap_hours: Number(overlap) }),
  });
  if (made) {
    return (
      <ShownOnce
        title="Clave rotada"
        label={`Clave nueva «${made.api_key.name}»`}
        value={made.key}
        warning="Cópiela ahora: no se vuelve a mostrar. Cámbiela en su sistema antes de que la anterior deje de funcionar."
        onClose={() => {
          onClose();
          navigate(`/claves/${made.api_key.id}`);
        }}
      />
    );
  }
  if (asking.data) {
    return (
      <ConfirmCode<Result<"api_key.rotate">>
        confirmation={asking.data}
        action={`rotar la clave «${apiKey.name}»`}
        onDone={(outcome) => {
          setMade(outcome);
          void client.invalidateQueries({ queryKey: ["keys"] });
        }}
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
      <Trouble error={asking.error} />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Cancelar
        </Button>
        <Button loading={asking.isPending} onClick={() => asking.mutate()}>
          Enviar el código
        </Button>
      </Group>
    </Dialog>
  );
}

function Calls({ id }: { id: string }) {
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
      <Trouble error={list.error} retry={list.refetch} />
      {list.isPending ? (
        <Loading />
      ) : list.data?.length ? (
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
            {list.data.map((call) => (
              <tr key={call.request_id}>
                <td data-label="" className="mono">
                  <strong>{call.method}</strong> {call.path}
                </td>
                <td data-label="Estado">
                  <State title={String(call.status)} color={call.status < 400 ? "green" : "red"} />
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
      <More list={list} />
    </Section>
  );
}
