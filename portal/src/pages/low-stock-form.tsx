import { Button } from "@mantine/core";
import { put } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { type ProductDetail, refreshStock } from "../lib/stock-queries.ts";
import { Changeable } from "../ui/changeable.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Fields, FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";

/** From which stock a product counts as running out. */
export function LowStockForm({ detail, onClose }: { detail: ProductDetail; onClose: () => void }) {
  const { product, own_low_stock, low_stock } = detail;
  const notify = useNotify();
  const form = useForm("PUT /products/:id/low-stock", {
    draft: `low-stock ${product.id}`,
    start: { low_stock: low_stock as number | string | null },
    send: (values) => put(`/products/${product.id}/low-stock`, values),
    async onSent() {
      await refreshStock();
      notify("Aviso de existencias guardado.");
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title="Aviso de existencias">
      <Changeable to="stock:write">
        <FormFrame
          form={form}
          action="Guardar"
          isReady={typeof form.values.low_stock === "number"}
          buttons={
            own_low_stock !== null && (
              <Button variant="subtle" onClick={() => form.submit(undefined, { low_stock: null })}>
                Usar el de todo el negocio
              </Button>
            )
          }
        >
          <Fields
            form={form}
            fields={[
              {
                as: "number",
                name: "low_stock",
                label: `Avisar cuando queden, en ${product.base_unit}`,
                description: "Cuando haya esta cantidad o menos, el producto aparece como «Por agotarse».",
                "data-autofocus": true,
              },
            ]}
          />
        </FormFrame>
      </Changeable>
    </Dialog>
  );
}
