import { useState } from "react";
import type { CatalogProduct, CatalogVariant } from "../../../register/catalog.ts";
import { pesos, quantity } from "../../../register/format.ts";
import { movesStock } from "../../../register/ticket.ts";
import { useScan } from "../scan/use-scan.ts";
import { Panel } from "../ui/panel.tsx";
import { play } from "../ui/sounds.ts";
import { useCounter, useOpen } from "../use-device.ts";
import { useLeft } from "../use-stock.ts";

type Found = { product: CatalogProduct; variant?: CatalogVariant };

/** Price and stock of what is scanned or searched; nothing is sold unless the cashier says so. */
export function PricePanel(props: {
  onAdd: (product: CatalogProduct, variant?: CatalogVariant) => void;
  onClose: () => void;
}) {
  const { onAdd, onClose } = props;
  const { register, counter } = useOpen();
  const { shelf } = useCounter();
  const leftOf = useLeft();
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<Found>();
  const [missing, setMissing] = useState<string>();
  function look(code: string): void {
    const result = register.catalog.byCode(code);
    setFound(result);
    setMissing(result ? undefined : code);
    setQuery("");
    if (!result) play("unknown");
  }
  useScan({
    isKnown: (code) => register.catalog.byCode(code) !== undefined,
    take(code) {
      look(code);
      return undefined;
    },
  });
  const matches = query.trim() === "" ? [] : register.catalog.search(query, 8);
  const isFavourite = found !== undefined && shelf.favourites.includes(found.product.id);
  return (
    <Panel title="Consultar precio" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (query.trim() === "") return;
          const only = matches.length === 1 ? matches[0] : undefined;
          if (only && !register.catalog.byCode(query)) {
            setFound({ product: only });
            setMissing(undefined);
            setQuery("");
          } else look(query.trim());
        }}
      >
        <label className="field">
          <span>Producto</span>
          <input
            type="search"
            autoComplete="off"
            placeholder="Escanee, o escriba nombre o código"
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
            data-autofocus
          />
        </label>
      </form>
      {matches.length > 0 && (
        <div className="choices">
          {matches.map((product) => (
            <button
              key={product.id}
              type="button"
              onClick={() => {
                setFound({ product });
                setMissing(undefined);
                setQuery("");
              }}
            >
              {product.name}
            </button>
          ))}
        </div>
      )}
      {missing !== undefined && (
        <p role="alert" className="problem">
          Ningún producto tiene el código {missing}.
        </p>
      )}
      {found && matches.length === 0 && (
        <div className="price-found" role="status">
          <h3>
            {found.product.name}
            {found.variant ? ` · ${found.variant.label}` : ""}
          </h3>
          <p className="price">
            {pesos(found.variant?.final_price || counter.priceOf(found.product))}
            {found.product.sold_by_weight ? ` / ${found.product.base_unit}` : ""}
          </p>
          <p className="dim">{stockText(found.product)}</p>
          <div className="buttons">
            <button type="button" aria-pressed={isFavourite} onClick={() => counter.favour(found.product.id)}>
              {isFavourite ? "★ Favorito" : "☆ Favorito"}
            </button>
            <button
              type="button"
              className="primary"
              onClick={() => {
                onClose();
                onAdd(found.product, found.variant);
              }}
            >
              Agregar al tiquete
            </button>
          </div>
        </div>
      )}
    </Panel>
  );

  function stockText(product: CatalogProduct): string {
    if (!movesStock(product)) return "No lleva existencias.";
    const left = leftOf(product);
    if (left === undefined) return "Sin existencias registradas.";
    return `Hay ${quantity(left)} ${product.base_unit}.`;
  }
}
