import type { Answer } from "../lib/answers.ts";
import { client } from "../lib/queries.ts";
import { Dialog } from "../ui/dialog.tsx";
import { useNotify } from "../ui/notices.tsx";
import { CustomerForm } from "./customer-form.tsx";

/** Edits a customer over its own page. */
export function CustomerDialog({ detail, onClose }: { detail: Answer<"GET /customers/:id">; onClose: () => void }) {
  const notify = useNotify();
  return (
    <Dialog onClose={onClose} title="Editar cliente" size="lg">
      <CustomerForm
        detail={detail}
        onCancel={onClose}
        onDone={() => {
          notify("Se guardaron los cambios; también les llegan a sus cajas.");
          void client.invalidateQueries({ queryKey: ["customer", detail.customer.id] });
          onClose();
        }}
      />
    </Dialog>
  );
}
