import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { useFilters } from "../lib/address.ts";
import type { Device } from "../lib/answers.ts";
import { duration, number, plural } from "../lib/format.ts";
import { useDevices } from "../lib/queries.ts";
import { Icon } from "../ui/icons.tsx";
import { Empty, ErrorMessage, Heading, Loading, StateBadge, Time } from "../ui/parts.tsx";
import { EnrolRegister } from "./enrol-register.tsx";
import { UnsentFileDialog } from "./unsent-file.tsx";

const skewWorthShowingMs = 5 * 60_000;

/** A register's problems, in a word or two each. */
function problemsOf(device: Device): { title: string; color: string }[] {
  if (device.revoked_at) return [{ title: "Retirada", color: "gray" }];
  const skew = Math.abs(device.skew_ms ?? 0);
  return [
    ...(device.forked_at ? [{ title: "Debe vincularse de nuevo", color: "red" }] : []),
    ...(device.is_outdated ? [{ title: "Desactualizada", color: "yellow" }] : []),
    ...(skew > skewWorthShowingMs ? [{ title: `Reloj corrido ${duration(skew)}`, color: "yellow" }] : []),
    ...(device.waiting > 0 ? [{ title: `${number(device.waiting)} por guardar`, color: "red" }] : []),
    ...(device.quarantined > device.waiting
      ? [{ title: `${number(device.quarantined - device.waiting)} en cuarentena`, color: "red" }]
      : []),
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
  const [isHandingIn, setHandingIn] = useState(false);
  const all = devices.data ?? [];
  const shown = todas ? all : all.filter((device) => device.revoked_at === null);
  const hidden = all.length - shown.length;
  return (
    <>
      <Heading title="Cajas" lead="Los equipos que registran ventas y se sincronizan con su cuenta.">
        <Button variant="default" onClick={() => setHandingIn(true)}>
          Subir archivo de una caja
        </Button>
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
      {isHandingIn && <UnsentFileDialog onClose={() => setHandingIn(false)} />}
      {isEnrolling && <EnrolRegister onClose={() => setEnrolling(false)} />}
    </>
  );
}
