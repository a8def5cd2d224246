import { Button, Group, Text, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ApiKey, RequestedConfirmation, Result } from "../lib/answers.ts";
import { patch } from "../lib/api.ts";
import { client } from "../lib/queries.ts";
import { CodeDialog } from "../ui/code-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage } from "../ui/parts.tsx";

/** What stands in lines or with commas between them; nothing means from anywhere. */
export function addressesIn(text: string): string[] | null {
  const found = text.split(/[\s,;]+/).filter((one) => one !== "");
  return found.length > 0 ? found : null;
}

export function AddressesField({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  return (
    <Textarea
      mt="md"
      label="Desde qué direcciones (opcional)"
      description="Una por línea: 190.24.7.12, 190.24.7.0/24 o 2001:db8::/32. Vacío: desde cualquier dirección."
      autosize
      minRows={2}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** From where a key may be used. */
export function RestrictKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const notify = useNotify();
  const [text, setText] = useState(apiKey.allowed_addresses?.join("\n") ?? "");
  const requesting = useMutation({
    mutationFn: () => patch<RequestedConfirmation>(`/api-keys/${apiKey.id}`, { allowed_addresses: addressesIn(text) }),
  });
  if (requesting.data)
    return (
      <CodeDialog<Result<"api_key.restrict">>
        confirmation={requesting.data}
        action={`cambiar desde dónde sirve «${apiKey.name}»`}
        onDone={() => {
          notify("Cambió desde dónde sirve la clave.");
          void client.invalidateQueries({ queryKey: ["keys"] });
          onClose();
        }}
        onClose={onClose}
      />
    );
  return (
    <Dialog title="Desde dónde sirve la clave" onClose={onClose}>
      <Text mb="md">Lo que llame desde otra dirección recibe ADDRESS_NOT_ALLOWED, y queda en el registro.</Text>
      <AddressesField value={text} onChange={setText} />
      <ErrorMessage error={requesting.error} />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          Cancelar
        </Button>
        <Button onClick={() => requesting.mutate()} loading={requesting.isPending}>
          Continuar
        </Button>
      </Group>
    </Dialog>
  );
}
