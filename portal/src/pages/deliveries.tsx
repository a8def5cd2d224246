import { Button, Group, Select, TextInput } from "@mantine/core";
import { type FormEvent, useEffect, useState } from "react";
import { Link } from "wouter";
import { useFilters } from "../lib/address.ts";
import type { Delivery } from "../lib/answers.ts";
import { fromTyped } from "../lib/format.ts";
import { useEndpoints, useList } from "../lib/queries.ts";
import { allEvents, deliveryStates } from "../lib/words.ts";
import { DeliveryTable } from "../ui/delivery-table.tsx";
import { Empty, Heading, Loading, More, Trouble } from "../ui/parts.tsx";
import { PeriodInputs } from "../ui/period-inputs.tsx";
import { ResendFailed } from "./resend-failed.tsx";

const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export default function Deliveries() {
  const endpoints = useEndpoints();
  const [filters, setFilters] = useFilters(["endpoint", "estado", "tipo", "q", "desde", "hasta"]);
  const [isResending, setResending] = useState(false);
  const endpointId = filters.endpoint ?? endpoints.data?.[0]?.id;
  const isSearchable = filters.q === undefined || idPattern.test(filters.q);
  const list = useList<Delivery>(
    `/webhook-endpoints/${endpointId}/deliveries`,
    {
      state: filters.estado,
      type: filters.tipo,
      q: filters.q,
      created_since: fromTyped(filters.desde),
      created_until: fromTyped(filters.hasta),
    },
    endpointId !== undefined && isSearchable,
  );
  const hasFilters = Object.keys(filters).some((name) => name !== "endpoint");
  if (endpoints.isPending) return <Loading />;
  return (
    <>
      <Heading title="Entregas" lead="Qué se envió a cada webhook en los últimos 30 días, qué respondió y qué hacer.">
        {endpointId && (
          <Button variant="default" onClick={() => setResending(true)}>
            Reenviar fallidas
          </Button>
        )}
      </Heading>
      <Trouble error={endpoints.error} retry={endpoints.refetch} />
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
        <>
          <div className="card" style={{ marginBottom: "1rem" }}>
            <div className="filters">
              <Select
                label="Webhook"
                allowDeselect={false}
                value={endpointId ?? null}
                onChange={(value) => setFilters({ endpoint: value })}
                data={(endpoints.data ?? []).map(({ id, url }) => ({ value: id, label: url }))}
              />
              <Select
                label="Estado"
                clearable
                placeholder="Todos"
                clearButtonProps={{ "aria-label": "Quitar el filtro de estado" }}
                value={filters.estado ?? null}
                onChange={(value) => setFilters({ estado: value })}
                data={Object.entries(deliveryStates).map(([value, { title }]) => ({ value, label: title }))}
              />
              <Select
                label="Evento"
                clearable
                placeholder="Todos"
                clearButtonProps={{ "aria-label": "Quitar el filtro de evento" }}
                value={filters.tipo ?? null}
                onChange={(value) => setFilters({ tipo: value })}
                data={[
                  ...allEvents.map(({ type, title }) => ({ value: type, label: title })),
                  { value: "webhook.test", label: "Evento de prueba" },
                ]}
              />
              <PeriodInputs filters={filters} onChange={setFilters} />
            </div>
            <Search value={filters.q ?? ""} onSearch={(q) => setFilters({ q })} isValid={isSearchable} />
          </div>
          <Trouble error={list.error} retry={list.refetch} />
          <div className="card" aria-busy={list.isFetching}>
            {list.isPending && isSearchable && !list.error ? (
              <Loading />
            ) : list.data?.length && isSearchable ? (
              <DeliveryTable deliveries={list.data} />
            ) : (
              <Empty icon="send" title={hasFilters ? "Ninguna entrega coincide" : "Todavía no hay entregas"}>
                {hasFilters ? (
                  <Button
                    mt="xs"
                    variant="default"
                    onClick={() => setFilters({ estado: null, tipo: null, q: null, desde: null, hasta: null })}
                  >
                    Quitar los filtros
                  </Button>
                ) : (
                  <>
                    Aparecen apenas ocurre un evento, o al enviar uno de prueba desde{" "}
                    <Link href={`/webhooks/${endpointId}`}>el webhook</Link>.
                  </>
                )}
              </Empty>
            )}
            <More list={list} />
          </div>
        </>
      )}
      {isResending && endpointId && <ResendFailed endpointId={endpointId} onClose={() => setResending(false)} />}
    </>
  );
}

export function Search({
  value,
  onSearch,
  isValid,
  label = "Buscar por identificador de entrega o de evento",
}: {
  value: string;
  onSearch: (q: string | null) => void;
  isValid: boolean;
  label?: string;
}) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  function submit(event: FormEvent) {
    event.preventDefault();
    onSearch(text.trim() || null);
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm" mt="sm" wrap="nowrap">
        <TextInput
          style={{ flex: 1 }}
          label={label}
          placeholder="019a8b7c-2f10-7c3e-9d41-5b0a6f2e8c23"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={isValid ? undefined : "Un identificador tiene 36 caracteres, como el del ejemplo. Cópielo completo."}
        />
        <Button type="submit" variant="default" style={{ alignSelf: isValid ? "flex-end" : "center" }}>
          Buscar
        </Button>
      </Group>
    </form>
  );
}

export const isId = (text: string) => idPattern.test(text);
