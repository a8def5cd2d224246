import { Alert, Button, CopyButton, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Dialog } from "./dialog.tsx";
import { Icon } from "./icons.tsx";

/** Shows a value that cannot be shown again. Only the button closes it, so that a stray click does not lose the value. */
export function ShownOnce({
  title,
  label,
  value,
  children,
  onClose,
  warning = "Cópielo ahora: no se vuelve a mostrar. Guárdelo donde su servidor lo lea, nunca en el código.",
}: {
  title: string;
  label: string;
  value: string;
  children?: ReactNode;
  onClose: () => void;
  warning?: string;
}) {
  return (
    <Dialog onClose={() => {}} title={title} withCloseButton={false} closeOnEscape={false} size="lg">
      {children}
      <Text size="sm" c="dimmed" mt="sm">
        {label}
      </Text>
      <pre className="code-block wraps" data-testid="secret">
        {value}
      </pre>
      <Alert color="yellow" variant="light" my="md" icon={<Icon name="alert" />} title="Solo esta vez">
        <Text size="sm">{warning}</Text>
      </Alert>
      <Group justify="flex-end">
        <CopyButton value={value} timeout={3_000}>
          {({ copied, copy }) => (
            <Button
              variant={copied ? "light" : "filled"}
              leftSection={<Icon name={copied ? "check" : "copy"} size={16} />}
              onClick={copy}
              data-autofocus
            >
              {copied ? "Copiado" : "Copiar"}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" onClick={onClose}>
          Ya lo guardé
        </Button>
      </Group>
    </Dialog>
  );
}
