import { Button } from "@mantine/core";
import { useState } from "react";
import { postOnce } from "../lib/api.ts";
import { type PurchaseDetail, refreshPurchases } from "../lib/buying-queries.ts";
import { number, pesos } from "../lib/format.ts";
import { Allowed } from "../ui/allowed.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { useNotify } from "../ui/notices.tsx";
import { Section, Time } from "../ui/parts.tsx";
import { RecordTable } from "../ui/record-table.tsx";

type Receipt = PurchaseDetail["purchase"]["receipts"][number];
const receiptWords: Record<Receipt["kind"], string> = {
  receipt: "Recepción",
  return: "Devolución",
  correction: "Corrección",
};

/** What came and went, as it happened; a receipt that was written wrongly is corrected from here. */
export function Receipts({ detail: { purchase } }: { detail: PurchaseDetail }) {
  const [wrong, setWrong] = useState<Receipt>();
  const notify = useNotify();
  const corrected = new Set(purchase.receipts.map(({ corrects }) => corrects));
  if (purchase.receipts.length === 0) return null;
  async function correct({ id }: Receipt): Promise<void> {
    const body = { kind: "correction", corrects: id };
    await postOnce(`/purchases/${purchase.id}/receipts`, body, `corregir-${id}-${purchase.receipts.length}`);
    await refreshPurchases();
    notify("Corregido: esas existencias salieron, y se debe menos.");
    setWrong(undefined);
  }
  return (
    <Section title="Lo que llegó y lo que volvió">
      <RecordTable
        label="Recepciones"
        rows={purchase.receipts}
        rowKey={({ id }) => id}
        columns={[
          { title: "Qué", cell: ({ kind, number: of }) => `${receiptWords[kind]} ${of}` },
          { title: "Cuándo", cell: ({ created_at }) => <Time at={created_at} /> },
          {
            title: "Remisión",
            isExtra: true,
            cell: ({ reference, notes }) => [reference, notes].filter(Boolean).join(" · ") || "–",
          },
          { title: "Líneas", isNumber: true, cell: ({ lines }) => number(lines.length) },
          { title: "Valor", isNumber: true, cell: ({ owed }) => pesos(owed) },
          {
            title: "",
            cell: (receipt) =>
              receipt.kind === "receipt" &&
              !corrected.has(receipt.id) && (
                <Allowed to="purchases:write">
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    aria-label={`Corregir la recepción ${receipt.number}`}
                    onClick={() => setWrong(receipt)}
                  >
                    Corregir…
                  </Button>
                </Allowed>
              ),
          },
        ]}
      />
      {wrong && (
        <ConfirmDialog
          title={`¿La recepción ${wrong.number} estaba mal?`}
          action="Corregir"
          run={() => correct(wrong)}
          onClose={() => setWrong(undefined)}
        >
          Sus existencias salen otra vez y la compra vuelve a quedar por recibir. La recepción y su corrección quedan
          escritas.
        </ConfirmDialog>
      )}
    </Section>
  );
}
