import { useQuery } from "@tanstack/react-query";
import { get, put } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { client } from "../lib/queries.ts";
import { refreshStock } from "../lib/stock-queries.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Fields, FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";

/** From which stock the products without a limit of their own count as running out. */
export function AccountLimitForm({ onClose }: { onClose: () => void }) {
  const notify = useNotify();
  const settings = useQuery({
    queryKey: ["stock-settings"],
    queryFn: ({ signal }) => get<{ low_stock: number }>("/stock-settings", signal),
  });
  const form = useForm("PUT /stock-settings", {
    draft: "low-stock",
    start: {} as { low_stock?: number | string },
    send: (values) => put("/stock-settings", values),
    async onSent() {
      await Promise.all([refreshStock(), client.invalidateQueries({ queryKey: ["stock-settings"] })]);
      notify("Aviso de existencias guardado.");
      onClose();
    },
  });
  const low_stock = form.values.low_stock ?? settings.data?.low_stock ?? "";
  return (
    <Dialog onClose={onClose} title="Desde cuándo se avisa">
      <FormFrame
        form={{ ...form, submit: (event) => form.submit(event, { low_stock }) }}
        action="Guardar"
        error={settings.error ?? form.error}
        isReady={typeof low_stock === "number"}
        onCancel={onClose}
      >
        <Fields
          form={{ ...form, values: { low_stock } }}
          fields={[
            {
              as: "number",
              name: "low_stock",
              label: "Avisar cuando queden",
              description: "Para todos los productos que no tienen un aviso propio en su ficha.",
              "data-autofocus": true,
            },
          ]}
        />
      </FormFrame>
    </Dialog>
  );
}
