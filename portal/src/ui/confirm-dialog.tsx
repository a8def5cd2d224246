import { Button, Group } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Dialog } from "./dialog.tsx";
import { ErrorMessage } from "./parts.tsx";

/** Asks before what cannot be undone. The button names the action, never just "Sí". */
export function ConfirmDialog<T>({
  title,
  action,
  danger = false,
  children,
  run,
  onClose,
  onDone = onClose,
}: {
  title: string;
  action: string;
  danger?: boolean;
  children: ReactNode;
  run: () => Promise<T>;
  onClose: () => void;
  /** Gets the result instead of closing the dialog. */
  onDone?: (result: T) => void;
}) {
  const running = useMutation({ mutationFn: run, onSuccess: (result) => onDone(result) });
  return (
    <Dialog onClose={onClose} title={title}>
      {children}
      <ErrorMessage error={running.error} />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          Cancelar
        </Button>
        <Button
          color={danger ? "red.9" : undefined}
          loading={running.isPending}
          onClick={() => running.mutate()}
          data-autofocus
        >
          {action}
        </Button>
      </Group>
    </Dialog>
  );
}
