import { Link } from "wouter";
import type { AuditEntry } from "../lib/answers.ts";
import { useList } from "../lib/queries.ts";
import { Empty, ErrorMessage, Loading, LoadMore, Section } from "../ui/parts.tsx";
import { RecordTable } from "../ui/record-table.tsx";
import { auditColumns } from "./audit-cells.tsx";

/** The newest entries; the page has all of them, with filters and files. */
export function AuditLog() {
  const list = useList<AuditEntry>("/audit-log", {});
  return (
    <Section
      title="Registro de seguridad"
      lead={
        <>
          Cada cambio que importa: qué fue, cuándo y desde dónde.{" "}
          <Link href="/ajustes/registro">Buscar o descargar</Link>
        </>
      }
    >
      <ErrorMessage error={list.error} retry={list.refetch} />
      {list.isPending ? (
        <Loading />
      ) : list.data?.length ? (
        <RecordTable label="Registro de seguridad" rows={list.data} rowKey={({ id }) => id} columns={auditColumns} />
      ) : (
        <Empty icon="list" title="Todavía no hay cambios" />
      )}
      <LoadMore list={list} />
    </Section>
  );
}
