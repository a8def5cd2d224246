import { Button, Group } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Dialog } from "./dialog.tsx";
import { Trouble } from "./parts.tsx";

/** Asks before what cannot be undone. The button says what it does, never "Sí". */
export function Ask({
  title,
  action,
  danger = false,
  children,
  run,
  onClose,
}: {
  title: string;
  action: string;
  danger?: boolean;
  children: ReactNode;
  run: () => Promise<unknown>;
  onClose: () => void;
}) {
  const running = useMutation({ mutationFn: run, onSuccess: onClose });
  return (
    <Dialog onClose={onClose} title={title}>
      {children}
      <Trouble error={running.error} />
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
