import { Button, Group, Text } from "@mantine/core";
import { Qr } from "../../../ui/qr.tsx";
import type { RequestedConfirmation, Result } from "../lib/answers.ts";
import { post } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { client, useDevices } from "../lib/queries.ts";
import { useSede, useSedeChoices } from "../lib/sedes.ts";
import { CodeDialog } from "../ui/code-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Fields, FormFrame } from "../ui/form.tsx";
import { Icon } from "../ui/icons.tsx";
import { useShowOnce } from "../ui/shown-once.tsx";

/** Enrols a register: its name, the mailed code, then a QR to scan, and "conectada" as soon as the register has used it. */
export function EnrolRegister({ onClose }: { onClose: () => void }) {
  const devices = useDevices();
  const showOnce = useShowOnce();
  const sedes = useSedeChoices();
  const sede = useSede();
  const form = useForm("POST /devices/enrolment", {
    draft: "enrolment",
    start: { name: "", location_id: sede.id ?? "" },
    send: ({ name: typed, location_id }) =>
      post<RequestedConfirmation>("/devices/enrolment", {
        name: typed.trim(),
        ...(sedes.length > 0 && location_id && { location_id }),
      }),
  });
  const name = form.values.name.trim();
  if (form.answer)
    return (
      <CodeDialog<Result<"device.enrol">>
        confirmation={form.answer}
        action={`vincular la caja «${name}»`}
        onDone={({ enrolment_code: code }) => {
          form.draft.forget();
          const known = new Set(devices.data?.map(({ id }) => id));
          showOnce((close) => <ScanCode name={name} code={code} known={known} onClose={close} />);
          onClose();
        }}
        onClose={onClose}
      />
    );
  return (
    <Dialog onClose={onClose} title="Vincular una caja">
      <FormFrame
        form={form}
        action="Continuar"
        isReady={name !== "" && (sedes.length === 0 || form.values.location_id !== "")}
        onCancel={onClose}
      >
        <Fields
          form={form}
          fields={[
            {
              name: "name",
              label: "Nombre de la caja",
              description: "Como la reconoce su gente.",
              placeholder: "Caja 1",
              required: true,
              "data-autofocus": true,
            },
            sedes.length > 0 && {
              name: "location_id",
              label: "Sede",
              description: "Dónde queda. La puede pasar a otra después.",
              as: "choice",
              data: sedes,
              required: true,
            },
          ]}
        />
      </FormFrame>
    </Dialog>
  );
}

/** `known`: the registers that were there before the code was made. */
function ScanCode({
  name,
  code,
  known,
  onClose,
}: {
  name: string;
  code: string;
  known: ReadonlySet<string>;
  onClose: () => void;
}) {
  const connected = useDevices().data?.find(({ id }) => !known.has(id));
  const shown = `${code.slice(0, 5)}-${code.slice(5)}`;
  function close() {
    void client.invalidateQueries({ queryKey: ["start"] });
    onClose();
  }
  return (
    <Dialog onClose={close} closeOnClickOutside={false} title={connected ? "Caja conectada" : `Conecte «${name}»`}>
      {connected ? (
        <Group gap="sm" wrap="nowrap" role="status">
          <Icon name="check" size={32} />
          <Text>
            <strong>«{connected.name}» está conectada.</strong> Ya recibe sus productos y sube sus ventas.
          </Text>
        </Group>
      ) : (
        <>
          <Group align="flex-start" mb="md">
            <Qr text={`${location.origin}/caja/#codigo=${code}`} label="Código QR que abre y vincula la caja" />
            <Text size="sm" style={{ flex: "1 1 12rem" }}>
              Escanéelo con la tableta o el teléfono que será la caja, o{" "}
              <a href={`/caja/#codigo=${code}`} target="_blank" rel="noreferrer">
                abra la caja en este equipo
              </a>
              . También puede escribir el código en la dirección <code>{location.origin}/caja/</code>.
            </Text>
          </Group>
          <pre className="code-block" style={{ textAlign: "center", fontSize: "1.3rem" }} data-testid="secret">
            {shown}
          </pre>
          <Text size="sm" c="dimmed" mt="sm" role="status">
            Esperando a la caja… El código vence en 10 minutos y sirve una sola vez.
          </Text>
        </>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant={connected ? "filled" : "default"} onClick={close}>
          Listo
        </Button>
      </Group>
    </Dialog>
  );
}
