import { Group, Text } from "@mantine/core";
import { Link } from "wouter";
import { useFilters } from "../lib/address.ts";
import type { ListedEvent } from "../lib/answers.ts";
import { allEvents, eventTitle } from "../lib/developer-words.ts";
import { fromTyped } from "../lib/format.ts";
import { useList } from "../lib/queries.ts";
import { deliveryStates } from "../lib/words.ts";
import { FilterSelect, PeriodInputs } from "../ui/filter-inputs.tsx";
import { FilteredResults } from "../ui/filtered-results.tsx";
import { Heading, Id, StateBadge, Time } from "../ui/parts.tsx";
import { type Column, RecordTable } from "../ui/record-table.tsx";
import { isSearchable, Search } from "../ui/search.tsx";

export default function Events() {
  const [filters, setFilters] = useFilters(["tipo", "q", "desde", "hasta"]);
  const canSearch = isSearchable(filters.q);
  const list = useList<ListedEvent>(
    "/events",
    {
      type: filters.tipo,
      q: filters.q,
      created_since: fromTyped(filters.desde),
      created_until: fromTyped(filters.hasta),
    },
    canSearch,
  );
  const hasFilters = Object.keys(filters).length > 0;
  return (
    <>
      <Heading title="Eventos" lead="Todo lo que pasó en su negocio en los últimos 30 días, y a quién se le avisó." />
      <div className="card" style={{ marginBottom: "1rem" }}>
        <div className="filters">
          <FilterSelect
            label="Tipo"
            clearLabel="Quitar el filtro de tipo"
            value={filters.tipo}
            onChange={(tipo) => setFilters({ tipo })}
            options={allEvents.map(({ type, title }) => ({ value: type, label: title }))}
          />
          <PeriodInputs filters={filters} onChange={setFilters} />
        </div>
        <Search value={filters.q} onSearch={(q) => setFilters({ q })} label="Buscar por identificador del evento" />
      </div>
      <FilteredResults
        list={list}
        canSearch={canSearch}
        onClearFilters={hasFilters ? () => setFilters({ tipo: null, q: null, desde: null, hasta: null }) : undefined}
        icon="list"
        noMatch="Ningún evento coincide"
        none="Todavía no hay eventos"
        hint={
          <>
            Aparecen cuando una caja sincroniza o la API cambia algo. <Link href="/cajas">Vincule una caja</Link> para
            empezar.
          </>
        }
      >
        {(events) => <RecordTable label="Eventos" rows={events} rowKey={({ id }) => id} columns={columns} />}
      </FilteredResults>
    </>
  );
}

const columns: Column<ListedEvent>[] = [
  {
    title: "Evento",
    cell: ({ id, type }) => (
      <>
        <Link href={`/eventos/${id}`}>{eventTitle(type)}</Link>
        <Text size="xs" c="dimmed" component="div" className="mono">
          {type}
        </Text>
      </>
    ),
  },
  { title: "Entregas", cell: ({ deliveries }) => <States deliveries={deliveries} /> },
  { title: "Cuándo", cell: ({ created_at }) => <Time at={created_at} /> },
  {
    title: "Identificador",
    isExtra: true,
    cell: ({ id }) => <Id value={id} label="Copiar el identificador del evento" />,
  },
];

function States({ deliveries }: Pick<ListedEvent, "deliveries">) {
  if (deliveries.length === 0)
    return (
      <Text span c="dimmed" size="sm">
        Ningún webhook
      </Text>
    );
  return (
    <Group gap={6}>
      {deliveries.map(({ id, url, state }) => (
        <Link key={id} href={`/entregas/${id}`} title={url ?? "Webhook eliminado"}>
          <StateBadge {...deliveryStates[state]} />
        </Link>
      ))}
    </Group>
  );
}
