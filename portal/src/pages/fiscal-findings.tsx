import { Alert, Button, Group, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Answer } from "../lib/answers.ts";
import { get, post } from "../lib/api.ts";
import { useDraft } from "../lib/drafts.ts";
import { client } from "../lib/queries.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Icon } from "../ui/icons.tsx";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage } from "../ui/parts.tsx";

type Finding = Answer<"GET /findings">["data"][number];

/** What does not agree between a sale and its documents, with what to do about it. */
export function FiscalFindings({ saleId }: { saleId: string }) {
  const found = useQuery({
    queryKey: ["findings", saleId],
    queryFn: ({ signal }) => get<Answer<"GET /findings">>(`/sales/${saleId}/findings`, signal),
    refetchInterval: 10_000,
    select: (list) => list.data.filter(({ can_close }) => can_close),
  });
  const [closing, setClosing] = useState<Finding>();
  return (
    <>
      {found.data?.map((finding) => (
        <Alert
          key={finding.id}
          color={finding.gravity === "error" ? "red" : "yellow"}
          variant="light"
          mb="md"
          icon={<Icon name="alert" />}
          title={finding.message}
        >
          <Text size="sm">{finding.next_step}</Text>
          <Button mt="xs" variant="default" size="xs" onClick={() => setClosing(finding)}>
            Ya lo resolví
          </Button>
        </Alert>
      ))}
      {closing && <CloseFinding finding={closing} onClose={() => setClosing(undefined)} />}
    </>
  );
}

function CloseFinding({ finding, onClose }: { finding: Finding; onClose: () => void }) {
  const notify = useNotify();
  const draft = useDraft(`finding ${finding.id}`, { reason: "" });
  const { reason } = draft.value;
  const closing = useMutation({
    mutationFn: () => post(`/findings/${finding.id}/close`, { reason }),
    onSuccess() {
      draft.forget();
      notify("El aviso quedó resuelto.");
      void client.invalidateQueries({ queryKey: ["findings"] });
      void client.invalidateQueries({ queryKey: ["attention"] });
      onClose();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    closing.mutate();
  }
  return (
    <Dialog onClose={onClose} title="¿Cómo lo resolvió?">
      <form onSubmit={submit}>
        <Text size="sm" mb="sm">
          {finding.message}
        </Text>
        <TextInput
          label="Qué se hizo"
          description="Queda en el registro de cambios de la cuenta."
          required
          maxLength={200}
          value={reason}
          onChange={(event) => draft.change({ reason: event.currentTarget.value })}
          data-autofocus
        />
        <ErrorMessage error={closing.error} />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" loading={closing.isPending}>
            Dar por resuelto
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
