import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useFilters } from "../lib/address.ts";
import type { Answer, SaleRow } from "../lib/answers.ts";
import { get, query } from "../lib/api.ts";
import { endOf, number, pesos, plural, startOf } from "../lib/format.ts";
import { useList } from "../lib/queries.ts";
import { documentName, saleKinds } from "../lib/record-words.ts";
import { averageOf } from "../lib/sums.ts";
import { paymentTitle, paymentTitles, saleMovements, saleState } from "../lib/words.ts";
import { CustomerFilter } from "../ui/customer-select.tsx";
import { ExportMenu } from "../ui/export-menu.tsx";
import { Figure, Figures } from "../ui/figure.tsx";
import { type Filter, FilterBar, useFilterBar } from "../ui/filter-bar.tsx";
import { Heading, StateBadge, Time } from "../ui/parts.tsx";
import { RecordList } from "../ui/record-list.tsx";
import type { Column } from "../ui/record-table.tsx";

export const saleTableColumns: Column<SaleRow>[] = [
  { title: "Cuándo", cell: ({ occurred_at }) => <Time at={occurred_at} /> },
  { title: "Documento", cell: ({ documents }) => <DocumentsOf documents={documents} /> },
  { title: "Cliente", cell: ({ customer }) => customer?.name ?? "Consumidor final" },
  { title: "Caja", isExtra: true, cell: ({ register }) => register ?? "–" },
  { title: "Medio", cell: ({ parts }) => paymentTitles(parts) },
  { title: "Estado", cell: (row) => <StateBadge {...movementState(row)} /> },
  { title: "Total", isNumber: true, cell: (row) => <Amount row={row} /> },
];

/** A return, a cancellation or a correction stands beside the sale that it takes back, with its own amount. */
export const movementState = ({ kind, state }: Pick<SaleRow, "kind" | "state">) =>
  kind === "sale" ? saleState(state) : saleMovements[kind];

/** Under a filter by means, what was paid with it. What is no sale stands below: a tip, or money for third parties. */
function Amount({ row: { total, net, paid, counts, is_corrected } }: { row: SaleRow }) {
  const shown = paid ?? total;
  const note = !counts ? "no cuenta" : paid !== null && paid !== total ? `de ${pesos(total)}` : undefined;
  const sales = net === shown || paid !== null ? undefined : `${pesos(net)} de ventas`;
  const below = [note ?? sales, is_corrected ? "corregida después" : undefined].filter(Boolean).join(", ");
  return (
    <>
      {pesos(shown)}
      {below && (
        <Text size="sm" c="dimmed" component="div" className="below">
          {below}
        </Text>
      )}
    </>
  );
}

export default function Sales() {
  const filters = useSaleFilters();
  const { values, clear, bar } = useFilterBar(filters);
  const [{ turno }, setShift] = useFilters(["turno"]);
  const asked = {
    occurred_since: startOf(values.desde),
    occurred_until: endOf(values.hasta),
    movement: values.movimiento,
    register: values.caja,
    state: values.estado,
    payment_method: values.medio,
    document_kind: values.tipo,
    customer_id: values.cliente,
    number: values.documento,
    total_min: values.minimo,
    total_max: values.maximo,
    cash_session_id: turno,
  };
  const list = useList<SaleRow>("/sales", asked);
  return (
    <>
      <Heading title="Ventas" lead="Lo que registraron sus cajas, con su documento, su medio de pago y su total.">
        <ExportMenu href={(format) => `/tables/sales.${format}${query(asked)}`} />
      </Heading>
      <FilterBar bar={bar} />
      {turno && (
        <Text mb="md">
          Solo las ventas de <Link href={`/turnos/${turno}`}>un turno</Link>.{" "}
          <button type="button" className="as-link" onClick={() => setShift({ turno: null })}>
            Ver las de todos
          </button>
        </Text>
      )}
      <RecordList
        label="Ventas"
        list={list}
        columns={saleTableColumns}
        href={({ sale_id }) => `/ventas/${sale_id}`}
        totals={<Totals filters={asked} />}
        onClearFilters={clear ?? (turno ? () => setShift({ turno: null }) : undefined)}
        words={{
          icon: "sale",
          none: "Todavía no hay ventas",
          noMatch: "Ninguna venta coincide",
          hint: (
            <>
              Llegan solas cuando una caja sincroniza. <Link href="/cajas">Vincule una caja</Link> para empezar.
            </>
          ),
        }}
      />
    </>
  );
}

function useSaleFilters() {
  const { data: choices } = useQuery({
    queryKey: ["sale-choices"],
    queryFn: ({ signal }) => get<Answer<"GET /sales/choices">>("/sales/choices", signal),
    staleTime: 60_000,
  });
  const options = (values: readonly string[] | undefined, title: (value: string) => string) =>
    (values ?? []).map((value) => ({ value, label: title(value) }));
  return [
    { name: "desde", label: "Desde", kind: "date" },
    { name: "hasta", label: "Hasta", kind: "date" },
    {
      name: "movimiento",
      label: "Movimiento",
      kind: "choice",
      options: [
        { value: "sales", label: "Ventas" },
        { value: "returns", label: "Devoluciones, anulaciones y correcciones" },
      ],
    },
    {
      name: "caja",
      label: "Caja",
      kind: "choice",
      placeholder: "Todas",
      options: options(choices?.registers, (name) => name),
    },
    { name: "medio", label: "Medio de pago", kind: "choice", options: options(choices?.payment_methods, paymentTitle) },
    {
      name: "estado",
      label: "Estado",
      kind: "choice",
      options: options(choices?.states, (state) => saleState(state).title),
    },
    {
      name: "tipo",
      label: "Documento pedido",
      kind: "choice",
      options: Object.entries(saleKinds).map(([value, label]) => ({ value, label })),
    },
    { name: "documento", label: "Número de documento", kind: "text", placeholder: "EPOS 1024" },
    { name: "cliente", label: "Cliente", kind: "own", input: CustomerFilter },
    { name: "minimo", label: "Total desde", kind: "amount", placeholder: "$" },
    { name: "maximo", label: "Total hasta", kind: "amount", placeholder: "$" },
  ] as const satisfies Filter[];
}

/** What all the filtered sales add up to, not only those on screen. */
function Totals({ filters }: { filters: Record<string, string | undefined> }) {
  const { data } = useQuery({
    queryKey: ["sale-totals", filters],
    queryFn: ({ signal }) => get<Answer<"GET /sales/totals">>(`/sales/totals${query(filters)}`, signal),
    refetchInterval: 15_000,
    placeholderData: (before) => before,
  });
  if (!data || isNothing(data)) return null;
  const { payment_method: method, movement } = filters;
  return <SaleFigures totals={data} {...(method && { method })} {...(movement && { movement })} />;
}

export const isNothing = ({ tickets, returned, received, uncounted }: Answer<"GET /sales/totals">) =>
  tickets === 0 && returned === 0 && received === 0 && uncounted.count === 0;

export function SaleFigures({
  totals: { tickets, gross, returned, net, tax, tip, passthrough, states, means, uncounted },
  method,
  movement,
}: {
  totals: Answer<"GET /sales/totals">;
  /** The means of payment that the list is filtered by. */
  method?: string;
  /** Sales alone, or what took sales back alone: the first figure is theirs. */
  movement?: string;
}) {
  const left = uncounted.count > 0 && {
    note: `sin ${plural(uncounted.count, "venta que no cuenta", "ventas que no cuentan")}`,
  };
  if (means && method)
    return (
      <Figures label="Totales de lo filtrado">
        <Figure isMain label={`Recibido: ${paymentTitle(method)}`} value={pesos(means.received)} {...left} />
        <Figure label="Pagos" value={number(means.payments)} />
      </Figures>
    );
  return (
    <Figures label="Totales de lo filtrado">
      {movement === "sales" ? (
        <Figure isMain label="Ventas brutas" value={pesos(gross)} {...left} />
      ) : movement === "returns" ? (
        <Figure isMain label="Devoluciones" value={pesos(returned)} note="devoluciones, anulaciones y correcciones" />
      ) : (
        <>
          <Figure isMain label="Ventas netas" value={pesos(net)} {...left} />
          {returned !== 0 && <Figure label="Ventas brutas" value={pesos(gross)} />}
          {returned !== 0 && <Figure label="Devoluciones" value={pesos(returned)} />}
        </>
      )}
      {movement !== "returns" && <Figure label="Ventas" value={number(tickets)} {...noteOf(states)} />}
      {tickets > 0 && <Figure label="Venta promedio" value={pesos(averageOf({ gross, tickets }))} />}
      <Figure label="Impuestos" value={pesos(tax)} />
      {tip !== 0 && <Figure label="Propinas" value={pesos(tip)} />}
      {passthrough !== 0 && <Figure label="Para terceros" value={pesos(passthrough)} />}
    </Figures>
  );
}

/** What became of some of the sales. */
function noteOf({ returned, partly_returned, cancelled }: Answer<"GET /sales/totals">["states"]) {
  const words = [
    returned > 0 && plural(returned, "devuelta", "devueltas"),
    partly_returned > 0 && `${plural(partly_returned, "devuelta", "devueltas")} en parte`,
    cancelled > 0 && plural(cancelled, "anulada", "anuladas"),
  ].filter((one) => one !== false);
  return words.length > 0 && { note: words.join(", ") };
}

function DocumentsOf({ documents }: Pick<SaleRow, "documents">) {
  if (documents.length === 0) return <>Sin documento</>;
  return <>{documents.map((document) => documentName(document)).join(", ")}</>;
}
