import { useMemo, useState } from "react";
import type { CatalogProduct } from "../../../register/catalog.ts";
import { moment, quantity } from "../../../register/format.ts";
import type { StockView } from "../../../register/stock.ts";
import { movesStock } from "../../../register/ticket.ts";
import { ownWarehouse } from "../../../register/warehouses.ts";
import { useScan } from "../scan/use-scan.ts";
import { OldService } from "../ui/old-service.tsx";
import { useAccepts, useNews, useOpen } from "../use-device.ts";
import { useStock } from "../use-stock.ts";
import { StockDialog } from "./stock-dialog.tsx";

const shownAtOnce = 60;

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
    const found = wanted === "" ? catalog.productsByName() : catalog.search(wanted, shownAtOnce);
    return found.filter(movesStock).slice(0, shownAtOnce);
  }, [catalog, query, news]);
  useScan({
    isKnown: (code) => catalog.byCode(code) !== undefined,
    take(code) {
      const found = catalog.byCode(code)?.product;
      if (found && movesStock(found)) setOpened(found);
      else setQuery(code);
      return undefined;
    },
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
      {shown.length === 0 && (
        <p className="empty">
          {query.trim() === ""
            ? "Todavía no hay productos con existencias. Créelos en el portal, en Productos."
            : "Ningún producto con existencias se llama así."}
        </p>
      )}
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
