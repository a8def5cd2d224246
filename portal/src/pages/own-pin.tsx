import { Stack } from "@mantine/core";
import { put } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { Fields, FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";
import { Section } from "../ui/parts.tsx";
import { refreshCashiers } from "./cashier-form.tsx";
import { pinField } from "./person-cashier-form.tsx";

/** With which one attends at the registers of the business. */
export function OwnPin() {
  const notify = useNotify();
  const form = useForm("PUT /person/pin", {
    secrets: { pin: "" },
    send: ({ pin }) => put("/person/pin", { pin }),
    async onSent() {
      form.change({ pin: "" });
      notify("PIN guardado. Las cajas ya lo están recibiendo.");
      await refreshCashiers();
    },
  });
  const { pin } = form.values;
  return (
    <Section
      title="Su PIN en la caja"
      lead="Para atender en las cajas de sus sedes, con lo que su rol permite. Si ya tenía uno, este lo reemplaza."
    >
      <FormFrame
        form={form}
        action="Guardar el PIN"
        button={{ variant: "default" }}
        justify="flex-start"
        mt="md"
        isReady={/^[0-9]{4,8}$/.test(pin)}
      >
        <Stack gap="sm" maw="28rem">
          <Fields form={form} fields={[pinField(false, pin)]} />
        </Stack>
      </FormFrame>
    </Section>
  );
}
