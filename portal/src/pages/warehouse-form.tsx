import { patch, postOnce, wasRefused } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { useSession } from "../lib/queries.ts";
import { useSedeChoices } from "../lib/sedes.ts";
import { refreshWarehouses, type ShownWarehouse } from "../lib/stock-queries.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Fields, FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";

interface Props {
  all: readonly ShownWarehouse[];
  warehouse?: ShownWarehouse;
  onClose: () => void;
}

/** The name of a warehouse, new or known, and the sede where it stands. */
export function WarehouseForm({ all, warehouse, onClose }: Props) {
  const notify = useNotify();
  const sedes = useSedeChoices();
  const seesAll = useSession().data?.location_ids === null;
  const form = useForm("POST /warehouses", {
    draft: `warehouse ${warehouse?.id ?? "nueva"}`,
    start: {
      name: warehouse?.name ?? "",
      location_id: warehouse ? (warehouse.location_id ?? "") : (sedes[0]?.value ?? ""),
      key: crypto.randomUUID() as string,
    },
    send({ key, location_id }) {
      const body = { name, ...(sedes.length > 0 && { location_id: location_id || null }) };
      return warehouse ? patch(`/warehouses/${warehouse.id}`, body) : postOnce("/warehouses", body, key);
    },
    async onSent() {
      await refreshWarehouses();
      notify(warehouse ? "Bodega guardada." : `«${name}» está lista.`);
      onClose();
    },
    // What was refused was not made: the corrected one is another.
    onRefused: (error, change) => wasRefused(error) && change({ key: crypto.randomUUID() }),
  });
  const name: string = form.values.name.trim();
  const isTaken = all.some((one) => one.id !== warehouse?.id && one.name.toLowerCase() === name.toLowerCase());
  return (
    <Dialog onClose={onClose} title={warehouse ? `Editar «${warehouse.name}»` : "Nueva bodega"}>
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
            sedes.length > 0 && {
              name: "location_id",
              label: "Sede",
              as: "choice",
              description: "Sus existencias cuentan en esa sede.",
              data: [...sedes, ...(seesAll ? [{ value: "", label: "De todo el negocio" }] : [])],
            },
          ]}
        />
      </FormFrame>
    </Dialog>
  );
}
