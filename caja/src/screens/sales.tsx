import { useEffect, useRef, useState } from "react";
import { pesos, time } from "../../../register/format.ts";
import type { KeptSale } from "../../../register/sale.ts";
import type { SaleDocument } from "../../../register/sale-document.ts";
import { folded } from "../../../register/search.ts";
import { grossOf } from "../../../register/shift-report.ts";
import { paymentNames } from "../../../src/taxes/means.ts";
import { dayOf } from "../../../ui/format.ts";
import { useHome, useScan } from "../scan/use-scan.ts";
import { OldService } from "../ui/old-service.tsx";
import { play } from "../ui/sounds.ts";
import { useAccepts, useCounter, useNews, useOpen } from "../use-device.ts";
import { useShopSales } from "../use-shop-sales.ts";
import { SaleDialog } from "./sale-dialog.tsx";
import { ShopSalesList } from "./shop-sales.tsx";

/** A sale with its documents, by whose numbers people ask for it. */
interface Listed {
  sale: KeptSale;
  documents: SaleDocument[];
}

const dayMs = 86_400_000;
const dayBefore = (day: string) => dayOf(new Date(Date.parse(`${day}T12:00:00-05:00`) - dayMs));

const anyDay = "any";

/** The sales of this register, of the shift or of any day that it still has; and those of every other, asked from the service. */
export function SalesScreen({ shiftId }: { shiftId: string | undefined }) {
  const today = dayOf(new Date());
  /** A day, any day, or the open shift. */
  const [period, setPeriod] = useState<string>(shiftId ? "shift" : today);
  const [isShop, setShop] = useState(false);
  const isTold = useAccepts("sales.1");
  const { shop, counter } = useOpen();
  const [query, setQuery] = useState("");
  const isAnyDay = period === anyDay;
  const view = useShopSales({ ...(!isAnyDay && { day: period }), q: plainSum(query.trim()) }, isShop && isTold);
  const listed = useSales(isAnyDay ? today : period, shiftId);
  const [opened, setOpened] = useState<KeptSale>();
  const box = useRef<HTMLInputElement>(null);
  useHome(box, opened === undefined);
  /** The next one is searched or scanned. */
  function close(): void {
    setOpened(undefined);
    if (matchMedia("(hover: hover)").matches) requestAnimationFrame(() => box.current?.focus());
  }
  /** Somebody may have closed it while the change was being stored. */
  const showIfOpen = (changed: KeptSale) => setOpened((current) => (current?.id === changed.id ? changed : current));
  const isFromShop = isShop && isTold && !view.isAway;
  const wanted = folded(plainSum(query.trim()));
  const shown = (listed ?? []).filter((one) => wanted === "" || textOf(one).includes(wanted));
  /** A product finds the sales that have it; a number, or the QR of a ticket, its sale. */
  useScan({
    isKnown: (code) => counter.find(code) !== undefined,
    take(scanned) {
      const product = counter.find(scanned)?.product;
      const text = product?.name ?? documentKeyIn(scanned) ?? scanned;
      const matches = (listed ?? []).filter((one) => textOf(one).includes(folded(text)));
      setQuery(text);
      setOpened(undefined);
      if (product === undefined && matches.length === 1) open(matches[0]!.sale);
      if (matches.length > 0 && !isFromShop) play("added");
      else if (isTold && !isAnyDay) {
        // Whoever scans an old ticket does not know its day, nor which register it is of.
        setShop(true);
        setPeriod(anyDay);
      } else play("unknown");
      return undefined;
    },
  });
  function choose(all: boolean): void {
    setShop(all);
    if (all ? period === "shift" : isAnyDay) setPeriod(today);
  }
  /** What another register did about it since, if the service answers. */
  function open(sale: KeptSale): void {
    setOpened(sale);
    if (!isTold) return;
    // Whatever was done about it meanwhile is newer than the answer.
    const show = (known: KeptSale) => setOpened((current) => (current === sale ? known : current));
    void shop.look(sale.id).then(show, () => {});
  }
  return (
    <section className="list">
      <h2>Ventas</h2>
      <fieldset className="bare chips" aria-label="De cuáles cajas">
        <button type="button" aria-pressed={!isShop} onClick={() => choose(false)}>
          Esta caja
        </button>
        <button type="button" aria-pressed={isShop} onClick={() => choose(true)}>
          Todas las cajas
        </button>
      </fieldset>
      {isShop && !isTold && <OldService what="las ventas de las otras cajas" />}
      {isShop && view.isAway && (
        <p role="status" className="notice">
          Sin conexión: aquí están solo las de esta caja.
        </p>
      )}
      <Periods period={period} hasShift={shiftId !== undefined} isShop={isShop} onChange={setPeriod} />
      <input
        ref={box}
        type="search"
        aria-label="Buscar en las ventas"
        placeholder="Número, producto, cliente o valor"
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
      {isFromShop ? (
        <ShopSalesList view={view} isAnyDay={isAnyDay} onOpen={setOpened} />
      ) : (
        <OwnSales listed={listed} shown={shown} isShift={period === "shift"} onOpen={open} />
      )}
      {opened && <SaleDialog sale={opened} onChange={showIfOpen} onClose={close} />}
    </section>
  );
}

interface PeriodsProps {
  period: string;
  hasShift: boolean;
  isShop: boolean;
  onChange: (period: string) => void;
}

/** Only this register has a shift here; only the service looks through any day. */
function Periods({ period, hasShift, isShop, onChange }: PeriodsProps) {
  const today = dayOf(new Date());
  const chip = (key: string, title: string) => (
    <button type="button" aria-pressed={period === key} onClick={() => onChange(key)}>
      {title}
    </button>
  );
  return (
    <div className="periods">
      <fieldset className="bare chips" aria-label="De cuándo">
        {hasShift && !isShop && chip("shift", "Este turno")}
        {chip(today, "Hoy")}
        {chip(dayBefore(today), "Ayer")}
        {isShop && chip(anyDay, "Cualquier día")}
      </fieldset>
      <input
        type="date"
        aria-label="De otro día"
        max={today}
        value={period === "shift" || period === anyDay ? "" : period}
        onChange={(event) => onChange(event.currentTarget.value || today)}
      />
    </div>
  );
}

/** What is in the local store. */
function OwnSales(props: {
  listed: Listed[] | undefined;
  shown: readonly Listed[];
  isShift: boolean;
  onOpen: (sale: KeptSale) => void;
}) {
  const { listed, shown, isShift, onOpen } = props;
  return (
    <>
      {listed && shown.length > 0 && <Sum shown={shown} />}
      {listed && shown.length === 0 && (
        <p className="empty">
          {listed.length > 0
            ? "Ninguna coincide."
            : isShift
              ? "Todavía no hay ventas."
              : "Esta caja no tiene ventas de ese día."}
        </p>
      )}
      <ul className="rows">
        {shown.map(({ sale, documents }) => (
          <li key={sale.id}>
            <button type="button" onClick={() => onOpen(sale)}>
              <span>
                <strong>{sale.number}</strong> · {time(sale.data.occurred_at)}
                {sale.data.status === "cancelled" ? " · anulada" : sale.returns?.length ? " · con devolución" : ""}
              </span>
              <span>
                {sale.customer_name ?? sale.data.items[0]?.description}
                {documents.length > 0 && <small className="dim"> {numbersOf(documents)}</small>}
              </span>
              <span>{paymentNames(sale.charge.payments)}</span>
              <strong>{pesos(sale.data.total)}</strong>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function Sum({ shown }: { shown: readonly Listed[] }) {
  const { count, total } = grossOf(shown.map(({ sale }) => sale));
  return (
    <p className="dim" role="status">
      {count === 1 ? "1 venta" : `${count.toLocaleString("es-CO")} ventas`} · Ventas brutas {pesos(total)}
    </p>
  );
}

/** Reads them again when a sale, a cancellation or a document changes them. */
function useSales(period: string, shiftId: string | undefined): Listed[] | undefined {
  const { counter } = useOpen();
  const { shift } = useCounter();
  const news = useNews();
  const [listed, setListed] = useState<Listed[]>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a sale or a cancellation changes the shift, a document the news
  useEffect(() => {
    let isWanted = true;
    async function read(): Promise<void> {
      const sales = await (period === "shift" && shiftId ? counter.salesOf(shiftId) : counter.salesOn(period));
      const documents = await Promise.all(sales.map(({ id }) => counter.documentsOf(id)));
      if (isWanted) setListed(sales.map((sale, i) => ({ sale, documents: documents[i]! })));
    }
    void read();
    return () => {
      isWanted = false;
    };
  }, [counter, period, shiftId, shift, news]);
  return listed;
}

/** Who looks for $3.000 finds 3000; a product's "1.000 ml" is no sum. */
function plainSum(query: string): string {
  return /^\$?\s*\d[\d.,]*$/.test(query) ? query.replace(/\$\s*|[.,](?=\d{3}(\D|$))/g, "") : query;
}

/** The QR of a ticket leads to its document at the DIAN. */
function documentKeyIn(scanned: string): string | undefined {
  return /documentkey=([0-9a-f]{40,})/i.exec(scanned)?.[1]?.toLowerCase();
}

function numbersOf(documents: readonly SaleDocument[]): string {
  return documents.flatMap(({ prefix, number }) => (number ? [`${prefix ?? ""}${number}`] : [])).join(" ");
}

function textOf({ sale, documents }: Listed): string {
  const { number, data, charge, customer_name, customer_document } = sale;
  const references = charge.payments.flatMap(({ reference }) => reference ?? []);
  const products = data.items.map(({ description }) => description);
  const keys = documents.flatMap(({ cufe }) => cufe ?? []);
  const numbers = numbersOf(documents);
  return folded(
    [number, data.total, customer_name, customer_document, numbers, ...references, ...products, ...keys].join(" "),
  );
}
