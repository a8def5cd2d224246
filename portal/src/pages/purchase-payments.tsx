import { Button } from "@mantine/core";
import { useState } from "react";
import { payingWords } from "../../../src/api/portal/lists/words.ts";
import { postOnce } from "../lib/api.ts";
import { type PurchaseDetail, refreshPurchases } from "../lib/buying-queries.ts";
import { pesos } from "../lib/format.ts";
import { Allowed } from "../ui/allowed.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { useNotify } from "../ui/notices.tsx";
import { Section } from "../ui/parts.tsx";
import { RecordTable } from "../ui/record-table.tsx";
import { PayDialog } from "./pay-dialog.tsx";

type Entry = PurchaseDetail["entries"][number];

/** What was paid of the purchase; a payment that was written down wrongly is taken back from here. */
export function Payments({ detail: { purchase, entries } }: { detail: PurchaseDetail }) {
  const [isPaying, setPaying] = useState(false);
  const [wrong, setWrong] = useState<Entry>();
  const notify = useNotify();
  const left = purchase.owed - purchase.paid;
  const payments = entries.filter(({ kind }) => kind === "payment" || kind === "undone");
  const undone = new Set(entries.map(({ undoes }) => undoes));
  if (left <= 0 && payments.length === 0) return null;
  async function undo({ id }: Entry): Promise<void> {
    await postOnce(`/purchases/${purchase.id}/payments/${id}/undo`, {}, `anular-${id}`);
    await refreshPurchases();
    notify("Pago anulado: se debe otra vez.");
  }
  return (
    <Section
      title="Pagos"
      lead={
        left > 0 ? `Se deben ${pesos(left)}${purchase.due_date ? `, hasta el ${purchase.due_date}` : ""}.` : undefined
      }
      aside={
        left > 0 && (
          <Allowed to="payables:write">
            <Button size="compact-md" onClick={() => setPaying(true)}>
              Pagar…
            </Button>
          </Allowed>
        )
      }
    >
      {payments.length > 0 && (
        <RecordTable
          label="Pagos"
          rows={payments}
          rowKey={({ id }) => id}
          columns={[
            { title: "Qué", cell: ({ kind }) => (kind === "payment" ? "Pago" : "Anulación de un pago") },
            { title: "Cuándo", cell: ({ paid_on }) => paid_on ?? "–" },
            { title: "Medio", cell: ({ means }) => (means ? payingWords[means] : "–") },
            { title: "Nota", isExtra: true, cell: ({ note }) => note ?? "–" },
            { title: "Valor", isNumber: true, cell: ({ amount }) => pesos(-amount) },
            {
              title: "",
              cell: (entry) =>
                entry.kind === "payment" &&
                !undone.has(entry.id) && (
                  <Allowed to="payables:write">
                    <Button variant="subtle" size="compact-sm" onClick={() => setWrong(entry)}>
                      Anular…
                    </Button>
                  </Allowed>
                ),
            },
          ]}
        />
      )}
      {isPaying && <PayDialog purchase={purchase} onClose={() => setPaying(false)} />}
      {wrong && (
        <ConfirmDialog
          title={`¿Anular el pago de ${pesos(-wrong.amount)}?`}
          action="Anular el pago"
          run={() => undo(wrong)}
          onClose={() => setWrong(undefined)}
        >
          Se debe otra vez. El pago y su anulación quedan escritos.
        </ConfirmDialog>
      )}
    </Section>
  );
}
