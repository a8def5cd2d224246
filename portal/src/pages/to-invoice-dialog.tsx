import { Text } from "@mantine/core";
import { Link } from "wouter";
import type { Answer } from "../lib/answers.ts";
import { post } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { client } from "../lib/queries.ts";
import { CustomerSelect } from "../ui/customer-select.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";

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
  const form = useForm("POST /sales/:id/invoice", {
    draft: `to-invoice ${saleId}`,
    start: { customer_id: customerId },
    fieldless: ["customer_id"],
    send: (values) => post<Answer<"POST /sales/:id/invoice">>(`/sales/${saleId}/invoice`, values),
    async onSent() {
      notify("La nota y la factura van en camino a la DIAN.");
      await client.invalidateQueries({ queryKey: ["sale", saleId] });
      onClose();
    },
  });
  const { customer_id } = form.values;
  return (
    <Dialog onClose={onClose} title="Pasar a factura">
      <FormFrame form={form} action="Emitir la factura" isReady={customer_id !== null} onCancel={onClose}>
        <Text mb="md">
          Una nota anula el documento POS y se emite una factura electrónica a nombre del comprador. No se puede
          deshacer.
        </Text>
        <CustomerSelect
          label="Comprador"
          value={customer_id}
          onChange={(chosen) => form.change({ customer_id: chosen })}
        />
        <Text size="sm" c="dimmed" mt="xs">
          ¿No está? <Link href="/clientes/nuevo">Créelo</Link> y vuelva a esta venta.
        </Text>
      </FormFrame>
    </Dialog>
  );
}
