import { SegmentedControl } from "@mantine/core";
import { useFilters } from "../lib/address.ts";
import type { ApiCall, ApiKey } from "../lib/answers.ts";
import { useList } from "../lib/queries.ts";
import { CallTable } from "../ui/call-table.tsx";
import { Empty, ErrorMessage, Loading, LoadMore, Section } from "../ui/parts.tsx";

/** The requests that a key made. */
export function Calls({ apiKey }: { apiKey: ApiKey }) {
  const [{ resultado }, setFilters] = useFilters(["resultado"]);
  const list = useList<ApiCall>(`/api-keys/${apiKey.id}/requests`, { result: resultado });
  return (
    <Section title="Solicitudes de los últimos 7 días" aside={<ResultSwitch value={resultado} onChange={setFilters} />}>
      <ErrorMessage error={list.error} retry={list.refetch} />
      {list.isPending ? (
        <Loading />
      ) : list.data?.length ? (
        <CallTable calls={list.data} />
      ) : (
        <Empty icon="list" title={resultado ? "Ninguna solicitud coincide" : "Todavía no hay solicitudes"}>
          {!resultado && <Suggestion apiKey={apiKey} />}
        </Empty>
      )}
      <LoadMore list={list} />
    </Section>
  );
}

export function ResultSwitch({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange: (change: { resultado: string | null }) => void;
}) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="Resultado"
      value={value ?? ""}
      onChange={(chosen) => onChange({ resultado: chosen || null })}
      data={[
        { value: "", label: "Todas" },
        { value: "ok", label: "Correctas" },
        { value: "error", label: "Con error" },
      ]}
    />
  );
}

/** A list that each permission to read allows, in the order in which they are suggested. */
const readable: Record<string, string> = {
  "products:read": "/products",
  "sales:read": "/sales",
  "customers:read": "/customers",
  "inventory:read": "/inventory/movements",
  "cash:read": "/cash-sessions",
  "quotes:read": "/quotes",
  "invoices:read": "/invoices",
  "events:read": "/events",
};

/** A first request that this very key may make. */
function Suggestion({ apiKey }: { apiKey: ApiKey }) {
  const path = Object.entries(readable).find(([scope]) => (apiKey.scopes as string[]).includes(scope))?.[1];
  if (!path) return <>Esta clave solo escribe: haga su primera solicitud desde su sistema y aparecerá aquí.</>;
  return (
    <>
      Pruebe: <span className="mono">GET /public/v1{path}?limit=2</span> con la cabecera{" "}
      <span className="mono">Authorization: Bearer …</span>
    </>
  );
}
