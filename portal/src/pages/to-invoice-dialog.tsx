import { Button, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { Link } from "wouter";
import type { Answer } from "../lib/answers.ts";
import { post } from "../lib/api.ts";
import { useDraft } from "../lib/drafts.ts";
import { client } from "../lib/queries.ts";
import { CustomerSelect } from "../ui/customer-select.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage } from "../ui/parts.tsx";

/** Gives the buyer an invoice for a sale that had a POS document. */
export function ToInvoiceDialog({
  saleId,
  customerId,
  onClose,
}: {
  saleId: string;
  customerId: string | null;
  onClose: () => void;
}) {
  const notify = useNotify();
  const draft = useDraft(`to-invoice ${saleId}`, { customer: customerId });
  const { customer } = draft.value;
  const switching = useMutation({
    mutationFn: () => post<Answer<"POST /sales/:id/invoice">>(`/sales/${saleId}/invoice`, { customer_id: customer }),
    async onSuccess() {
      draft.forget();
      notify("La nota y la factura van en camino a la DIAN.");
      await client.invalidateQueries({ queryKey: ["sale", saleId] });
      onClose();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    switching.mutate();
  }
  return (
    <Dialog onClose={onClose} title="Pasar a factura">
      <form onSubmit={submit}>
        <Text mb="md">
          Una nota anula el documento POS y se emite una factura electrónica a nombre del comprador. No se puede
          deshacer.
        </Text>
        <CustomerSelect label="Comprador" value={customer} onChange={(chosen) => draft.change({ customer: chosen })} />
        <Text size="sm" c="dimmed" mt="xs">
          ¿No está? <Link href="/clientes/nuevo">Créelo</Link> y vuelva a esta venta.
        </Text>
        <ErrorMessage error={switching.error} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" disabled={customer === null} loading={switching.isPending}>
            Emitir la factura
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
