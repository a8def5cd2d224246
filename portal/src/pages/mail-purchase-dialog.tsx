import { Text } from "@mantine/core";
import { patch, post } from "../lib/api.ts";
import { type PurchaseDetail, refreshPurchases } from "../lib/buying-queries.ts";
import { useForm } from "../lib/form.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Fields, FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";

/** Mails the order to its supplier; a draft is ordered by it. */
export function MailPurchaseDialog({ detail, onClose }: { detail: PurchaseDetail; onClose: () => void }) {
  const { purchase, supplier, version } = detail;
  const notify = useNotify();
  const isDraft = purchase.status === "draft";
  const form = useForm("POST /purchases/:id/mail", {
    draft: `mail purchase ${purchase.id}`,
    start: { email: supplier.email ?? "" },
    async send({ email }) {
      if (isDraft) await patch(`/purchases/${purchase.id}`, { status: "ordered" }, { "if-match": version });
      return post<{ email: string }>(`/purchases/${purchase.id}/mail`, { email: email.trim() || null });
    },
    async onSent({ email }) {
      await refreshPurchases();
      notify(`La orden va en camino a ${email}.`);
      onClose();
    },
    // A draft may have been ordered already: then it is not ordered again.
    onRefused: () => void refreshPurchases(),
  });
  return (
    <Dialog onClose={onClose} title={`Enviar la compra ${purchase.number}`}>
      <FormFrame form={form} action="Enviar" onCancel={onClose}>
        <Fields
          form={form}
          fields={[{ name: "email", label: "Correo", type: "email", required: true, "data-autofocus": true }]}
        />
        <Text size="sm" c="dimmed" mt="sm">
          Va con el PDF de la orden.{isDraft && " El borrador queda pedido."}
        </Text>
      </FormFrame>
    </Dialog>
  );
}
