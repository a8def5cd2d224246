import { Checkbox, Stack } from "@mantine/core";
import type { Answer } from "../lib/answers.ts";
import { patch, post } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { client, useSession } from "../lib/queries.ts";
import { useSedes } from "../lib/sedes.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Fields, FormFrame } from "../ui/form.tsx";
import { SedeFields } from "../ui/sede-fields.tsx";

export type Cashier = Answer<"GET /cashiers">["data"][number];
export type Rights = Answer<"GET /cashiers">["rights"];

export const refreshCashiers = () => client.invalidateQueries({ queryKey: ["cashiers"] });

/** Who she is, her PIN, where she works, and what she may do besides selling. */
export function CashierForm(props: { cashier: Cashier | undefined; rights: Rights; onClose: () => void }) {
  const { cashier, rights, onClose } = props;
  const sedes = useSedes().data ?? [];
  const ownSedes = useSession().data?.location_ids ?? null;
  const form = useForm("POST /cashiers", {
    draft: `cashier ${cashier?.id ?? "nuevo"}`,
    start: {
      name: cashier?.name ?? "",
      permissions: cashier?.permissions ?? rights.map(({ id }) => id),
      location_ids: cashier ? cashier.location_ids : ownSedes && [...ownSedes],
    },
    secrets: { pin: "" },
    fieldless: ["permissions", "location_ids"],
    send({ name, pin, permissions, location_ids }) {
      const values = { name: name.trim(), permissions, location_ids, ...(pin !== "" && { pin }) };
      return cashier ? patch(`/cashiers/${cashier.id}`, values) : post("/cashiers", values);
    },
    async onSent() {
      await refreshCashiers();
      onClose();
    },
  });
  const { name, pin, permissions, location_ids } = form.values;
  const isPin = /^[0-9]{4,8}$/.test(pin) || (pin === "" && cashier !== undefined);
  return (
    <Dialog onClose={onClose} title={cashier ? `Editar a ${cashier.name}` : "Agregar a alguien"}>
      <FormFrame
        form={form}
        action="Guardar"
        isReady={name.trim() !== "" && isPin && location_ids?.length !== 0}
        onCancel={onClose}
        mt="md"
      >
        <Stack gap="md">
          <Fields
            form={form}
            fields={[
              { name: "name", label: "Nombre", required: true, "data-autofocus": true },
              {
                as: "secret",
                name: "pin",
                label: cashier ? "PIN nuevo (opcional)" : "PIN",
                description: "De 4 a 8 cifras. Nadie lo puede leer después, ni siquiera aquí.",
                error: pin !== "" && !isPin && "El PIN tiene de 4 a 8 cifras, sin letras.",
                inputMode: "numeric",
              },
            ]}
          />
          {sedes.length > 1 && (
            <SedeFields
              sedes={sedes}
              value={location_ids}
              label="Atiende en"
              canAll={ownSedes === null}
              onChange={(chosen) => form.change({ location_ids: chosen })}
            />
          )}
          <RightsField
            rights={rights}
            value={permissions}
            onChange={(chosen) => form.change({ permissions: chosen })}
          />
        </Stack>
      </FormFrame>
    </Dialog>
  );
}

function RightsField({
  rights,
  value,
  onChange,
}: {
  rights: Rights;
  value: Cashier["permissions"];
  onChange: (chosen: Cashier["permissions"]) => void;
}) {
  return (
    <Checkbox.Group
      label="Además de vender, puede"
      description="Lo que no pueda, lo autoriza en la caja con su PIN quien sí puede; quedan los dos nombres."
      value={value}
      onChange={(chosen) => onChange(chosen as Cashier["permissions"])}
    >
      <Stack gap="xs" mt="xs">
        {rights.map(({ id, title }) => (
          <Checkbox key={id} value={id} label={title} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
