import { TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Link, useLocation } from "wouter";
import { useFilters } from "../lib/address.ts";
import type { ApiCall } from "../lib/answers.ts";
import { fromTyped } from "../lib/format.ts";
import { useList } from "../lib/queries.ts";
import { CallTable } from "../ui/call-table.tsx";
import { FilterSelect, PeriodInputs } from "../ui/filter-inputs.tsx";
import { FilteredResults } from "../ui/filtered-results.tsx";
import { Heading } from "../ui/parts.tsx";
import { ResultSwitch } from "./key-calls.tsx";
import { useKeys } from "./keys.tsx";

const names = ["resultado", "clave", "metodo", "ruta", "desde", "hasta"] as const;
const none = { resultado: null, clave: null, metodo: null, ruta: null, desde: null, hasta: null };
const requestIdPattern = /^req_[0-9a-f]{32}$/;

/** Every request to the API with one of the account's keys. */
export default function Requests() {
  const [filters, setFilters] = useFilters(names);
  const keys = useKeys();
  const list = useList<ApiCall>("/requests", {
    result: filters.resultado,
    key_id: filters.clave,
    method: filters.metodo,
    path: filters.ruta,
    created_since: fromTyped(filters.desde),
    created_until: fromTyped(filters.hasta),
  });
  const nameOf = (id: string) => keys.data?.find((key) => key.id === id)?.name ?? "–";
  const hasFilters = Object.keys(filters).length > 0;
  return (
    <>
      <Heading
        title="Registro de solicitudes"
        lead="Lo que sus sistemas pidieron a la API en los últimos 7 días. Los cuerpos no se guardan."
      >
        <ResultSwitch value={filters.resultado} onChange={setFilters} />
      </Heading>
      <div className="card" style={{ marginBottom: "1rem" }}>
        <div className="filters">
          <FilterSelect
            label="Clave"
            clearLabel="Quitar el filtro de clave"
            value={filters.clave}
            onChange={(clave) => setFilters({ clave })}
            options={(keys.data ?? []).map(({ id, name, last_four }) => ({
              value: id,
              label: `${name} …${last_four}`,
            }))}
          />
          <FilterSelect
            label="Método"
            clearLabel="Quitar el filtro de método"
            value={filters.metodo}
            onChange={(metodo) => setFilters({ metodo })}
            options={["GET", "POST", "PATCH", "DELETE"].map((value) => ({ value, label: value }))}
          />
          <PathSearch value={filters.ruta} onSearch={(ruta) => setFilters({ ruta })} />
          <PeriodInputs filters={filters} onChange={setFilters} />
        </div>
      </div>
      <FilteredResults
        list={list}
        canSearch
        onClearFilters={hasFilters ? () => setFilters(none) : undefined}
        icon="list"
        noMatch="Ninguna solicitud coincide"
        none="Todavía no hay solicitudes"
        hint={
          <>
            Aparecen apenas un sistema use una de <Link href="/claves">sus claves</Link>.
          </>
        }
      >
        {(calls) => <CallTable calls={calls} keyName={nameOf} />}
      </FilteredResults>
    </>
  );
}

/** A part of the path filters the list; a whole request_id opens that request. */
function PathSearch({ value, onSearch }: { value: string | undefined; onSearch: (path: string | null) => void }) {
  const [, navigate] = useLocation();
  const [text, setText] = useState(value ?? "");
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    setText(value ?? "");
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    const typed = text.trim();
    if (requestIdPattern.test(typed)) navigate(`/solicitudes/${typed}`);
    else onSearch(typed || null);
  }
  return (
    <form onSubmit={submit}>
      <TextInput
        label="Ruta o request_id"
        placeholder="/sales"
        maxLength={100}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={submit}
      />
    </form>
  );
}
