import { Alert, Button, CopyButton, Group, Text } from "@mantine/core";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { Dialog } from "./dialog.tsx";
import { Icon } from "./icons.tsx";

/** A value that cannot be shown again. */
interface ShownOnce {
  title: string;
  label: string;
  value: string;
  warning?: string;
  onClose: () => void;
}

/** A dialog of its own that shows one. */
type ShownDialog = (close: () => void) => ReactNode;

const ShowOnce = createContext<(shown: ShownOnce | ShownDialog) => void>(() => {});

/** Shows such a value above all pages: neither the back button nor a session that ends takes it away. */
export const useShowOnce = () => useContext(ShowOnce);

export function ShownOnceProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ShownOnce | { dialog: ShownDialog }>();
  const [show] = useState(
    () => (one: ShownOnce | ShownDialog) => setShown(typeof one === "function" ? { dialog: one } : one),
  );
  const isShown = shown !== undefined;
  useEffect(() => {
    if (!isShown) return;
    // The browser asks before it leaves the page, and its back button finds an entry that leads nowhere.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    const stay = () => window.history.pushState(null, "");
    stay();
    window.addEventListener("beforeunload", ask);
    window.addEventListener("popstate", stay);
    return () => {
      window.removeEventListener("beforeunload", ask);
      window.removeEventListener("popstate", stay);
    };
  }, [isShown]);
  return (
    <ShowOnce value={show}>
      {children}
      {shown && "dialog" in shown && shown.dialog(() => setShown(undefined))}
      {shown && "value" in shown && (
        <ShownOnceDialog
          {...shown}
          onClose={() => {
            setShown(undefined);
            shown.onClose();
          }}
        />
      )}
    </ShowOnce>
  );
}

/** Only the button closes it, so that a stray click does not lose the value. */
function ShownOnceDialog({
  title,
  label,
  value,
  onClose,
  warning = "Cópielo ahora: no se vuelve a mostrar. Guárdelo donde su servidor lo lea, nunca en el código.",
}: ShownOnce) {
  return (
    <Dialog onClose={() => {}} title={title} withCloseButton={false} closeOnEscape={false} size="lg">
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
