import { Button, Group } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { put } from "../lib/api.ts";
import { useDraft } from "../lib/drafts.ts";
import { type ProductDetail, refreshStock } from "../lib/stock-queries.ts";
import { Dialog } from "../ui/dialog.tsx";
import { DraftNotice } from "../ui/draft-notice.tsx";
import { useNotify } from "../ui/notices.tsx";
import { NumberField } from "../ui/number-field.tsx";
import { ErrorMessage } from "../ui/parts.tsx";

/** From which stock a product counts as running out. */
export function LowStockForm({ detail, onClose }: { detail: ProductDetail; onClose: () => void }) {
  const { product, own_low_stock, low_stock } = detail;
  const notify = useNotify();
  const draft = useDraft<{ limit: number | string }>(`low-stock ${product.id}`, { limit: low_stock });
  const { limit } = draft.value;
  const saving = useMutation({
    mutationFn: (value: number | null) => put(`/products/${product.id}/low-stock`, { low_stock: value }),
    async onSuccess() {
      draft.forget();
      await refreshStock();
      notify("Aviso de existencias guardado.");
      onClose();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (typeof limit === "number") saving.mutate(limit);
  }
  return (
    <Dialog onClose={onClose} title="Aviso de existencias">
      <form onSubmit={submit}>
        <DraftNotice draft={draft} />
        <NumberField
          label={`Avisar cuando queden, en ${product.base_unit}`}
          description="Cuando haya esta cantidad o menos, el producto aparece como «Por agotarse»."
          min={0}
          max={1_000_000}
          value={limit}
          onChange={(typed) => draft.change({ limit: typed })}
          data-autofocus
        />
        <ErrorMessage error={saving.error} />
        <Group justify="flex-end" mt="lg">
          {own_low_stock !== null && (
            <Button variant="subtle" onClick={() => saving.mutate(null)}>
              Usar el de todo el negocio
            </Button>
          )}
          <Button type="submit" loading={saving.isPending} disabled={typeof limit !== "number"}>
            Guardar
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
