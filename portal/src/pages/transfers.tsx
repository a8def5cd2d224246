import { Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { useFilters } from "../lib/address.ts";
import type { Answer } from "../lib/answers.ts";
import { number, plural } from "../lib/format.ts";
import { useList, useSession } from "../lib/queries.ts";
import { mayAt, transferWords, useOnTheWay } from "../lib/transfer-queries.ts";
import { Allowed } from "../ui/allowed.tsx";
import { Icon } from "../ui/icons.tsx";
import { Empty, ErrorMessage, Heading, Loading, LoadMore, Section, StateBadge, Time } from "../ui/parts.tsx";
import { type Column, RecordTable } from "../ui/record-table.tsx";
import { TransferDialog } from "./transfer-dialog.tsx";
import { TransferForm } from "./transfer-form.tsx";

type Listed = Answer<"GET /transfers">["data"][number];

/** What goes from one warehouse to another, and what is on its way. */
export default function Transfers() {
  const [{ traslado }, setFilters] = useFilters(["traslado"]);
  const [isSending, setSending] = useState(false);
  const session = useSession().data;
  const list = useList<Listed>("/transfers", {});
  return (
    <>
      <Heading
        title="Traslados"
        lead="Lo que va de una bodega a otra. Sale de una cuando se envía y entra en la otra cuando la reciben."
        back={{ to: "/inventario", label: "Inventario" }}
      >
        <Allowed to="stock:write">
          <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setSending(true)}>
            Nuevo traslado
          </Button>
        </Allowed>
      </Heading>
      <OnTheWay />
      <ErrorMessage error={list.error} retry={list.refetch} />
      {list.isPending && <Loading />}
      {list.data && (
        <div className="card">
          {list.data.length === 0 ? (
            <Empty icon="stock" title="Todavía no hay traslados">
              Cuando envíe algo de una bodega a otra, aquí verá si llegó.
            </Empty>
          ) : (
            <RecordTable
              label="Traslados"
              columns={columns((id) => setFilters({ traslado: id }), session)}
              rows={list.data}
              rowKey={({ id }) => id}
            />
          )}
          <LoadMore list={list} />
        </div>
      )}
      {isSending && <TransferForm onClose={() => setSending(false)} />}
      {traslado && <TransferDialog id={traslado} onClose={() => setFilters({ traslado: null })} />}
    </>
  );
}

function OnTheWay() {
  const list = useOnTheWay();
  if (!list.data?.length) return <ErrorMessage error={list.error} retry={list.refetch} />;
  return (
    <Section
      title="En camino"
      lead="Salió de una bodega y no ha llegado a la otra: no está en las existencias de ninguna."
    >
      <RecordTable
        label="En camino"
        columns={[
          { title: "Producto", cell: ({ product_id, name }) => <Link href={`/productos/${product_id}`}>{name}</Link> },
          { title: "Cantidad", isNumber: true, cell: ({ quantity, base_unit }) => `${number(quantity)} ${base_unit}` },
        ]}
        rows={list.data}
        rowKey={({ product_id }) => product_id}
      />
    </Section>
  );
}

const columns = (open: (id: string) => void, session: Parameters<typeof mayAt>[0]): Column<Listed>[] => [
  { title: "Traslado", cell: ({ number: of }) => <span className="name">Traslado {of}</span> },
  { title: "Enviado", isExtra: true, cell: ({ created_at }) => <Time at={created_at} /> },
  { title: "De", cell: ({ from }) => from.name },
  { title: "Para", cell: ({ to }) => to.name },
  { title: "Lleva", isExtra: true, cell: ({ lines }) => plural(lines.length, "producto", "productos") },
  { title: "Estado", cell: ({ state }) => <StateBadge {...transferWords[state]} /> },
  {
    title: "Acciones",
    cell: ({ id, state, to }) => (
      <Button size="compact-sm" variant="default" onClick={() => open(id)}>
        {state === "sent" && mayAt(session, to) ? "Ver y recibir" : "Ver"}
      </Button>
    ),
  },
];
