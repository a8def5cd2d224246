import { useState } from "react";
import type { CatalogProduct } from "../../../register/catalog.ts";
import { pesos, quantity } from "../../../register/format.ts";
import { isMeasured, packName, type Scanned, unitsOf } from "../../../register/scanned.ts";
import { movesStock } from "../../../register/ticket.ts";
import { isCountedUnit } from "../../../src/taxes/units.ts";
import { useScan } from "../scan/use-scan.ts";
import { Panel } from "../ui/panel.tsx";
import { StarSign } from "../ui/signs.tsx";
import { play } from "../ui/sounds.ts";
import { useCounter, useOpen } from "../use-device.ts";
import { useLeft } from "../use-stock.ts";
import { meant } from "./meant.ts";

/** Price and stock of what is scanned or searched; nothing is sold unless the cashier says so. */
export function PricePanel({ onAdd, onClose }: { onAdd: (found: Scanned) => void; onClose: () => void }) {
  const { register, counter } = useOpen();
  const { shelf } = useCounter();
  const leftOf = useLeft();
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<Scanned>();
  const [missing, setMissing] = useState<string>();
  function look(code: string): void {
    const result = counter.find(code);
    setFound(result);
    setMissing(result ? undefined : code);
    setQuery("");
    if (!result) play("unknown");
  }
  useScan({
    isKnown: (code) => counter.find(code) !== undefined,
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
          const only = meant(query, matches);
          if (only && !counter.find(query)) {
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
            {[found.product.name, found.variant?.label, found.pack && packName(found.pack)].filter(Boolean).join(" · ")}
          </h3>
          <p className="price">
            {pesos(counter.scannedPrice(found))}
            {perText(found) && <small> / {perText(found)}</small>}
          </p>
          {isMeasured(found) && <p className="dim">{measureText(found)}</p>}
          <p className="dim">{stockText(found.product)}</p>
          <div className="buttons">
            <button
              type="button"
              className="starred"
              aria-pressed={isFavourite}
              onClick={() => counter.favour(found.product.id)}
            >
              <StarSign isFull={isFavourite} /> Favorito
            </button>
            <button
              type="button"
              className="primary"
              onClick={() => {
                onClose();
                onAdd(found);
              }}
            >
              Agregar al tiquete
            </button>
          </div>
        </div>
      )}
    </Panel>
  );

  /** What the price is for: a pack by its name, or a kilo. Of one piece it needs no word. */
  function perText(scanned: Scanned): string | undefined {
    if (scanned.pack && isMeasured(scanned)) return packName(scanned.pack);
    return scanned.product.sold_by_weight && !isMeasured(scanned) ? scanned.product.base_unit : undefined;
  }

  /** What is in the pack or on the label, and what one of it costs. */
  function measureText({ product, variant, ...measured }: Scanned): string {
    const one = pesos(counter.scannedPrice({ product, ...(variant && { variant }) }));
    const unit = product.base_unit;
    if (measured.label?.kind === "price") return `Precio de la etiqueta · ${one} / ${unit}`;
    const contents = `Son ${quantity(unitsOf({ product, ...measured }, 1))} ${unit}`;
    return measured.pack && isCountedUnit(unit) ? `${contents} · suelta a ${one}` : `${contents} · ${one} / ${unit}`;
  }

  function stockText(product: CatalogProduct): string {
    if (!movesStock(product)) return "No lleva existencias.";
    const left = leftOf(product);
    if (left === undefined) return "Sin existencias registradas.";
    return `Hay ${quantity(left)} ${product.base_unit}.`;
  }
}
