import { useEffect, useMemo, useState } from "react";
import type { CatalogProduct } from "../../../register/catalog.ts";
import { moment, quantity } from "../../../register/format.ts";
import type { StockView } from "../../../register/stock.ts";
import { movesStock } from "../../../register/ticket.ts";
import { ownWarehouse } from "../../../register/warehouses.ts";
import { OldService } from "../ui/old-service.tsx";
import { useScanner } from "../ui/use-scanner.ts";
import { useAccepts, useNews, useOpen } from "../use-device.ts";
import { StockDialog } from "./stock-dialog.tsx";

const shownAtOnce = 60;
const everyMs = 30_000;

/** How much there is of what: the last news of the service, and what this register moved since. */
export function StockScreen() {
  const { register } = useOpen();
  const { catalog } = register;
  const news = useNews();
  const { view, isAsking, refresh } = useStock();
  const [query, setQuery] = useState("");
  const [opened, setOpened] = useState<CatalogProduct>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the catalog changes with the news
  const shown = useMemo(() => {
    const wanted = query.trim();
    const found = wanted === "" ? catalog.products().sort(byName) : catalog.search(wanted, shownAtOnce);
    return found.filter(movesStock).slice(0, shownAtOnce);
  }, [catalog, query, news]);
  useScanner(!opened, (code) => {
    const found = catalog.byCode(code)?.product;
    if (found && movesStock(found)) setOpened(found);
    else setQuery(code);
  });
  const own = ownWarehouse(catalog);
  if (!useAccepts("stock.1")) return <OldService what="las existencias" />;
  return (
    <section className="list">
      <h2>Existencias</h2>
      <Freshness view={view} isAsking={isAsking} onRefresh={refresh} />
      <input
        type="search"
        aria-label="Buscar en las existencias"
        placeholder="Busque por nombre o código, o escanee"
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
      {shown.length === 0 && <p className="empty">Ningún producto con existencias se llama así.</p>}
      <ul className="rows stock">
        {shown.map((product) => (
          <li key={product.id}>
            <button type="button" onClick={() => setOpened(product)}>
              <span>{product.name}</span>
              <span className="dim">{product.sku}</span>
              <strong>{view?.at ? `${quantity(view.in(product.id, own))} ${product.base_unit}` : "—"}</strong>
            </button>
          </li>
        ))}
      </ul>
      {opened && view && (
        <StockDialog product={opened} view={view} onMoved={refresh} onClose={() => setOpened(undefined)} />
      )}
    </section>
  );
}

/** Reads what is known at once, and asks the service for more. */
function useStock() {
  const { stock } = useOpen();
  const [view, setView] = useState<StockView>();
  const [isAsking, setAsking] = useState(false);
  async function refresh(): Promise<void> {
    setView(await stock.view());
    setAsking(true);
    // Without a connection the last news hold.
    await stock.refresh().catch(() => {});
    setAsking(false);
    setView(await stock.view());
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: it belongs to the register, which stays
  useEffect(() => {
    void refresh();
    const timer = setInterval(() => void refresh(), everyMs);
    return () => clearInterval(timer);
  }, [stock]);
  return { view, isAsking, refresh };
}

function Freshness(props: { view: StockView | undefined; isAsking: boolean; onRefresh: () => Promise<void> }) {
  const { view, isAsking, onRefresh } = props;
  const text = !view
    ? "Leyendo…"
    : view.at
      ? `Datos del ${moment(view.at)}, más lo que esta caja ha movido.`
      : "Todavía no han llegado las existencias: hace falta conexión una vez.";
  return (
    <div className="freshness">
      <p role="status">{text}</p>
      <button type="button" disabled={isAsking} onClick={() => void onRefresh()}>
        {isAsking ? "Preguntando…" : "Actualizar"}
      </button>
    </div>
  );
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}
