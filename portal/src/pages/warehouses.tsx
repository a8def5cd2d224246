import { Button, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { patch } from "../lib/api.ts";
import { plural } from "../lib/format.ts";
import { type Sede, useSedes } from "../lib/sedes.ts";
import { refreshWarehouses, type ShownWarehouse, useAllWarehouses } from "../lib/stock-queries.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icons.tsx";
import { useNotify } from "../ui/notices.tsx";
import { Empty, ErrorMessage, Heading, Loading, StateBadge } from "../ui/parts.tsx";
import { type Column, RecordTable } from "../ui/record-table.tsx";
import { WarehouseForm } from "./warehouse-form.tsx";

type Step = { kind: "new" } | { kind: "rename" | "prefer" | "close"; warehouse: ShownWarehouse };

/** Where the business keeps what it sells. */
export default function Warehouses() {
  const list = useAllWarehouses();
  const [step, setStep] = useState<Step>();
  const sedes = useSedes().data ?? [];
  const notify = useNotify();
  const opening = useMutation({
    mutationFn: ({ id }: ShownWarehouse) => patch(`/warehouses/${id}`, { active: true }),
    async onSuccess(_, { name }) {
      await refreshWarehouses();
      notify(`«${name}» está abierta otra vez.`);
    },
  });
  const all = list.data ?? [];
  return (
    <>
      <Heading
        title="Bodegas"
        lead={
          sedes.length > 1
            ? "Dónde está lo que vende. Las cajas venden de la bodega de su sede y, si la sede no tiene una, de la predeterminada del negocio, a la que entra lo que no dice a cuál."
            : "Dónde está lo que vende. Las cajas venden de la predeterminada, y a ella entra lo que no dice a cuál."
        }
      >
        <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setStep({ kind: "new" })}>
          Nueva bodega
        </Button>
      </Heading>
      <ErrorMessage error={list.error ?? opening.error} retry={list.error ? list.refetch : undefined} />
      {list.isPending ? (
        <Loading />
      ) : (
        <div className="card">
          {all.every(({ active }) => !active) && (
            <Empty icon="stock" title="No hay bodegas abiertas">
              Sin una bodega no entran ni salen existencias. Abra una de las cerradas o cree otra.
            </Empty>
          )}
          {all.length > 0 && (
            <RecordTable
              label="Bodegas"
              columns={columns(setStep, (warehouse) => opening.mutate(warehouse), sedes)}
              rows={all}
              rowKey={({ id }) => id}
            />
          )}
        </div>
      )}
      {step && <StepDialog step={step} all={all} onClose={() => setStep(undefined)} />}
    </>
  );
}

/** A sede's own default comes before the business's for the registers there. */
function defaultOf(sedes: readonly Sede[], id: string): string | undefined {
  const names = sedes.flatMap((one) => (one.default_warehouse_id === id && one.active ? one.name : []));
  return names.length > 0 ? `De ella vende ${names.join(", ")}` : undefined;
}

function columns(
  begin: (step: Step) => void,
  reopen: (warehouse: ShownWarehouse) => void,
  sedes: readonly Sede[],
): Column<ShownWarehouse>[] {
  const small = { size: "compact-sm", variant: "default" } as const;
  return [
    {
      title: "Bodega",
      cell: ({ id, name, is_default, active }) => (
        <Group gap="xs">
          <span className="name">{name}</span>
          {is_default && active && <StateBadge title="Predeterminada" color="green" />}
          {sedes.length > 1 && active && defaultOf(sedes, id) && (
            <StateBadge title={defaultOf(sedes, id) ?? ""} color="gray" />
          )}
        </Group>
      ),
    },
    {
      title: "Estado",
      cell: ({ active }) => <StateBadge {...(active ? openWords : closedWords)} />,
    },
    ...(sedes.length > 1 ? [ofSede(sedes)] : []),
    { title: "Productos con existencias", isNumber: true, cell: ({ products }) => products },
    {
      title: "Acciones",
      cell: (warehouse) => (
        <Group gap="xs">
          <Button {...small} onClick={() => begin({ kind: "rename", warehouse })}>
            {sedes.length > 1 ? "Editar" : "Cambiar el nombre"}
          </Button>
          {!warehouse.active && (
            <Button {...small} onClick={() => reopen(warehouse)}>
              Abrir
            </Button>
          )}
          {warehouse.active && !warehouse.is_default && (
            <Button {...small} onClick={() => begin({ kind: "prefer", warehouse })}>
              Hacer predeterminada
            </Button>
          )}
          {warehouse.active && (
            <Button {...small} onClick={() => begin({ kind: "close", warehouse })}>
              Cerrar
            </Button>
          )}
        </Group>
      ),
    },
  ];
}

function ofSede(sedes: readonly Sede[]): Column<ShownWarehouse> {
  const names = new Map(sedes.map(({ id, name }) => [id, name]));
  return {
    title: "Sede",
    cell: ({ location_id }) => (location_id === null ? "Todo el negocio" : (names.get(location_id) ?? "–")),
  };
}

const openWords = { title: "Abierta", color: "green" };
const closedWords = { title: "Cerrada", color: "gray" };

function StepDialog({ step, all, onClose }: { step: Step; all: readonly ShownWarehouse[]; onClose: () => void }) {
  const notify = useNotify();
  if (step.kind === "new") return <WarehouseForm all={all} onClose={onClose} />;
  const { kind, warehouse } = step;
  const { id, name } = warehouse;
  if (kind === "rename") return <WarehouseForm all={all} warehouse={warehouse} onClose={onClose} />;
  const change = async (fields: object, done: string) => {
    await patch(`/warehouses/${id}`, fields);
    await refreshWarehouses();
    notify(done);
  };
  if (kind === "prefer")
    return (
      <ConfirmDialog
        title={`Hacer predeterminada «${name}»`}
        action="Hacer predeterminada"
        run={() => change({ is_default: true }, `«${name}» es la predeterminada.`)}
        onClose={onClose}
      >
        <Text>Las cajas venderán de ella desde que se sincronicen. Lo que hay en las otras se queda donde está.</Text>
      </ConfirmDialog>
    );
  if (warehouse.is_default && all.some((one) => one.active && one.id !== id))
    return (
      <Dialog onClose={onClose} title={`Cerrar «${name}»`}>
        <Text>Es la predeterminada: de ella venden las cajas. Haga predeterminada otra bodega y después ciérrela.</Text>
        <Group justify="flex-end" mt="lg">
          <Button onClick={onClose} data-autofocus>
            Entendido
          </Button>
        </Group>
      </Dialog>
    );
  return (
    <ConfirmDialog
      title={`Cerrar «${name}»`}
      action="Cerrar la bodega"
      run={() => change({ active: false }, `«${name}» quedó cerrada.`)}
      onClose={onClose}
    >
      <Text>
        {warehouse.is_default
          ? "Es la última abierta: mientras no abra o cree otra, no podrá registrar entradas ni conteos."
          : "Ya no se podrá elegir. Puede abrirla otra vez cuando quiera."}
      </Text>
      {warehouse.products > 0 && (
        <Text mt="sm">
          Todavía tiene existencias de {plural(warehouse.products, "producto", "productos")}: siguen contando en el
          total. Trasládelas o ajústelas si ya no están ahí.
        </Text>
      )}
    </ConfirmDialog>
  );
}
