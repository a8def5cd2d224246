import { Button, Group, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { post } from "../lib/api.ts";
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
  const [email, setEmail] = useState(known);
  const mailing = useMutation({
    mutationFn: () => post<{ email: string }>(`/invoices/${documentId}/mail`, { email: email.trim() }),
    onSuccess({ email: to }) {
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
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={messages.email}
        />
        {!messages.areAllShown && <ErrorMessage error={mailing.error} />}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
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
