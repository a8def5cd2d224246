import { memo, useLayoutEffect, useRef } from "react";
import type { CatalogProduct } from "../../../register/catalog.ts";
import { pesos, quantity, time } from "../../../register/format.ts";
import { bagTaxOf } from "../../../register/paper.ts";
import { numberOf, type Quote } from "../../../register/quote.ts";
import type { KeptSale } from "../../../register/sale.ts";
import type { TicketLine, Totals } from "../../../register/ticket.ts";
import { placeName, ticketNames } from "../../../register/ticket-name.ts";
import { PrintLast } from "../paper/print-last.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { useCounter, useOpen } from "../use-device.ts";
import { useLeft } from "../use-stock.ts";
import { useBuyer } from "./buyer.tsx";
import { useArticles, useRest, useTicketTotals } from "./use-ticket-totals.ts";

interface Props {
  marked: string | undefined;
  last: KeptSale | undefined;
  onLast: (sale: KeptSale) => void;
  onLine: (lineId: string) => void;
  onBuyer: () => void;
  onTicket: () => void;
  /** Puts it aside, or on an empty ticket takes up one that waits; undefined if there is none. */
  onHold: (() => void) | undefined;
  onQuote: () => void;
  onCharge: () => void;
  /** On a phone it covers the products. */
  onClose: () => void;
}

/** The ticket: always in sight, or on a phone behind its bar. */
export function TicketSide({
  marked,
  last,
  onLast,
  onLine,
  onBuyer,
  onTicket,
  onHold,
  onQuote,
  onCharge,
  onClose,
}: Props) {
  const { register } = useOpen();
  const { current, tickets } = useCounter();
  const { totals, problem } = useTicketTotals();
  const { rest } = useRest(totals);
  const buyer = useBuyer();
  const isEmpty = current.lines.length === 0;
  const quote = current.quote_id ? (register.catalog.get("quote", current.quote_id) as Quote | undefined) : undefined;
  return (
    <section className="ticket" aria-label="Tiquete">
      <header>
        <button type="button" className="back quiet" onClick={onClose}>
          ‹ Productos
        </button>
        <h2>{current.table_label === null ? "Tiquete" : placeName(current.table_label)}</h2>
        <button type="button" className="quiet buyer-button" disabled={isEmpty} onClick={onBuyer}>
          <span>
            {current.document_kind === "invoice" ? "Factura · " : ""}
            {buyer ?? "Consumidor final"}
          </span>{" "}
          <KeyHint act="buyer" />
        </button>
      </header>
      {tickets.length > (isEmpty ? 0 : 1) && <OpenTickets />}
      {isEmpty ? (
        <div className="empty">
          <p>Escanee o toque un producto para empezar.</p>
          {last && <PrintLast key={last.id} sale={last} />}
          {last && (
            <button type="button" className="last" onClick={() => onLast(last)}>
              <span>
                Venta {last.number} · {time(last.data.occurred_at)}
              </span>
              <strong>{pesos(last.data.total)}</strong>
              <small>
                {last.charge.change > 0 ? `Cambio ${pesos(last.charge.change)} · ver e imprimir` : "Ver e imprimir"}{" "}
                <KeyHint act="print" />
              </small>
            </button>
          )}
        </div>
      ) : (
        <ol className="lines">
          {current.lines.map((line, i) => (
            <LineRow
              key={line.id}
              line={line}
              value={totals?.lines[i]?.subtotal}
              bagTax={bagTaxOf(totals?.lines[i]?.taxes ?? null)}
              isMarked={line.id === marked}
              onEdit={onLine}
            />
          ))}
        </ol>
      )}
      {quote && <p className="dim note">De la cotización {numberOf(quote)}</p>}
      {problem && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
      <div className="ticket-end">
        {totals && !isEmpty && <Sums totals={totals} />}
        <div className="buttons">
          <button type="button" disabled={isEmpty} onClick={onTicket}>
            Descuento y notas <KeyHint act="discount" />
          </button>
          <button type="button" disabled={!onHold} onClick={onHold}>
            En espera <KeyHint act="hold" />
          </button>
          <button type="button" disabled={isEmpty || !totals} onClick={onQuote}>
            Cotizar <KeyHint act="quote" />
          </button>
        </div>
        <button type="button" className="primary huge" disabled={isEmpty || !totals} onClick={onCharge}>
          <span>Cobrar {totals && !isEmpty ? pesos(rest) : ""}</span>
          <KeyHint act="charge" />
        </button>
      </div>
    </section>
  );
}

const LineRow = memo(function LineRow(props: {
  line: TicketLine;
  value: number | undefined;
  bagTax: number;
  isMarked: boolean;
  onEdit: (lineId: string) => void;
}) {
  const { line, value, bagTax, isMarked, onEdit } = props;
  const { catalog } = useOpen().register;
  const leftOf = useLeft();
  const product = line.product_id ? (catalog.get("product", line.product_id) as CatalogProduct | undefined) : undefined;
  const left = product && leftOf(product);
  const row = useRef<HTMLLIElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a line of which there is more is shown again
  useLayoutEffect(() => {
    if (!isMarked) return;
    // With the frame that shows it: asking for it sooner lays out the page once more.
    const frame = requestAnimationFrame(() => row.current?.scrollIntoView({ block: "nearest" }));
    return () => cancelAnimationFrame(frame);
  }, [isMarked, line.quantity]);
  return (
    <li ref={row} data-marked={isMarked || undefined}>
      <button type="button" onClick={() => onEdit(line.id)}>
        {isMarked && <i key={line.quantity} className="just-added" aria-hidden="true" />}
        <b>{quantity(line.quantity)}</b>
        <span className="what">
          <span>{line.description}</span>
          <small>{priceText(line, value)}</small>
          {bagTax > 0 && <small>Incluye {pesos(bagTax)} de impuesto a las bolsas</small>}
          {left !== undefined && line.quantity > left && (
            <em>{left <= 0 ? "No hay en existencias" : `Solo hay ${quantity(left)}`}</em>
          )}
        </span>
        <strong>{value === undefined ? "" : pesos(value)}</strong>
      </button>
    </li>
  );
});

/** A bag's tax is its price: what one comes to is told, unless a discount makes it another. */
function priceText(line: TicketLine, value: number | undefined): string {
  const { price, sold_by_weight, discount_percent } = line;
  const one = value !== undefined && discount_percent === 0 && !sold_by_weight ? value / line.quantity : price;
  const unit = sold_by_weight ? `a ${pesos(price)}` : `${pesos(Math.round(one))} c/u`;
  return discount_percent > 0 ? `${unit} − ${quantity(discount_percent)} %` : unit;
}

function Sums({ totals }: { totals: Totals }) {
  const articles = useArticles();
  const { paid, rest } = useRest(totals);
  return (
    <dl className="sums">
      {totals.discount > 0 && (
        <div>
          <dt>Descuento</dt>
          <dd>{pesos(-totals.discount)}</dd>
        </div>
      )}
      {totals.tip_amount > 0 && (
        <div>
          <dt>Propina</dt>
          <dd>{pesos(totals.tip_amount)}</dd>
        </div>
      )}
      <div>
        <dt>Impuestos incluidos</dt>
        <dd>{pesos(totals.tax)}</dd>
      </div>
      <div className="total">
        <dt>Total · {articles === 1 ? "1 artículo" : `${quantity(articles)} artículos`}</dt>
        <dd>{pesos(totals.total)}</dd>
      </div>
      {paid > 0 && (
        <>
          <div>
            <dt>Ya pagado</dt>
            <dd>{pesos(-paid)}</dd>
          </div>
          <div>
            <dt>Por cobrar</dt>
            <dd>{pesos(rest)}</dd>
          </div>
        </>
      )}
    </dl>
  );
}

/** Tickets that wait, one touch away. */
function OpenTickets() {
  const { counter } = useOpen();
  const { tickets, current } = useCounter();
  const names = ticketNames(tickets);
  const row = useRef<HTMLFieldSetElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the ticket that is sold now is in sight among them
  useLayoutEffect(() => {
    row.current?.querySelector('[aria-pressed="true"]')?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [current.id, tickets.length]);
  return (
    <fieldset ref={row} className="bare chips" aria-label="Tiquetes abiertos">
      {tickets.map((ticket, i) => (
        <button
          key={ticket.id}
          type="button"
          aria-pressed={ticket.id === current.id}
          onClick={() => counter.select(ticket.id)}
        >
          {names[i]}
        </button>
      ))}
    </fieldset>
  );
}
