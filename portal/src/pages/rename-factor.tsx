import { patch } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { type Factor, refreshSecondStep } from "../lib/second-step.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Fields, FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";

/** Another name, by which its person knows which one it is. */
export function RenameFactor({ factor, onClose }: { factor: Factor; onClose: () => void }) {
  const notify = useNotify();
  const form = useForm("PATCH /factors/:id", {
    draft: `factor ${factor.id}`,
    start: { name: factor.name },
    send: ({ name }) => patch(`/factors/${factor.id}`, { name: name.trim() }),
    async onSent() {
      await refreshSecondStep();
      notify("Nombre guardado.");
      onClose();
    },
  });
  return (
    <Dialog onClose={onClose} title="Cambiar el nombre">
      <FormFrame form={form} action="Guardar" isReady={form.values.name.trim() !== ""} onCancel={onClose}>
        <Fields form={form} fields={[{ name: "name", label: "Nombre", required: true, "data-autofocus": true }]} />
      </FormFrame>
    </Dialog>
  );
}
