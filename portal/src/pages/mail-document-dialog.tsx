import { post } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Fields, FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";

/** Mails a document to its buyer, or to another address. */
export function MailDialog({
  documentId,
  email: known,
  onClose,
}: {
  documentId: string;
  email: string;
  onClose: () => void;
}) {
  const notify = useNotify();
  const form = useForm("POST /invoices/:id/mail", {
    draft: `mail ${documentId}`,
    start: { email: known },
    send: ({ email }) => post<{ email: string }>(`/invoices/${documentId}/mail`, { email: email.trim() }),
    onSent({ email }) {
      notify(`El documento va en camino a ${email}.`);
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title="Enviar al comprador">
      <FormFrame form={form} action="Enviar" onCancel={onClose}>
        <Fields
          form={form}
          fields={[{ name: "email", label: "Correo", type: "email", required: true, "data-autofocus": true }]}
        />
      </FormFrame>
    </Dialog>
  );
}
