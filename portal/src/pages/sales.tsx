import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { saleList } from "../../../src/api/portal/lists/sales.ts";
import { saleMovements, saleState } from "../../../src/api/portal/lists/words.ts";
import type { Answer, SaleRow } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { number, pesos, plural } from "../lib/format.ts";
import { documentName } from "../lib/record-words.ts";
import { averageOf } from "../lib/sums.ts";
import { paymentTitle } from "../lib/words.ts";
import type { AskedText } from "../lists/list-filters.ts";
import { ListPage, useTotals } from "../lists/list-page.tsx";
import { useSedeColumn } from "../lists/sede-column.tsx";
import { Figure, Figures } from "../ui/figure.tsx";
import { StateBadge } from "../ui/parts.tsx";

const list = saleList();

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
  return (
    <ListPage
      list={list}
      besides={useSedeColumn()}
      heading={{ lead: "Lo que registraron sus cajas, con su documento, su medio de pago y su total." }}
      choices={useSaleChoices()}
      cells={{
        documents: ({ documents }) => documents.map((one) => documentName(one)).join(", ") || "Sin documento",
        state: (row) => <StateBadge {...movementState(row)} />,
        total: (row) => <Amount row={row} />,
      }}
      href={({ sale_id }) => `/ventas/${sale_id}`}
      note={({ cash_session_id: shift }, clear) => shift && <OfShift id={shift} onClear={clear} />}
      totals={(asked) => <Totals asked={asked} />}
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
  );
}

function OfShift({ id, onClear }: { id: string; onClear: () => void }) {
  return (
    <Text mb="md">
      Solo las ventas de <Link href={`/turnos/${id}`}>un turno</Link>.{" "}
      <button type="button" className="as-link" onClick={onClear}>
        Ver las de todos
      </button>
    </Text>
  );
}

function useSaleChoices() {
  const { data } = useQuery({
    queryKey: ["sale-choices"],
    queryFn: ({ signal }) => get<Answer<"GET /sales/choices">>("/sales/choices", signal),
    staleTime: 60_000,
  });
  const options = (values: readonly string[] = [], title = (value: string) => value) =>
    values.map((value) => ({ value, label: title(value) }));
  return {
    register: options(data?.registers),
    payment_method: options(data?.payment_methods, paymentTitle),
    state: options(data?.states, (state) => saleState(state).title),
  };
}

/** What all the filtered sales add up to, not only those on screen. */
function Totals({ asked }: { asked: AskedText }) {
  const { data } = useTotals<Answer<"GET /sales/totals">>("/sales", asked);
  if (!data || isNothing(data)) return null;
  const { payment_method: method, movement } = asked;
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
