import { Button, Group, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import { useFilters } from "../lib/address.ts";
import type { Answer, Device, RequestedConfirmation, Result } from "../lib/answers.ts";
import { get, post } from "../lib/api.ts";
import { duration, number, plural } from "../lib/format.ts";
import { client, refreshMs } from "../lib/queries.ts";
import { CodeDialog } from "../ui/code-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icons.tsx";
import { Empty, ErrorMessage, Heading, Loading, StateBadge, Time } from "../ui/parts.tsx";
import { Qr } from "../ui/qr.tsx";
import { ShownOnce } from "../ui/shown-once.tsx";

const skewWorthShowingMs = 5 * 60_000;

export function useDevices() {
  return useQuery({
    queryKey: ["devices"],
    queryFn: ({ signal }) => get<Answer<"GET /devices">>("/devices", signal),
    select: ({ data }) => data,
    refetchInterval: refreshMs,
  });
}

/** A register's problems, in a word or two each. */
function problemsOf(device: Device): { title: string; color: string }[] {
  if (device.revoked_at) return [{ title: "Retirada", color: "gray" }];
  const skew = Math.abs(device.skew_ms ?? 0);
  return [
    ...(device.forked_at ? [{ title: "Debe vincularse de nuevo", color: "red" }] : []),
    ...(device.is_outdated ? [{ title: "Desactualizada", color: "yellow" }] : []),
    ...(skew > skewWorthShowingMs ? [{ title: `Reloj corrido ${duration(skew)}`, color: "yellow" }] : []),
    ...(device.quarantined > 0 ? [{ title: `${number(device.quarantined)} en cuarentena`, color: "red" }] : []),
    ...(device.flagged > 0 ? [{ title: `${number(device.flagged)} por revisar`, color: "yellow" }] : []),
    ...(device.conflicts > 0 ? [{ title: plural(device.conflicts, "conflicto", "conflictos"), color: "yellow" }] : []),
  ];
}

export function DeviceState({ device }: { device: Device }) {
  const problems = problemsOf(device);
  return (
    <Group gap={6}>
      {problems.length === 0 && <StateBadge title="Al día" color="green" />}
      {problems.map((problem) => (
        <StateBadge key={problem.title} {...problem} />
      ))}
    </Group>
  );
}

export default function Devices() {
  const devices = useDevices();
  const [{ todas }, setFilters] = useFilters(["todas"]);
  const [isEnrolling, setEnrolling] = useState(false);
  const all = devices.data ?? [];
  const shown = todas ? all : all.filter((device) => device.revoked_at === null);
  const hidden = all.length - shown.length;
  return (
    <>
      <Heading title="Cajas" lead="Los equipos que registran ventas y se sincronizan con su cuenta.">
        <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setEnrolling(true)}>
          Vincular caja
        </Button>
      </Heading>
      <ErrorMessage error={devices.error} retry={devices.refetch} />
      {devices.isPending ? (
        <Loading />
      ) : (
        <div className="card">
          {shown.length === 0 ? (
            <Empty icon="register" title="Todavía no hay cajas vinculadas">
              Cree un código, escríbalo en la aplicación de la caja y empezará a subir sus ventas.
            </Empty>
          ) : (
            <table className="rows" aria-label="Cajas">
              <thead>
                <tr>
                  <th>Caja</th>
                  <th>Estado</th>
                  <th>Versión</th>
                  <th>Vista por última vez</th>
                </tr>
              </thead>
              <tbody>
                {shown.map((device) => (
                  <tr key={device.id}>
                    <td data-label="">
                      <Link href={`/cajas/${device.id}`}>{device.name}</Link>
                    </td>
                    <td data-label="Estado">
                      <DeviceState device={device} />
                    </td>
                    <td data-label="Versión">{device.app_version ?? "No ha informado"}</td>
                    <td data-label="Vista por última vez">
                      {device.last_seen_at ? (
                        <Time at={device.last_seen_at} relative />
                      ) : (
                        <Text span c="dimmed">
                          Nunca
                        </Text>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {(hidden > 0 || todas) && (
            <Group justify="center" mt="md">
              <Button variant="subtle" size="compact-sm" onClick={() => setFilters({ todas: todas ? null : "1" })}>
                {todas ? "Ocultar las retiradas" : `Mostrar ${plural(hidden, "retirada", "retiradas")}`}
              </Button>
            </Group>
          )}
        </div>
      )}
      {isEnrolling && <Enrol onClose={() => setEnrolling(false)} />}
    </>
  );
}

function Enrol({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [code, setCode] = useState<string>();
  const requesting = useMutation({ mutationFn: () => post<RequestedConfirmation>("/devices/enrolment", { name }) });
  function submit(event: FormEvent) {
    event.preventDefault();
    requesting.mutate();
  }
  if (code) {
    return (
      <ShownOnce
        title="Código para la caja"
        label={`Escríbalo en «${name}»`}
        value={`${code.slice(0, 5)}-${code.slice(5)}`}
        warning="Vence en 10 minutos y sirve para una sola caja. La caja aparece en la lista apenas lo use."
        onClose={() => {
          void client.invalidateQueries({ queryKey: ["devices"] });
          onClose();
        }}
      >
        <Group align="flex-start">
          <Qr text={`${location.origin}/caja/#codigo=${code}`} label="Código QR que abre y vincula la caja" />
          <Text size="sm" style={{ flex: "1 1 12rem" }}>
            Escanéelo con la tableta o el teléfono que será la caja, o{" "}
            <a href={`/caja/#codigo=${code}`} target="_blank" rel="noreferrer">
              abra la caja en este equipo
            </a>
            . También puede escribir el código en la dirección <code>{location.origin}/caja/</code>.
          </Text>
        </Group>
      </ShownOnce>
    );
  }
  if (requesting.data) {
    return (
      <CodeDialog<Result<"device.enrol">>
        confirmation={requesting.data}
        action={`vincular la caja «${name}»`}
        onDone={(result) => setCode(result.enrolment_code)}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog onClose={onClose} title="Vincular una caja">
      <form onSubmit={submit}>
        <TextInput
          label="Nombre de la caja"
          description="Como la reconoce su gente."
          placeholder="Caja 2"
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <ErrorMessage error={requesting.error} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" loading={requesting.isPending} disabled={name.trim() === ""}>
            Continuar
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
