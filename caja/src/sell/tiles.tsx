import { type KeyboardEvent, memo, type RefObject, useLayoutEffect, useMemo, useState } from "react";
import type { CatalogProduct } from "../../../register/catalog.ts";
import { pesos, quantity } from "../../../register/format.ts";
import { useCounterPart, useOpen } from "../use-device.ts";
import { useLeft } from "../use-stock.ts";

const gap = 10;
/** Rows above and below the screen that are drawn as well. */
const spare = 3;
/** From here down the stock is told. */
const few = 5;

/** The products as tiles. Only those in sight are drawn: ten thousand scroll like ten. */
export function Tiles({ ref: box, products, onAdd, onLeave }: Props) {
  const { width, height, top, tile } = useSight(box);
  const columns = Math.max(1, Math.floor((width + gap) / (tile.width + gap)));
  const step = tile.height + gap;
  const rows = Math.ceil(products.length / columns);
  const first = Math.max(0, Math.floor(top / step) - spare);
  const last = Math.min(rows, Math.ceil((top + height) / step) + spare);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its buttons are what takes keys
    <div ref={box} className="tiles" onKeyDown={(event) => goByArrow(event, columns, onLeave)}>
      <ul
        style={{
          gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
          gridAutoRows: `${tile.height}px`,
          paddingTop: first * step,
          paddingBottom: Math.max(0, (rows - last) * step) + gap,
        }}
      >
        <TilesInSight products={products.slice(first * columns, last * columns)} onAdd={onAdd} />
      </ul>
    </div>
  );
}

interface InSight {
  products: readonly CatalogProduct[];
  /** With a key, and not by touching it. */
  onAdd: (product: CatalogProduct, isByKey: boolean) => void;
}

interface Props extends InSight {
  ref: RefObject<HTMLDivElement | null>;
  /** Up from the first row. */
  onLeave: () => void;
}

function goByArrow(event: KeyboardEvent<HTMLElement>, columns: number, onLeave: () => void): void {
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
  };
  const step = steps[event.key];
  const drawn = [...event.currentTarget.querySelectorAll("button")];
  const at = drawn.indexOf(document.activeElement as HTMLButtonElement);
  if (step === undefined || at < 0) return;
  event.preventDefault();
  if (step === -columns && at < columns) onLeave();
  else drawn[at + step]?.focus();
}

function TilesInSight({ products, onAdd }: InSight) {
  const { counter } = useOpen();
  const lines = useCounterPart(({ current }) => current.lines);
  // What they cost changes with it.
  useCounterPart((state) => state.business);
  const leftOf = useLeft();
  const counts = useMemo(() => countsOf(lines), [lines]);
  return products.map((product) => (
    <Tile
      key={product.id}
      product={product}
      price={counter.priceOf(product)}
      left={leftOf(product)}
      count={counts.get(product.id)}
      onAdd={onAdd}
    />
  ));
}

interface TileProps {
  product: CatalogProduct;
  price: number;
  left: number | undefined;
  /** How many are on the ticket. */
  count: number | undefined;
  onAdd: InSight["onAdd"];
}

/** Drawn again only when something of it has changed: a scan touches one tile, not all in sight. */
const Tile = memo(function Tile({ product, price, left, count, onAdd }: TileProps) {
  return (
    <li>
      <button
        type="button"
        onClick={({ detail }) => onAdd(product, detail === 0)}
        data-on-ticket={count !== undefined || undefined}
      >
        <i style={{ background: colourOf(product.category_id ?? null) }} aria-hidden="true" />
        <span className="name">{product.name}</span>
        <span className="foot">
          <strong>{pesos(price)}</strong>
          {product.sold_by_weight && <small>/ {product.base_unit}</small>}
          {count !== undefined ? (
            <b className="count-on-ticket">{quantity(count)}</b>
          ) : (
            left !== undefined && left <= few && <em>{left <= 0 ? "Agotado" : `Quedan ${quantity(left)}`}</em>
          )}
        </span>
      </button>
    </li>
  );
});

/** How large the box is and how far it is scrolled. */
function useSight(box: RefObject<HTMLDivElement | null>) {
  const [sight, setSight] = useState({ width: 800, height: 800, top: 0, tile: { width: 152, height: 104 } });
  useLayoutEffect(() => {
    const element = box.current!;
    const look = () => {
      const style = getComputedStyle(element);
      const size = (name: string) => Number.parseFloat(style.getPropertyValue(name));
      const tile = { width: size("--tile-width"), height: size("--tile-height") };
      const next = { width: element.clientWidth - 6, height: element.clientHeight, top: element.scrollTop, tile };
      setSight((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [box]);
  return sight;
}

function countsOf(lines: readonly { product_id: string | null; quantity: number }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines)
    if (line.product_id) counts.set(line.product_id, (counts.get(line.product_id) ?? 0) + line.quantity);
  return counts;
}

const hues = [162, 210, 32, 345, 270, 95, 12, 190, 48, 305, 130, 235];

/** Each category has its colour; what has none is grey. */
function colourOf(categoryId: string | null): string {
  if (categoryId === null) return "var(--dim)";
  let sum = 0;
  for (const character of categoryId) sum = (sum * 31 + character.charCodeAt(0)) >>> 0;
  return `hsl(${hues[sum % hues.length]} 45% 48%)`;
}
