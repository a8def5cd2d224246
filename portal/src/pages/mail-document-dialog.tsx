import { Button, Group, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { post } from "../lib/api.ts";
import { useDraft } from "../lib/drafts.ts";
import { Dialog } from "../ui/dialog.tsx";
import { fieldMessages } from "../ui/field-messages.ts";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage } from "../ui/parts.tsx";

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
  const draft = useDraft(`mail ${documentId}`, { email: known });
  const { email } = draft.value;
  const mailing = useMutation({
    mutationFn: () => post<{ email: string }>(`/invoices/${documentId}/mail`, { email: email.trim() }),
    onSuccess({ email: to }) {
      draft.forget();
      notify(`El documento va en camino a ${to}.`);
      onClose();
    },
  });
  const messages = fieldMessages(mailing.error, ["email"]);
  function submit(event: FormEvent) {
    event.preventDefault();
    mailing.mutate();
  }
  return (
    <Dialog onClose={onClose} title="Enviar al comprador">
      <form onSubmit={submit}>
        <TextInput
          label="Correo"
          type="email"
          required
          data-autofocus
          maxLength={200}
          value={email}
          onChange={(event) => draft.change({ email: event.currentTarget.value })}
          error={messages.email}
        />
        {!messages.areAllShown && <ErrorMessage error={mailing.error} />}
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
          <Button type="submit" loading={mailing.isPending}>
            Enviar
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
