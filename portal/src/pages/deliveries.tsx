import { Button, Select } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { useFilters } from "../lib/address.ts";
import type { Delivery, Endpoint } from "../lib/answers.ts";
import { allEvents, eventTitle } from "../lib/developer-words.ts";
import { fromTyped } from "../lib/format.ts";
import { useEndpoints, useList } from "../lib/queries.ts";
import { deliveryStates, endpointName } from "../lib/words.ts";
import { DeliveryTable } from "../ui/delivery-table.tsx";
import { FilterSelect, PeriodInputs } from "../ui/filter-inputs.tsx";
import { FilteredResults } from "../ui/filtered-results.tsx";
import { Empty, ErrorMessage, Heading, Loading } from "../ui/parts.tsx";
import { isSearchable, Search } from "../ui/search.tsx";
import { Recover } from "./recover.tsx";

export default function Deliveries() {
  const endpoints = useEndpoints();
  const [filters, setFilters] = useFilters(["endpoint"]);
  const [isRecovering, setRecovering] = useState(false);
  const endpointId = filters.endpoint ?? endpoints.data?.[0]?.id;
  if (endpoints.isPending) return <Loading />;
  return (
    <>
      <Heading title="Entregas" lead="Qué se envió a cada webhook en los últimos 30 días, qué respondió y qué hacer.">
        {endpointId && (
          <Button variant="default" onClick={() => setRecovering(true)}>
            Recuperar desde…
          </Button>
        )}
      </Heading>
      <ErrorMessage error={endpoints.error} retry={endpoints.refetch} />
      {endpoints.data?.length === 0 ? (
        <div className="card">
          <Empty icon="send" title="Todavía no hay a quién entregar">
            <p>Agregue un webhook y aquí verá cada entrega, intento por intento.</p>
            <Button component={Link} href="/webhooks/nuevo">
              Agregar webhook
            </Button>
          </Empty>
        </div>
      ) : (
        <DeliveriesOf
          endpointId={endpointId}
          endpoints={endpoints.data ?? []}
          onChoose={(endpoint) => setFilters({ endpoint })}
        />
      )}
      {isRecovering && endpointId && <Recover endpointId={endpointId} onClose={() => setRecovering(false)} />}
    </>
  );
}

function DeliveriesOf({
  endpointId,
  endpoints,
  onChoose,
}: {
  endpointId: string | undefined;
  endpoints: Endpoint[];
  onChoose: (id: string | null) => void;
}) {
  const [filters, setFilters] = useFilters(["estado", "tipo", "q", "desde", "hasta"]);
  const canSearch = isSearchable(filters.q);
  const list = useList<Delivery>(
    `/webhook-endpoints/${endpointId}/deliveries`,
    {
      state: filters.estado,
      type: filters.tipo,
      q: filters.q,
      created_since: fromTyped(filters.desde),
      created_until: fromTyped(filters.hasta),
    },
    endpointId !== undefined && canSearch,
  );
  const hasFilters = Object.keys(filters).length > 0;
  return (
    <>
      <div className="card" style={{ marginBottom: "1rem" }}>
        <div className="filters">
          <Select
            label="Webhook"
            className="wide-filter"
            allowDeselect={false}
            value={endpointId ?? null}
            onChange={onChoose}
            data={endpoints.map((endpoint) => ({ value: endpoint.id, label: endpointName(endpoint) }))}
            description={endpoints.find(({ id }) => id === endpointId)?.url}
            inputWrapperOrder={["label", "input", "description"]}
            styles={{ description: { overflowWrap: "anywhere" } }}
            renderOption={({ option }) => <EndpointOption endpoint={endpoints.find(({ id }) => id === option.value)} />}
          />
          <FilterSelect
            label="Estado"
            clearLabel="Quitar el filtro de estado"
            value={filters.estado}
            onChange={(estado) => setFilters({ estado })}
            options={Object.entries(deliveryStates).map(([value, { title }]) => ({ value, label: title }))}
          />
          <FilterSelect
            label="Evento"
            clearLabel="Quitar el filtro de evento"
            value={filters.tipo}
            onChange={(tipo) => setFilters({ tipo })}
            options={[...allEvents.map(({ type }) => type), "webhook.test"].map((type) => ({
              value: type,
              label: eventTitle(type),
            }))}
          />
          <PeriodInputs filters={filters} onChange={setFilters} />
        </div>
        <Search
          value={filters.q}
          onSearch={(q) => setFilters({ q })}
          label="Buscar por identificador de entrega o de evento"
        />
      </div>
      <FilteredResults
        list={list}
        canSearch={canSearch}
        onClearFilters={
          hasFilters ? () => setFilters({ estado: null, tipo: null, q: null, desde: null, hasta: null }) : undefined
        }
        icon="send"
        noMatch="Ninguna entrega coincide"
        none="Todavía no hay entregas"
        hint={
          <>
            Aparecen apenas ocurre un evento, o al enviar uno de prueba desde{" "}
            <Link href={`/webhooks/${endpointId}`}>el webhook</Link>.
          </>
        }
      >
        {(deliveries) => <DeliveryTable deliveries={deliveries} />}
      </FilteredResults>
    </>
  );
}

/** With its whole address: a list must not cut what tells two of them apart. */
function EndpointOption({ endpoint }: { endpoint: Endpoint | undefined }) {
  if (!endpoint) return null;
  return (
    <div style={{ overflowWrap: "anywhere" }}>
      {endpoint.name && <div>{endpoint.name}</div>}
      <span className="mono">{endpoint.url}</span>
    </div>
  );
}
