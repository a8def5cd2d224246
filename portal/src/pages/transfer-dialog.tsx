import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { post } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { number } from "../lib/format.ts";
import { useSession } from "../lib/queries.ts";
import { isCounted } from "../lib/stock-words.ts";
import { leftOf, mayAt, refreshTransfers, type Transfer, transferWords, useTransfer } from "../lib/transfer-queries.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";
import { NumberField } from "../ui/number-field.tsx";
import { ErrorMessage, Loading, StateBadge, Time } from "../ui/parts.tsx";
import { RecordTable } from "../ui/record-table.tsx";

/** One transfer: what went, what arrived, and what to do about the rest. */
export function TransferDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: transfer, error, refetch } = useTransfer(id);
  const session = useSession().data;
  const isOpen = transfer?.state === "sent" || transfer?.state === "short";
  return (
    <Dialog onClose={onClose} title={transfer ? `Traslado ${transfer.number}` : "Traslado"} size="lg">
      <ErrorMessage error={error} retry={refetch} />
      {!transfer && !error && <Loading />}
      {transfer && (
        <Stack gap="md">
          <About transfer={transfer} />
          {isOpen && mayAt(session, transfer.to) ? (
            <Receive key={transfer.updated_at} transfer={transfer} />
          ) : (
            <Lines transfer={transfer} />
          )}
          {transfer.state === "short" && mayAt(session, transfer.from) && <Settle transfer={transfer} />}
        </Stack>
      )}
    </Dialog>
  );
}

function About({ transfer: { from, to, state, created_at, note, settled_as, settled_note } }: { transfer: Transfer }) {
  const settled = { lost: "Lo que faltaba se dio por perdido.", returned: `Lo que faltaba volvió a ${from.name}.` };
  return (
    <div>
      <Group gap="sm">
        <Text>
          De <strong>{from.name}</strong> para <strong>{to.name}</strong>, <Time at={created_at} />
        </Text>
        <StateBadge {...transferWords[state]} />
      </Group>
      {note && <Text c="dimmed">{note}</Text>}
      {settled_as && (
        <Text>
          {settled[settled_as]} {settled_note}
        </Text>
      )}
    </div>
  );
}

function Lines({ transfer }: { transfer: Transfer }) {
  return (
    <RecordTable
      label="Lo que lleva"
      columns={[
        { title: "Producto", cell: ({ name }) => name },
        { title: "Enviado", isNumber: true, cell: ({ sent, base_unit }) => `${number(sent)} ${base_unit}` },
        { title: "Recibido", isNumber: true, cell: ({ received }) => number(received) },
        { title: "Falta", isNumber: true, cell: (line) => number(leftOf(line)) },
      ]}
      rows={transfer.lines}
      rowKey={({ product_id }) => product_id}
    />
  );
}

/** What arrived: all of it, unless somebody says less. */
function Receive({ transfer }: { transfer: Transfer }) {
  const notify = useNotify();
  const missing = transfer.lines.filter((line) => leftOf(line) > 0);
  const form = useForm("POST /transfers/:id/receive", {
    draft: `receive ${transfer.id} ${transfer.updated_at}`,
    start: Object.fromEntries(missing.map((line) => [line.product_id, leftOf(line)])) as Record<
      string,
      number | string
    >,
    fieldless: missing.map(({ product_id }) => product_id),
    send: (arrived) =>
      post<Transfer>(`/transfers/${transfer.id}/receive`, {
        lines: missing.map(({ product_id }) => ({ product_id, quantity: Number(arrived[product_id]) })),
      }),
    async onSent({ state }) {
      await refreshTransfers();
      notify(state === "received" ? "Recibido completo." : "Recibido. Lo que falta queda anotado.");
    },
  });
  return (
    <FormFrame
      form={form}
      action="Recibir"
      isReady={missing.every(({ product_id }) => typeof form.values[product_id] === "number")}
    >
      <Stack gap="sm">
        {missing.map((line) => (
          <NumberField
            key={line.product_id}
            label={`${line.name}, en ${line.base_unit}`}
            description={`${line.received > 0 ? "Faltan" : "Se enviaron"} ${number(leftOf(line))}. Escriba lo que llegó.`}
            value={form.values[line.product_id] ?? ""}
            max={leftOf(line)}
            decimals={isCounted(line.base_unit) ? 0 : 3}
            onChange={(value) => form.change({ [line.product_id]: value })}
          />
        ))}
      </Stack>
    </FormFrame>
  );
}

/** The sede that sent it says what became of what did not arrive. */
function Settle({ transfer }: { transfer: Transfer }) {
  const notify = useNotify();
  const [as, setAs] = useState<"lost" | "returned">();
  const { name } = transfer.from;
  return (
    <div>
      <Text mb="sm">
        Si lo que falta todavía puede llegar, espere a que {transfer.to.name} lo reciba. Si no, diga qué pasó:
      </Text>
      <Group gap="sm">
        <Button variant="default" onClick={() => setAs("returned")}>
          Volvió a {name}
        </Button>
        <Button variant="default" color="red" onClick={() => setAs("lost")}>
          Se perdió
        </Button>
      </Group>
      {as && (
        <ConfirmDialog
          title={as === "lost" ? "Dar por perdido lo que falta" : `Devolver a ${name} lo que falta`}
          action={as === "lost" ? "Se perdió" : "Volvió"}
          danger={as === "lost"}
          run={async () => {
            await post(`/transfers/${transfer.id}/settle`, { as });
            await refreshTransfers();
            notify("Traslado cerrado.");
          }}
          onClose={() => setAs(undefined)}
        >
          <Text>
            {as === "lost"
              ? "No entra en ninguna bodega y el traslado se cierra con esa diferencia."
              : `Entra otra vez en ${name} y el traslado se cierra.`}
          </Text>
        </ConfirmDialog>
      )}
    </div>
  );
}
