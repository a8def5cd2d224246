import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { patch, postOnce, wasRefused } from "../lib/api.ts";
import { forgetDraftOf } from "../lib/drafts.ts";
import { type Product, refreshStock, useProduct } from "../lib/stock-queries.ts";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage, Heading, Loading } from "../ui/parts.tsx";
import { ProductForm, productDraft } from "./product-form.tsx";
import { changedFields, emptyProduct, formOf, newFields } from "./product-values.ts";

/** /productos/nuevo and /productos/:id/editar. */
export default function ProductEdit({ id }: { id: string }) {
  return id === "" ? <New /> : <Edit id={id} />;
}

function New() {
  const [, navigate] = useLocation();
  const notify = useNotify();
  const [key, setKey] = useState(() => crypto.randomUUID());
  const saving = useMutation({
    mutationFn: (body: object) => postOnce<Product>("/products", body, key),
    async onSuccess(product) {
      forgetDraftOf(productDraft("nuevo"));
      await refreshStock();
      notify(`«${product.name}» quedó creado. Las cajas lo reciben en segundos.`);
      navigate(`/productos/${product.id}`);
    },
    // A refused request created nothing: the corrected one is another.
    onError(error) {
      if (wasRefused(error)) setKey(crypto.randomUUID());
    },
  });
  return (
    <>
      <Heading title="Nuevo producto" back={{ to: "/productos", label: "Productos" }} />
      <ProductForm
        id="nuevo"
        initial={emptyProduct}
        isNew
        saving={saving}
        onSave={(form) => saving.mutate(newFields(form))}
        action="Crear producto"
      />
    </>
  );
}

function Edit({ id }: { id: string }) {
  const detail = useProduct(id);
  const [, navigate] = useLocation();
  const notify = useNotify();
  const saving = useMutation({
    mutationFn: (body: object) => patch<Product>(`/products/${id}`, body),
    async onSuccess(product) {
      forgetDraftOf(productDraft(id));
      await refreshStock();
      notify(`«${product.name}» quedó guardado. Las cajas lo reciben en segundos.`);
      navigate(`/productos/${id}`);
    },
  });
  const back = { to: `/productos/${id}`, label: detail.data?.product.name ?? "Producto" };
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
          saving={saving}
          onSave={(form) => {
            const changes = changedFields(detail.data.product, form);
            if (Object.keys(changes).length === 0) navigate(`/productos/${id}`);
            else saving.mutate(changes);
          }}
          action="Guardar"
        />
      )}
    </>
  );
}
