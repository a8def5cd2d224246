import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { useFilters } from "../lib/address.ts";
import type { Device } from "../lib/answers.ts";
import { duration, number, plural } from "../lib/format.ts";
import { useDevices } from "../lib/queries.ts";
import { useSedeColumn } from "../lists/sede-column.tsx";
import { Allowed } from "../ui/allowed.tsx";
import { Icon } from "../ui/icons.tsx";
import { Empty, ErrorMessage, Heading, Loading, StateBadge, Time } from "../ui/parts.tsx";
import { type Column, RecordTable } from "../ui/record-table.tsx";
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

const nameColumn: Column<Device> = {
  title: "Caja",
  cell: ({ id, name }) => <Link href={`/cajas/${id}`}>{name}</Link>,
};
const columns: Column<Device>[] = [
  { title: "Estado", cell: (device) => <DeviceState device={device} /> },
  { title: "Versión", cell: ({ app_version }) => app_version ?? "No ha informado" },
  { title: "Vista por última vez", cell: ({ last_seen_at }) => <Seen at={last_seen_at} /> },
];

function Seen({ at }: { at: string | null }) {
  if (at) return <Time at={at} relative />;
  return (
    <Text span c="dimmed">
      Nunca
    </Text>
  );
}

export default function Devices() {
  const devices = useDevices();
  const sede = useSedeColumn<Device>();
  const [{ todas }, setFilters] = useFilters(["todas"]);
  const [isEnrolling, setEnrolling] = useState(false);
  const [isHandingIn, setHandingIn] = useState(false);
  const all = devices.data ?? [];
  const shown = todas ? all : all.filter((device) => device.revoked_at === null);
  const hidden = all.length - shown.length;
  return (
    <>
      <Heading title="Cajas" lead="Los equipos que registran ventas y se sincronizan con su cuenta.">
        <Allowed to="registers:write">
          <Button variant="default" onClick={() => setHandingIn(true)}>
            Subir archivo de una caja
          </Button>
          <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setEnrolling(true)}>
            Vincular caja
          </Button>
        </Allowed>
      </Heading>
      <ErrorMessage error={devices.error} retry={devices.refetch} />
      {!devices.data ? (
        devices.isPending && <Loading />
      ) : (
        <div className="card">
          {shown.length === 0 ? (
            <Empty icon="register" title="Todavía no hay cajas vinculadas">
              Cree un código, escríbalo en la aplicación de la caja y empezará a subir sus ventas.
            </Empty>
          ) : (
            <RecordTable
              label="Cajas"
              rows={shown}
              rowKey={({ id }) => id}
              columns={[nameColumn, ...sede, ...columns]}
            />
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
