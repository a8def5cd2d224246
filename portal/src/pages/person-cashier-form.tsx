import { Stack, Text } from "@mantine/core";
import type { Answer } from "../lib/answers.ts";
import { patch, post } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { Dialog } from "../ui/dialog.tsx";
import { type Field, Fields, FormFrame } from "../ui/form.tsx";
import { type Cashier, refreshCashiers } from "./cashier-form.tsx";

type Candidates = Answer<"GET /cashiers">["people"];

const isPin = (pin: string) => /^[0-9]{4,8}$/.test(pin);

/** Somebody of the business who attends from now on, or who was typed here before: what she may do follows her role. */
export function PersonCashierForm(props: { cashier: Cashier | undefined; people: Candidates; onClose: () => void }) {
  const { cashier, people, onClose } = props;
  const form = useForm("POST /cashiers/people", {
    draft: `person cashier ${cashier?.id ?? "nuevo"}`,
    start: { person_id: people[0]?.id ?? "" },
    secrets: { pin: "" },
    send: ({ person_id, pin }) =>
      post("/cashiers/people", { person_id, ...(pin !== "" && { pin }), ...(cashier && { cashier_id: cashier.id }) }),
    async onSent() {
      await refreshCashiers();
      onClose();
    },
  });
  const { person_id, pin } = form.values;
  const isReady = person_id !== "" && (isPin(pin) || (pin === "" && cashier !== undefined));
  return (
    <Dialog onClose={onClose} title={cashier ? `¿Quién es ${cashier.name}?` : "Agregar a una persona del negocio"}>
      <FormFrame form={form} action="Guardar" isReady={isReady} onCancel={onClose} mt="md">
        <Stack gap="md">
          <Fields
            form={form}
            fields={[
              {
                as: "choice",
                name: "person_id",
                label: "Persona",
                data: people.map(({ id, name }) => ({ value: id, label: name })),
                description: "Lo que puede en la caja, y en qué sedes, es lo de su rol.",
              },
              pinField(cashier !== undefined, pin),
            ]}
          />
          {cashier && (
            <Text size="sm" c="dimmed">
              Conserva su PIN y sus ventas, y queda una sola vez en las listas.
            </Text>
          )}
        </Stack>
      </FormFrame>
    </Dialog>
  );
}

/** Another PIN of somebody of the business: nothing else of hers is changed at the counter. */
export function PersonPinForm({ cashier, onClose }: { cashier: Cashier; onClose: () => void }) {
  const form = useForm("PATCH /cashiers/:id", {
    secrets: { pin: "" },
    send: ({ pin }) => patch(`/cashiers/${cashier.id}`, { pin }),
    async onSent() {
      await refreshCashiers();
      onClose();
    },
  });
  const { pin } = form.values;
  return (
    <Dialog onClose={onClose} title={`PIN de ${cashier.name}`}>
      <FormFrame form={form} action="Guardar" isReady={isPin(pin)} onCancel={onClose} mt="md">
        <Stack gap="md">
          <Fields form={form} fields={[{ ...pinField(true, pin), label: "PIN nuevo", "data-autofocus": true }]} />
          <Text size="sm" c="dimmed">
            Su nombre, sus sedes y lo que puede son los de su rol: se cambian en Personas.
          </Text>
        </Stack>
      </FormFrame>
    </Dialog>
  );
}

export function pinField(isOptional: boolean, pin: string) {
  return {
    as: "secret",
    name: "pin",
    label: isOptional ? "PIN nuevo (opcional)" : "PIN",
    description: "De 4 a 8 cifras. Nadie lo puede leer después, ni siquiera aquí.",
    error: pin !== "" && !isPin(pin) && "El PIN tiene de 4 a 8 cifras, sin letras.",
    inputMode: "numeric",
  } as const satisfies Field<"PUT /person/pin", { pin: string }>;
}
