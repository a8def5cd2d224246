import { patch, postOnce, wasRefused } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { refreshWarehouses, type ShownWarehouse } from "../lib/stock-queries.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Fields, FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";

interface Props {
  all: readonly ShownWarehouse[];
  warehouse?: ShownWarehouse;
  onClose: () => void;
}

/** The name of a warehouse, new or known. */
export function WarehouseForm({ all, warehouse, onClose }: Props) {
  const notify = useNotify();
  const form = useForm("POST /warehouses", {
    draft: `warehouse ${warehouse?.id ?? "nueva"}`,
    start: { name: warehouse?.name ?? "", key: crypto.randomUUID() as string },
    send: ({ key }) =>
      warehouse ? patch(`/warehouses/${warehouse.id}`, { name }) : postOnce("/warehouses", { name }, key),
    async onSent() {
      await refreshWarehouses();
      notify(warehouse ? "Nombre guardado." : `«${name}» está lista.`);
      onClose();
    },
    // What was refused was not made: the corrected one is another.
    onRefused: (error, change) => wasRefused(error) && change({ key: crypto.randomUUID() }),
  });
  const name: string = form.values.name.trim();
  const isTaken = all.some((one) => one.id !== warehouse?.id && one.name.toLowerCase() === name.toLowerCase());
  return (
    <Dialog onClose={onClose} title={warehouse ? `Cambiar el nombre de «${warehouse.name}»` : "Nueva bodega"}>
      <FormFrame
        form={form}
        action={warehouse ? "Guardar" : "Crear bodega"}
        isReady={name !== "" && !isTaken}
        onCancel={onClose}
      >
        <Fields
          form={form}
          fields={[
            {
              name: "name",
              label: "Nombre",
              required: true,
              placeholder: "Bodega de atrás",
              error: isTaken && "Ya tiene una bodega con ese nombre. Escriba otro.",
              "data-autofocus": true,
            },
          ]}
        />
      </FormFrame>
    </Dialog>
  );
}
