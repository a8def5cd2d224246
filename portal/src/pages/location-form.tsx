import { patch, post } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { colorOf, newColor, refreshSedes, type Sede } from "../lib/sedes.ts";
import { useAllWarehouses } from "../lib/stock-queries.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Fields, FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";

interface Props {
  all: readonly Sede[];
  sede?: Sede;
  onClose: () => void;
}

const texts = ["address", "municipality", "phone", "establishment_code", "ticket_header", "ticket_footer"] as const;

const place = [
  { name: "address", label: "Dirección", placeholder: "Cra 45 # 12-34, Medellín" },
  { name: "municipality", label: "Código del municipio", description: "El de la DIAN: 11001 es Bogotá." },
  { name: "phone", label: "Teléfono" },
  {
    name: "establishment_code",
    label: "Código del establecimiento",
    description: "El que le dio el RUT o la cámara de comercio. Sale en sus documentos.",
  },
] as const;

const looks = [
  { name: "color", label: "Color", type: "color", description: "El de sus barras donde se comparan sedes." },
  {
    name: "ticket_header",
    as: "long",
    label: "Encabezado del tiquete",
    description: "Vacío: el del negocio.",
  },
  { name: "ticket_footer", as: "long", label: "Pie del tiquete", description: "Vacío: el del negocio." },
] as const;

/** What is said of a sede, new or known. What it leaves empty is the business's. */
export function LocationForm({ all, sede, onClose }: Props) {
  const notify = useNotify();
  const warehouses = useAllWarehouses();
  const form = useForm(sede ? "PATCH /locations/:id" : "POST /locations", {
    draft: `sede ${sede?.id ?? "nueva"}`,
    start: {
      name: sede?.name ?? "",
      default_warehouse_id: sede?.default_warehouse_id ?? "",
      color: sede ? (colorOf(all, sede.id) ?? "") : newColor(all.length),
      ...(Object.fromEntries(texts.map((name) => [name, sede?.[name] ?? ""])) as Record<
        (typeof texts)[number],
        string
      >),
    },
    async send({ name, default_warehouse_id, ...others }) {
      const details = Object.fromEntries(Object.entries(others).map(([key, text]) => [key, text.trim() || null]));
      const body = { name: name.trim(), default_warehouse_id: default_warehouse_id || null, ...details };
      await (sede ? patch(`/locations/${sede.id}`, body) : post("/locations", body));
    },
    async onSent() {
      await refreshSedes();
      notify(sede ? "Sede guardada." : `«${form.values.name.trim()}» está lista. Vincule sus cajas en Cajas.`);
      onClose();
    },
  });
  const name = form.values.name.trim();
  const isTaken = all.some((one) => one.id !== sede?.id && one.name.toLowerCase() === name.toLowerCase());
  // Those of another sede are for its own sales.
  const open = (warehouses.data ?? []).filter(
    ({ active, id, location_id }) =>
      (active && (location_id === null || location_id === sede?.id)) || id === sede?.default_warehouse_id,
  );
  return (
    <Dialog onClose={onClose} title={sede ? `Editar «${sede.name}»` : "Nuevo local"}>
      <FormFrame form={form} action="Guardar" isReady={name !== "" && !isTaken} onCancel={onClose}>
        <Fields
          form={form}
          fields={[
            {
              name: "name",
              label: "Nombre",
              required: true,
              placeholder: "Centro",
              error: isTaken && "Ya tiene uno con ese nombre. Escriba otro.",
              "data-autofocus": true,
            },
            ...place,
            {
              name: "default_warehouse_id",
              label: "Bodega de sus ventas",
              as: "choice",
              data: [
                { value: "", label: "La predeterminada del negocio" },
                ...open.map(({ id, name: label }) => ({ value: id, label })),
              ],
            },
            ...looks,
          ]}
        />
      </FormFrame>
    </Dialog>
  );
}
