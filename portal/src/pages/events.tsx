import { Button, Group, Select, Text } from "@mantine/core";
import { Link } from "wouter";
import { useFilters } from "../lib/address.ts";
import type { ListedEvent } from "../lib/answers.ts";
import { fromTyped } from "../lib/format.ts";
import { useList } from "../lib/queries.ts";
import { allEvents, deliveryStates, eventTitle } from "../lib/words.ts";
import { Empty, Heading, Id, Loading, More, State, Time, Trouble } from "../ui/parts.tsx";
import { PeriodInputs } from "../ui/period-inputs.tsx";
import { isId, Search } from "./deliveries.tsx";

export default function Events() {
  const [filters, setFilters] = useFilters(["tipo", "q", "desde", "hasta"]);
  const isSearchable = filters.q === undefined || isId(filters.q);
  const list = useList<ListedEvent>(
    "/events",
    {
      type: filters.tipo,
      q: filters.q,
      created_since: fromTyped(filters.desde),
      created_until: fromTyped(filters.hasta),
    },
    isSearchable,
  );
  const hasFilters = Object.keys(filters).length > 0;
  return (
    <>
      <Heading title="Eventos" lead="Todo lo que pasó en su negocio en los últimos 30 días, y a quién se le avisó." />
      <div className="card" style={{ marginBottom: "1rem" }}>
        <div className="filters">
          <Select
            label="Tipo"
            clearable
            placeholder="Todos"
            clearButtonProps={{ "aria-label": "Quitar el filtro de tipo" }}
            value={filters.tipo ?? null}
            onChange={(value) => setFilters({ tipo: value })}
            data={allEvents.map(({ type, title }) => ({ value: type, label: title }))}
          />
          <PeriodInputs filters={filters} onChange={setFilters} />
        </div>
        <Search
          value={filters.q ?? ""}
          onSearch={(q) => setFilters({ q })}
          isValid={isSearchable}
          label="Buscar por identificador del evento"
        />
      </div>
      <Trouble error={list.error} retry={list.refetch} />
      <div className="card" aria-busy={list.isFetching}>
        {list.isPending && isSearchable && !list.error ? (
          <Loading />
        ) : list.data?.length && isSearchable ? (
          <table className="rows" aria-label="Eventos">
            <thead>
              <tr>
                <th>Evento</th>
                <th>Entregas</th>
                <th>Cuándo</th>
                <th>Identificador</th>
              </tr>
            </thead>
            <tbody>
              {list.data.map((event) => (
                <tr key={event.id}>
                  <td data-label="">
                    <Link href={`/eventos/${event.id}`}>{eventTitle(event.type)}</Link>
                    <Text size="xs" c="dimmed" component="div" className="mono">
                      {event.type}
                    </Text>
                  </td>
                  <td data-label="Entregas">
                    {event.deliveries.length === 0 ? (
                      <Text span c="dimmed" size="sm">
                        Ningún webhook
                      </Text>
                    ) : (
                      <Group gap={6}>
                        {event.deliveries.map(({ id, url, state }) => (
                          <Link key={id} href={`/entregas/${id}`} title={url ?? "Webhook eliminado"}>
                            <State {...deliveryStates[state]} />
                          </Link>
                        ))}
                      </Group>
                    )}
                  </td>
                  <td data-label="Cuándo">
                    <Time at={event.created_at} />
                  </td>
                  <td data-label="Identificador" className="wide">
                    <Id value={event.id} label="Copiar el identificador del evento" />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : (
          <Empty icon="list" title={hasFilters ? "Ningún evento coincide" : "Todavía no hay eventos"}>
            {hasFilters ? (
              <Button
                mt="xs"
                variant="default"
                onClick={() => setFilters({ tipo: null, q: null, desde: null, hasta: null })}
              >
                Quitar los filtros
              </Button>
            ) : (
              <>
                Aparecen cuando una caja sincroniza o la API cambia algo. <Link href="/cajas">Vincule una caja</Link>{" "}
                para empezar.
              </>
            )}
          </Empty>
        )}
        <More list={list} />
      </div>
    </>
  );
}
