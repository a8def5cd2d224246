import { Button, Group } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { get, put } from "../lib/api.ts";
import { useDraft } from "../lib/drafts.ts";
import { client } from "../lib/queries.ts";
import { refreshStock } from "../lib/stock-queries.ts";
import { Dialog } from "../ui/dialog.tsx";
import { DraftNotice } from "../ui/draft-notice.tsx";
import { useNotify } from "../ui/notices.tsx";
import { NumberField } from "../ui/number-field.tsx";
import { ErrorMessage } from "../ui/parts.tsx";

/** From which stock the products without a limit of their own count as running out. */
export function AccountLimitForm({ onClose }: { onClose: () => void }) {
  const notify = useNotify();
  const settings = useQuery({
    queryKey: ["stock-settings"],
    queryFn: ({ signal }) => get<{ low_stock: number }>("/stock-settings", signal),
  });
  const draft = useDraft<{ limit?: number | string }>("low-stock", {});
  const limit = draft.value.limit ?? settings.data?.low_stock ?? "";
  const saving = useMutation({
    mutationFn: () => put("/stock-settings", { low_stock: limit }),
    async onSuccess() {
      draft.forget();
      await Promise.all([refreshStock(), client.invalidateQueries({ queryKey: ["stock-settings"] })]);
      notify("Aviso de existencias guardado.");
      onClose();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    saving.mutate();
  }
  return (
    <Dialog onClose={onClose} title="Desde cuándo se avisa">
      <form onSubmit={submit}>
        <DraftNotice draft={draft} />
        <NumberField
          label="Avisar cuando queden"
          description="Para todos los productos que no tienen un aviso propio en su ficha."
          min={0}
          max={1_000_000}
          value={limit}
          onChange={(typed) => draft.change({ limit: typed })}
          data-autofocus
        />
        <ErrorMessage error={settings.error ?? saving.error} />
        <Group justify="flex-end" mt="lg">
          <Button
            variant="default"
            onClick={() => {
              draft.forget();
              onClose();
            }}
          >
            Cancelar
          </Button>
          <Button type="submit" loading={saving.isPending} disabled={typeof limit !== "number"}>
            Guardar
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
