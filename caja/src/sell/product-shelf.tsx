import { type FormEvent, lazy, Suspense, useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { CatalogProduct, CatalogVariant } from "../../../register/catalog.ts";
import { pesos } from "../../../register/format.ts";
import { useScanner } from "../ui/use-scanner.ts";
import { useNews, useOpen } from "../use-device.ts";

/** Fetched when somebody asks for it: the first download stays small. */
const CameraDialog = lazy(() => import("../ui/camera-dialog.tsx"));

interface Props {
  onAdd: (product: CatalogProduct, variant?: CatalogVariant) => void;
  onFree: () => void;
  /** A dialog is open: a scanner's keys belong to it. */
  isBusy: boolean;
}

const shownAtOnce = 60;

export function Products({ onAdd, onFree, isBusy }: Props) {
  const { register } = useOpen();
  const { catalog } = register;
  const news = useNews();
  const [query, setQuery] = useState("");
  const [category, setCategory] = useState<string>();
  const [missing, setMissing] = useState<string>();
  const [isCamera, setCamera] = useState(false);
  const searched = useDeferredValue(query);
  const input = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the catalog changes with the news
  const all = useMemo(() => catalog.products().sort(byName), [catalog, news]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the catalog changes with the news
  const categories = useMemo(
    () => (catalog.all("category") as { id: string; name: string }[]).sort(byName),
    [catalog, news],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the catalog changes with the news
  const shown = useMemo(() => {
    if (searched.trim() !== "") return catalog.search(searched, shownAtOnce);
    return all.filter((one) => category === undefined || one.category_id === category).slice(0, shownAtOnce);
  }, [catalog, all, searched, category, news]);

  function take(code: string): boolean {
    const found = catalog.byCode(code);
    setMissing(found ? undefined : code);
    if (found) onAdd(found.product, found.variant);
    return found !== undefined;
  }
  useScanner(!isBusy && !isCamera, take);
  useLayoutEffect(() => {
    if (!isBusy && matchMedia("(hover: hover)").matches) input.current?.focus();
  }, [isBusy]);

  function submit(event: FormEvent) {
    event.preventDefault();
    const text = query.trim();
    if (text === "") return;
    const found = catalog.byCode(text) ? undefined : catalog.search(text, 2);
    if (found?.length === 1) onAdd(found[0]!);
    else if (!take(text)) return;
    setMissing(undefined);
    setQuery("");
  }

  return (
    <section className="products" aria-label="Productos">
      <form className="search" onSubmit={submit}>
        <input
          ref={input}
          type="search"
          aria-label="Buscar o escanear"
          placeholder="Busque o escanee"
          autoComplete="off"
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
        <button
          type="button"
          aria-label="Leer con la cámara"
          title="Leer con la cámara"
          onClick={() => setCamera(true)}
        >
          <CameraSign />
        </button>
        <button type="button" onClick={onFree}>
          Línea libre
        </button>
      </form>
      {isCamera && (
        <Suspense>
          <CameraDialog
            onClose={() => setCamera(false)}
            onCode={(code) => {
              setCamera(false);
              take(code);
            }}
          />
        </Suspense>
      )}
      {missing && (
        <p role="alert" className="problem">
          Ningún producto tiene el código {missing}.
        </p>
      )}
      {query.trim() === "" && categories.length > 0 && (
        <fieldset className="bare chips" aria-label="Categorías">
          <button type="button" aria-pressed={category === undefined} onClick={() => setCategory(undefined)}>
            Todas
          </button>
          {categories.map(({ id, name }) => (
            <button key={id} type="button" aria-pressed={category === id} onClick={() => setCategory(id)}>
              {name}
            </button>
          ))}
        </fieldset>
      )}
      {shown.length === 0 ? (
        <p className="empty">
          {all.length === 0 ? "El negocio todavía no tiene productos a la venta." : "Nada se llama así."}
        </p>
      ) : (
        <ul className="tiles">
          {shown.map((product) => (
            <li key={product.id}>
              <button type="button" onClick={() => onAdd(product)}>
                <span>{product.name}</span>
                <strong>
                  {pesos(product.final_price)}
                  {product.sold_by_weight ? ` / ${product.base_unit}` : ""}
                </strong>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function CameraSign() {
  return (
    <svg
      viewBox="0 0 24 24"
      width="24"
      height="24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      aria-hidden="true"
    >
      <path d="M3 8h4l2-3h6l2 3h4v11H3z" strokeLinejoin="round" />
      <circle cx="12" cy="13" r="3.5" />
    </svg>
  );
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}
