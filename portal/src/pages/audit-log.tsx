import { Text } from "@mantine/core";
import type { AuditEntry } from "../lib/answers.ts";
import { useList } from "../lib/queries.ts";
import { actionTitle } from "../lib/words.ts";
import { Empty, ErrorMessage, Loading, LoadMore, Section, Time } from "../ui/parts.tsx";
import { type Column, RecordTable } from "../ui/record-table.tsx";

export function AuditLog() {
  const list = useList<AuditEntry>("/audit-log", {});
  return (
    <Section title="Registro de seguridad" lead="Cada cambio que importa: qué fue, cuándo y desde dónde.">
      <ErrorMessage error={list.error} retry={list.refetch} />
      {list.isPending ? (
        <Loading />
      ) : list.data?.length ? (
        <RecordTable label="Registro de seguridad" rows={list.data} rowKey={({ id }) => id} columns={columns} />
      ) : (
        <Empty icon="list" title="Todavía no hay cambios" />
      )}
      <LoadMore list={list} />
    </Section>
  );
}

const columns: Column<AuditEntry>[] = [
  { title: "Qué pasó", cell: ({ action }) => actionTitle(action) },
  {
    title: "Detalle",
    cell: ({ details }) => (
      <Text size="sm" className="mono" component="span">
        {detailOf(details)}
      </Text>
    ),
  },
  { title: "Desde", cell: (entry) => <span className="mono">{fromOf(entry)}</span> },
  { title: "Cuándo", cell: ({ created_at }) => <Time at={created_at} /> },
];

const shownDetails = ["url", "name", "email", "nit", "prefix", "document", "failures", "overlap_hours"];

const actors = {
  owner: "El portal",
  operator: "El operador de la instalación",
  register: "Una caja",
  service: "El servicio",
  stranger: "Varias direcciones",
};

function fromOf({ actor, remote_address }: AuditEntry): string {
  if (remote_address === null) return actors[actor];
  return actor === "register" ? `${remote_address} (una caja)` : remote_address;
}

/** Only what a person recognizes; ids are left out. */
function detailOf(details: Record<string, unknown>): string {
  const found = shownDetails.find((name) => details[name] !== undefined && details[name] !== "");
  const texts = [
    ...(found === undefined ? [] : [String(details[found])]),
    ...(details.plan === undefined
      ? []
      : [`plan ${details.plan}, ${details.active === false ? "inactiva" : "activa"}`]),
    ...(Number(details.times) > 1 ? [`${details.times} veces`] : []),
  ];
  return texts.join(" · ") || "–";
}
