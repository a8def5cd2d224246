import { Alert, Button } from "@mantine/core";
import { useState } from "react";
import type { Device } from "../lib/answers.ts";
import { patch, put, remove } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { duration } from "../lib/format.ts";
import type { Option } from "../lib/options.ts";
import { client, useDevices } from "../lib/queries.ts";
import { refreshSedes, useSedeChoices, useSedes } from "../lib/sedes.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Fields, FormFrame } from "../ui/form.tsx";
import { Icon } from "../ui/icons.tsx";
import { useNotify } from "../ui/notices.tsx";
import { Heading, Id, Loading, NotFound, Section, Time } from "../ui/parts.tsx";
import { Conflicts, FlaggedRecords, QuarantinedRecords } from "./device-records.tsx";
import { DeviceState } from "./devices.tsx";

export default function DevicePage({ id }: { id: string }) {
  const devices = useDevices();
  const notify = useNotify();
  const sedes = useSedeChoices();
  const [dialog, setDialog] = useState<"rename" | "move" | "revoke">();
  const back = { to: "/cajas", label: "Cajas" };
  const device = devices.data?.find((one) => one.id === id);
  if (devices.isPending) return <Loading />;
  if (!device) {
    const title = "Esta caja no existe en la cuenta";
    return <NotFound heading="Caja" back={back} icon="register" title={title} list={devices} />;
  }
  return (
    <>
      <Heading title={device.name} back={back}>
        {!device.revoked_at && (
          <>
            <Button variant="default" onClick={() => setDialog("rename")}>
              Cambiar el nombre
            </Button>
            {sedes.length > 0 && (
              <Button variant="default" onClick={() => setDialog("move")}>
                Pasar a otra sede
              </Button>
            )}
            <Button color="red.9" variant="outline" c="var(--mantine-color-error)" onClick={() => setDialog("revoke")}>
              Retirar
            </Button>
          </>
        )}
      </Heading>
      {device.is_outdated && !device.revoked_at && (
        <Alert
          color="yellow"
          variant="light"
          mb="md"
          icon={<Icon name="alert" />}
          title="Actualice la aplicación de esta caja"
        >
          Mientras no lo haga, los productos no se pueden editar por la API: responde DEVICES_OUTDATED.
        </Alert>
      )}
      <Facts device={device} />
      <QuarantinedRecords id={id} />
      <FlaggedRecords id={id} />
      <Conflicts id={id} />
      {dialog === "rename" && <Rename device={device} onClose={() => setDialog(undefined)} />}
      {dialog === "move" && <Move device={device} sedes={sedes} onClose={() => setDialog(undefined)} />}
      {dialog === "revoke" && (
        <ConfirmDialog
          title="Retirar la caja"
          action="Retirar"
          danger
          run={async () => {
            await remove(`/devices/${id}`);
            notify("Caja retirada.");
            await client.invalidateQueries({ queryKey: ["devices"] });
          }}
          onClose={() => setDialog(undefined)}
        >
          «{device.name}» deja de sincronizar desde este momento. Lo que ya subió se conserva; lo que tenga sin subir
          espera en el equipo hasta que la vincule de nuevo.
        </ConfirmDialog>
      )}
    </>
  );
}

function Facts({ device }: { device: Device }) {
  const all = useSedes().data ?? [];
  const sede = all.length > 1 ? all.find(({ id }) => id === device.location_id) : undefined;
  return (
    <Section title="Datos">
      <dl className="facts">
        <dt>Estado</dt>
        <dd>
          <DeviceState device={device} />
        </dd>
        {sede && (
          <>
            <dt>Sede</dt>
            <dd>{sede.name}</dd>
          </>
        )}
        <dt>Versión</dt>
        <dd>{device.app_version ?? "No ha informado"}</dd>
        <dt>Vista por última vez</dt>
        <dd>{device.last_seen_at ? <Time at={device.last_seen_at} relative /> : "Nunca"}</dd>
        <dt>Reloj</dt>
        <dd>{skewWords(device)}</dd>
        <dt>Vinculada</dt>
        <dd>
          <Time at={device.created_at} />
        </dd>
        <dt>Identificador</dt>
        <dd>
          <Id value={device.id} label="Copiar el identificador" whole />
        </dd>
      </dl>
    </Section>
  );
}

function skewWords({ skew_ms }: Device): string {
  if (skew_ms === null) return "Todavía no se sabe";
  if (Math.abs(skew_ms) < 60_000) return "En hora";
  return `${skew_ms > 0 ? "Atrasado" : "Adelantado"} ${duration(Math.abs(skew_ms))}`;
}

/** What it sold stays where it was sold. */
function Move({ device, sedes, onClose }: { device: Device; sedes: Option[]; onClose: () => void }) {
  const notify = useNotify();
  const form = useForm("PUT /devices/:id/location", {
    draft: `device ${device.id} sede`,
    start: { location_id: device.location_id },
    send: (values) => put(`/devices/${device.id}/location`, values),
    async onSent() {
      notify("La caja es de otra sede desde ahora.");
      await refreshSedes();
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title={`Pasar «${device.name}» a otra sede`}>
      <FormFrame form={form} action="Pasar" onCancel={onClose}>
        <Fields
          form={form}
          fields={[
            {
              name: "location_id",
              label: "Sede",
              as: "choice",
              data: sedes,
              description: "Lo que venda desde ahora será de ella; lo que ya subió queda donde se vendió.",
            },
          ]}
        />
      </FormFrame>
    </Dialog>
  );
}

function Rename({ device, onClose }: { device: Device; onClose: () => void }) {
  const notify = useNotify();
  const form = useForm("PATCH /devices/:id", {
    draft: `device ${device.id}`,
    start: { name: device.name },
    send: (values) => patch(`/devices/${device.id}`, values),
    async onSent() {
      notify("Nombre cambiado.");
      await client.invalidateQueries({ queryKey: ["devices"] });
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title="Cambiar el nombre de la caja">
      <FormFrame form={form} action="Guardar" onCancel={onClose}>
        <Fields form={form} fields={[{ name: "name", label: "Nombre", required: true, "data-autofocus": true }]} />
      </FormFrame>
    </Dialog>
  );
}
