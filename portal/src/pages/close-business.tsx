import { Button, Group, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Answer, RequestedConfirmation, Result } from "../lib/answers.ts";
import { get, post } from "../lib/api.ts";
import { date } from "../lib/format.ts";
import { fileAddress } from "../lib/shown-business.ts";
import { CodeDialog } from "../ui/code-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { downloadGuarded } from "../ui/guarded-download.ts";
import { Icon } from "../ui/icons.tsx";
import { ErrorMessage, Section } from "../ui/parts.tsx";

/** Taking everything away, and closing the business. */
export function CloseBusiness() {
  const [isClosing, setClosing] = useState(false);
  return (
    <Section
      title="Llevarse todo, o cerrar"
      lead="Un archivo con cada registro de su negocio, una línea por registro. Guárdelo antes de cerrar: la ley le pide conservar sus documentos diez años."
    >
      <Group gap="sm">
        <Button
          component="a"
          href={fileAddress("/account/export.zip")}
          download
          onClick={(event) => void downloadGuarded(event)}
          variant="default"
          leftSection={<Icon name="download" size={18} />}
        >
          Descargar todo
        </Button>
        <Button variant="default" color="red.9" onClick={() => setClosing(true)}>
          Cerrar el negocio
        </Button>
      </Group>
      {isClosing && <Closing onClose={() => setClosing(false)} />}
    </Section>
  );
}

function Closing({ onClose }: { onClose: () => void }) {
  const closing = useQuery({
    queryKey: ["closing"],
    queryFn: ({ signal }) => get<Answer<"GET /account/closing">>("/account/closing", signal),
  });
  const [name, setName] = useState("");
  const [goesAt, setGoesAt] = useState<string>();
  const requesting = useMutation({ mutationFn: () => post<RequestedConfirmation>("/account/close", { name }) });
  function submit(event: FormEvent) {
    event.preventDefault();
    requesting.mutate();
  }
  if (goesAt !== undefined)
    return (
      <Dialog onClose={() => window.location.assign("/ingreso")} title="El negocio quedó cerrado">
        <Text>Sus datos se borran el {date(goesAt)}. Si fue un error, escriba antes a quien opera el servicio.</Text>
      </Dialog>
    );
  if (requesting.data)
    return (
      <CodeDialog<Result<"account.close">>
        confirmation={requesting.data}
        action="cerrar su negocio"
        onDone={({ data_goes_at }) => setGoesAt(data_goes_at)}
        onClose={onClose}
      />
    );
  return (
    <Dialog onClose={onClose} title="Cerrar el negocio">
      <form onSubmit={submit}>
        <Text mb="md">
          Sus cajas y claves dejan de funcionar de inmediato, y sus datos se borran en {closing.data?.days ?? "…"} días.
        </Text>
        <TextInput
          label={`Escriba «${closing.data?.name ?? ""}» para seguir`}
          value={name}
          required
          autoComplete="off"
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <ErrorMessage error={closing.error ?? requesting.error} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancelar
          </Button>
          <Button type="submit" color="red.9" loading={requesting.isPending}>
            Continuar
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
