import {
  type FormEvent,
  type KeyboardEvent,
  lazy,
  memo,
  type RefObject,
  Suspense,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
} from "react";
import { byNumberedName, type CatalogProduct } from "../../../register/catalog.ts";
import type { Scanned } from "../../../register/scanned.ts";
import { bestSellers } from "../../../register/shelf.ts";
import { deliver } from "../scan/scanner.ts";
import { KeyHint } from "../ui/key-hint.tsx";
import { CameraSign, FreeLineSign, PriceSign } from "../ui/signs.tsx";
import { useStable } from "../ui/use-stable.ts";
import { useCounterPart, useNews, useOpen } from "../use-device.ts";
import { meant } from "./meant.ts";
import { readEntry } from "./read-entry.ts";
import { type Remark, RemarkLine } from "./remark-line.tsx";
import { Tiles } from "./tiles.tsx";

/** Fetched when somebody asks for it: the first download stays small. */
const CameraDialog = lazy(() => import("../ui/camera-dialog.tsx"));

interface Props {
  input: RefObject<HTMLInputElement | null>;
  query: string;
  onQuery: (query: string) => void;
  remark: Remark | undefined;
  /** Takes a code that was typed; false if there is none. */
  onEnter: (text: string) => boolean;
  onAdd: (product: CatalogProduct) => void;
  /** Creates a product for a code that nobody knows. */
  onCreate: (code: string) => void;
  /** Asks again for the weight of what was left without one. */
  onWeigh: (found: Scanned) => void;
  /** The remark was read. */
  onDismiss: () => void;
  /** Marks another line of the ticket. */
  onMark: (step: number) => void;
  onFree: () => void;
  onPrice: () => void;
  /** Something is asked in its place. */
  isCovered: boolean;
}

/** A phone has no room for more words. */
const isNarrow = () => matchMedia("(max-width: 719px)").matches;

const bestCount = 60;
const mostFound = 200;

/** What is sold: by a code, by its name, or by touching it. */
export const ProductShelf = memo(function ProductShelf(props: Props) {
  const { input, query, onQuery, remark, onEnter, onAdd, onCreate, onDismiss, onMark, onFree, onPrice, isCovered } =
    props;
  const { counter, register } = useOpen();
  const { catalog } = register;
  const shelf = useCounterPart((state) => state.shelf);
  const news = useNews();
  const [isCamera, setCamera] = useState(false);
  // "3*" waits for a code or a touch: the products stay.
  const searched = useDeferredValue(readEntry(query).code);
  const all = catalog.productsByName();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the catalog changes with the news
  const categories = useMemo(() => (catalog.all("category") as Category[]).sort(byNumberedName), [catalog, news]);
  // As of now: tiles that change places while one sells are hard to hit.
  const [best] = useState(() => bestSellers(shelf, bestCount));
  const favourites = useMemo(() => those(shelf.favourites, all), [shelf.favourites, all]);
  const ordered = useMemo(() => [...new Set([...favourites, ...those(best, all), ...all])], [favourites, best, all]);
  const [view, setView] = useState("all");
  /** What was entered and is the name of no single one. */
  const [several, setSeveral] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the catalog changes with the news
  const shown = useMemo(() => {
    if (searched.trim() !== "") return catalog.search(searched, mostFound);
    if (view === "all") return ordered;
    return view === "favourites" ? favourites : all.filter(({ category_id }) => category_id === view);
  }, [catalog, all, ordered, favourites, searched, view, news]);

  function submit(event: FormEvent) {
    event.preventDefault();
    const text = query.trim();
    if (text === "") return;
    const found = counter.find(text) || /[*]/.test(text) ? [] : catalog.search(text, mostFound);
    const one = meant(text, found);
    if (one) onAdd(one);
    else if (found.length > 1) return setSeveral(text);
    else if (!onEnter(text)) return;
    onQuery("");
  }
  const tiles = useRef<HTMLDivElement>(null);
  /** What is found is one key away, and taken with Enter; up and down in an empty box are for the ticket's lines. */
  function arrow(event: KeyboardEvent): void {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
    if (query === "") onMark(event.key === "ArrowUp" ? -1 : 1);
    else if (event.key === "ArrowDown") tiles.current?.querySelector("button")?.focus();
    else return;
    event.preventDefault();
  }
  /** Whoever takes it with a key goes on typing. */
  const pick = useStable((product: CatalogProduct, isByKey = false) => {
    onAdd(product);
    if (!isByKey || searched.trim() === "") return;
    onQuery("");
    input.current?.focus();
  });
  const chip = (key: string, title: string) => (
    <button key={key} type="button" aria-pressed={view === key} onClick={() => setView(key)}>
      {title}
    </button>
  );
  return (
    <section className="shelf" aria-label="Productos" tabIndex={-1} inert={isCovered}>
      <form className="search" onSubmit={submit}>
        <label className="search-box">
          <input
            ref={input}
            type="search"
            aria-label="Buscar o escanear"
            placeholder={isNarrow() ? "Nombre o código" : "Busque o escanee: nombre, código, 5*código"}
            autoComplete="off"
            value={query}
            onChange={(event) => onQuery(event.currentTarget.value)}
            onKeyDown={arrow}
          />
          <KeyHint act="search" />
        </label>
        <button
          type="button"
          className="signed"
          aria-label="Leer con la cámara"
          title="Leer con la cámara"
          onClick={() => setCamera(true)}
        >
          <CameraSign />
        </button>
        <button type="button" className="signed" onClick={onPrice} title="Consultar precio">
          <PriceSign />
          <span>Consultar precio</span> <KeyHint act="price" />
        </button>
        <button type="button" className="signed" onClick={onFree} title="Línea libre">
          <FreeLineSign />
          <span>Línea libre</span> <KeyHint act="free" />
        </button>
      </form>
      {isCamera && (
        <Suspense>
          <CameraDialog
            onClose={() => setCamera(false)}
            onCode={(code) => {
              setCamera(false);
              deliver(code);
            }}
          />
        </Suspense>
      )}
      {remark && (query === "" || remark.kind !== "unknown" || remark.code === query.trim()) && (
        <RemarkLine
          remark={remark}
          onSearch={(text) => {
            onQuery(text);
            input.current?.focus();
          }}
          onCreate={onCreate}
          onWeigh={props.onWeigh}
          onDismiss={onDismiss}
        />
      )}
      {several !== undefined && several === query.trim() && (
        <p role="status" className="notice">
          Hay varios así: escriba más, o elija uno con ↓ y Enter.
        </p>
      )}
      {query.trim() === "" && all.length > 0 && (
        <fieldset className="bare chips" aria-label="Categorías">
          {chip("all", "Todo")}
          {favourites.length > 0 && chip("favourites", "Favoritos")}
          {categories.map(({ id, name }) => chip(id, name))}
        </fieldset>
      )}
      {shown.length === 0 ? (
        <p className="empty">{emptyText(all.length, searched)}</p>
      ) : (
        <Tiles
          key={searched.trim() === "" ? view : "search"}
          ref={tiles}
          products={shown}
          onAdd={pick}
          onLeave={() => input.current?.focus()}
        />
      )}
    </section>
  );
});

function emptyText(all: number, searched: string): string {
  if (all === 0) return "El negocio todavía no tiene productos a la venta. Créelos en el portal, en Productos.";
  return searched.trim() === "" ? "Esta categoría todavía no tiene productos." : "Nada se llama así.";
}

interface Category {
  id: string;
  name: string;
}

function those(ids: readonly string[], all: readonly CatalogProduct[]): CatalogProduct[] {
  const byId = new Map(all.map((product) => [product.id, product]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
