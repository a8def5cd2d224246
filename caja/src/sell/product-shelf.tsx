import { type FormEvent, lazy, memo, type RefObject, Suspense, useDeferredValue, useMemo, useState } from "react";
import { byName, type CatalogProduct } from "../../../register/catalog.ts";
import { bestSellers } from "../../../register/shelf.ts";
import { deliver } from "../scan/scanner.ts";
import { KeyHint } from "../ui/key-hint.tsx";
import { keys } from "../ui/keys.ts";
import { CameraSign, FreeLineSign, PriceSign } from "../ui/signs.tsx";
import { useCounterPart, useNews, useOpen } from "../use-device.ts";
import { readEntry } from "./read-entry.ts";
import { Tiles } from "./tiles.tsx";

/** Fetched when somebody asks for it: the first download stays small. */
const CameraDialog = lazy(() => import("../ui/camera-dialog.tsx"));

/** What a scan could not do. */
export type Remark =
  | { kind: "unknown"; code: string }
  | { kind: "taking_off" }
  | { kind: "many" | "part"; units: number };

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
  /** The remark was read. */
  onDismiss: () => void;
  /** Marks another line of the ticket. */
  onMark: (step: number) => void;
  onFree: () => void;
  onPrice: () => void;
  /** Something is asked in its place. */
  isCovered: boolean;
}

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
  const categories = useMemo(() => (catalog.all("category") as Category[]).sort(byName), [catalog, news]);
  // As of now: tiles that change places while one sells are hard to hit.
  const [best] = useState(() => bestSellers(shelf, bestCount));
  const favourites = useMemo(() => those(shelf.favourites, all), [shelf.favourites, all]);
  const ordered = useMemo(() => [...new Set([...favourites, ...those(best, all), ...all])], [favourites, best, all]);
  const [view, setView] = useState("all");
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
    const only = counter.find(text) || /[*]/.test(text) ? [] : catalog.search(text, 2);
    if (only.length === 1) onAdd(only[0]!);
    else if (only.length > 1 || !onEnter(text)) return;
    onQuery("");
  }
  const chip = (key: string, title: string) => (
    <button key={key} type="button" aria-pressed={view === key} onClick={() => setView(key)}>
      {title}
    </button>
  );
  return (
    <section className="shelf" aria-label="Productos" inert={isCovered}>
      <form className="search" onSubmit={submit}>
        <label className="search-box">
          <input
            ref={input}
            type="search"
            aria-label="Buscar o escanear"
            placeholder="Busque o escanee: nombre, código, 5*código"
            autoComplete="off"
            value={query}
            onChange={(event) => onQuery(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (query !== "" || (event.key !== "ArrowUp" && event.key !== "ArrowDown")) return;
              event.preventDefault();
              onMark(event.key === "ArrowUp" ? -1 : 1);
            }}
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
          onDismiss={onDismiss}
        />
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
        <Tiles key={searched.trim() === "" ? view : "search"} products={shown} onAdd={onAdd} />
      )}
    </section>
  );
});

function emptyText(all: number, searched: string): string {
  if (all === 0) return "El negocio todavía no tiene productos a la venta. Créelos en el portal, en Productos.";
  return searched.trim() === "" ? "Esta categoría todavía no tiene productos." : "Nada se llama así.";
}

function RemarkLine(props: {
  remark: Remark;
  onSearch: (text: string) => void;
  onCreate: (code: string) => void;
  onDismiss: () => void;
}) {
  const { remark, onSearch, onCreate, onDismiss } = props;
  if (remark.kind === "taking_off")
    return (
      <p role="alert" className="problem">
        Antes del * va cuántas se agregan, desde 1. Para quitar, toque la línea en el tiquete, o márquela y oprima{" "}
        {keys.quantity.key}.
      </p>
    );
  if (remark.kind !== "unknown") {
    const units = remark.units.toLocaleString("es-CO");
    return (
      <p role="alert" className="problem">
        {remark.kind === "many"
          ? `¿${units} unidades? Si es así, agregue una y cambie la cantidad con F5.`
          : `Se vende por unidades completas: ${units} no se puede.`}
      </p>
    );
  }
  return (
    <div role="alert" className="problem remark">
      <span>Ningún producto tiene el código {remark.code}.</span>
      <button type="button" onClick={() => onCreate(remark.code)}>
        Crear producto
      </button>
      <button type="button" onClick={() => onSearch(remark.code)}>
        Buscar
      </button>
      <button type="button" onClick={onDismiss}>
        Entendido
      </button>
    </div>
  );
}

interface Category {
  id: string;
  name: string;
}

function those(ids: readonly string[], all: readonly CatalogProduct[]): CatalogProduct[] {
  const byId = new Map(all.map((product) => [product.id, product]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
