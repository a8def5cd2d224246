import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { patch } from "../lib/api.ts";
import { municipalityName } from "../lib/municipalities.ts";
import { refreshSedes, type Sede, useSedes } from "../lib/sedes.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Icon } from "../ui/icons.tsx";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage, Heading, Loading, StateBadge } from "../ui/parts.tsx";
import { type Column, RecordTable } from "../ui/record-table.tsx";
import { LocationForm } from "./location-form.tsx";

type Step = { kind: "new" } | { kind: "edit" | "close" | "open"; sede: Sede };

/** Where the business sells. With one place it only says how to open another. */
export default function Locations() {
  const list = useSedes();
  const [step, setStep] = useState<Step>();
  const all = list.data ?? [];
  const isAlone = all.length < 2;
  return (
    <>
      <Heading
        title={isAlone ? "Otro local" : "Sedes"}
        back={{ to: "/ajustes/negocio", label: "Negocio" }}
        lead={
          isAlone
            ? "Si abre otro punto de venta, regístrelo aquí: cada uno tendrá sus cajas, su bodega, sus cajeros y sus cuentas."
            : "Cada sede tiene sus cajas, su bodega predeterminada, sus cajeros y sus cuentas. El negocio es uno solo."
        }
      >
        <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setStep({ kind: "new" })}>
          {isAlone ? "Abrir otro local" : "Nueva sede"}
        </Button>
      </Heading>
      <ErrorMessage error={list.error} retry={list.refetch} />
      {list.isPending && <Loading />}
      {!isAlone && (
        <div className="card">
          <RecordTable label="Sedes" columns={columns(setStep)} rows={all} rowKey={({ id }) => id} />
        </div>
      )}
      {step && <StepDialog step={step} all={all} onClose={() => setStep(undefined)} />}
    </>
  );
}

function columns(begin: (step: Step) => void): Column<Sede>[] {
  const small = { size: "compact-sm", variant: "default" } as const;
  return [
    { title: "Sede", cell: ({ name }) => <span className="name">{name}</span> },
    { title: "Estado", cell: ({ active }) => <StateBadge {...(active ? openWords : closedWords)} /> },
    {
      title: "Dirección",
      cell: ({ address, municipality }) =>
        [address, municipality && municipalityName(municipality)].filter(Boolean).join(" · ") || "–",
    },
    { title: "Cajas", isNumber: true, cell: ({ registers }) => registers },
    {
      title: "Acciones",
      cell: (sede) => (
        <Group gap="xs">
          <Button {...small} onClick={() => begin({ kind: "edit", sede })}>
            Editar
          </Button>
          {!sede.is_first && (
            <Button {...small} onClick={() => begin({ kind: sede.active ? "close" : "open", sede })}>
              {sede.active ? "Cerrar" : "Abrir"}
            </Button>
          )}
        </Group>
      ),
    },
  ];
}

const openWords = { title: "Abierta", color: "green" };
const closedWords = { title: "Cerrada", color: "gray" };

function StepDialog({ step, all, onClose }: { step: Step; all: readonly Sede[]; onClose: () => void }) {
  const notify = useNotify();
  if (step.kind === "new") return <LocationForm all={all} onClose={onClose} />;
  const { kind, sede } = step;
  if (kind === "edit") return <LocationForm all={all} sede={sede} onClose={onClose} />;
  const active = kind === "open";
  return (
    <ConfirmDialog
      title={active ? `Abrir «${sede.name}»` : `Cerrar «${sede.name}»`}
      action={active ? "Abrir" : "Cerrar"}
      danger={!active}
      run={async () => {
        await patch(`/locations/${sede.id}`, { active });
        await refreshSedes();
        notify(active ? "Sede abierta." : "Sede cerrada.");
      }}
      onClose={onClose}
    >
      <Text>
        {active
          ? "Podrá vincularle cajas y darle cajeros otra vez."
          : "Ya no se le vinculan cajas. Sus ventas, turnos y documentos quedan donde están y siguen en los informes."}
      </Text>
    </ConfirmDialog>
  );
}
