import { useState } from "react";
import { useLocation } from "wouter";
import { patch, postOnce, wasRefused } from "../lib/api.ts";
import { type Product, refreshStock, useProduct } from "../lib/stock-queries.ts";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage, Heading, Loading } from "../ui/parts.tsx";
import { ProductForm } from "./product-form.tsx";
import { changedFields, emptyProduct, formOf, newFields, type ProductFormValues } from "./product-values.ts";

/** /productos/nuevo and /productos/:id/editar. */
export default function ProductEdit({ id }: { id: string }) {
  return id === "" ? <New /> : <Edit id={id} />;
}

function useSaved(word: "creado" | "guardado") {
  const [, navigate] = useLocation();
  const notify = useNotify();
  return async ({ id, name }: Product) => {
    await refreshStock();
    notify(`«${name}» quedó ${word}. Las cajas lo reciben en segundos.`);
    navigate(`/productos/${id}`);
  };
}

function New() {
  const [key, setKey] = useState(() => crypto.randomUUID());
  const onSaved = useSaved("creado");
  async function save(values: ProductFormValues): Promise<Product> {
    try {
      return await postOnce<Product>("/products", newFields(values), key);
    } catch (error) {
      // A refused request created nothing: the corrected one is another.
      if (wasRefused(error)) setKey(crypto.randomUUID());
      throw error;
    }
  }
  return (
    <>
      <Heading title="Nuevo producto" back={{ to: "/productos", label: "Productos" }} />
      <ProductForm id="nuevo" initial={emptyProduct} isNew save={save} onSaved={onSaved} action="Crear producto" />
    </>
  );
}

function Edit({ id }: { id: string }) {
  const detail = useProduct(id);
  const [, navigate] = useLocation();
  const onSaved = useSaved("guardado");
  const back = { to: `/productos/${id}`, label: detail.data?.product.name ?? "Producto" };
  async function save(product: Product, values: ProductFormValues): Promise<Product | undefined> {
    const changes = changedFields(product, values);
    return Object.keys(changes).length === 0 ? undefined : patch<Product>(`/products/${id}`, changes);
  }
  return (
    <>
      <Heading title="Editar producto" back={back} />
      <ErrorMessage error={detail.error} retry={detail.refetch} />
      {detail.isPending && <Loading />}
      {detail.data && (
        <ProductForm
          id={id}
          initial={formOf(detail.data.product)}
          isNew={false}
          save={(values) => save(detail.data.product, values)}
          onSaved={(saved) => (saved ? onSaved(saved) : navigate(back.to))}
          action="Guardar"
        />
      )}
    </>
  );
}
