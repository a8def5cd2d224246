import { Button, Group, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { Qr } from "../../../ui/qr.tsx";
import type { Answer } from "../lib/answers.ts";
import { post } from "../lib/api.ts";
import { makePasskey } from "../lib/passkeys.ts";
import { digitsOf } from "../ui/code-digits.ts";
import { Dialog } from "../ui/dialog.tsx";
import { ErrorMessage } from "../ui/parts.tsx";

interface Adding {
  /** Whoever has no factor to show yet proves herself with the password. */
  needsPassword: boolean;
  /** With the recovery codes, if these are the first. */
  onDone: (codes: string[] | null) => void;
  onClose: () => void;
}

type Begun = Answer<"POST /factors/totp">;
type Added = Answer<"POST /factors/totp/:id/confirm">;

/** A name and a password, then the QR code, then the first code. */
export function AddTotp({ needsPassword, onDone, onClose }: Adding) {
  const [begun, setBegun] = useState<Begun>();
  return (
    <Dialog onClose={onClose} title="Agregar una aplicación de códigos" size="md">
      {begun ? (
        <FirstCode begun={begun} onDone={onDone} onClose={onClose} />
      ) : (
        <Naming
          start="Mi teléfono"
          needsPassword={needsPassword}
          send={(body) => post<Begun>("/factors/totp", body)}
          onSent={setBegun}
          onClose={onClose}
          action="Seguir"
        >
          Necesita una aplicación de códigos en su teléfono: Google Authenticator, Microsoft Authenticator, Aegis o la
          de su gestor de contraseñas.
        </Naming>
      )}
    </Dialog>
  );
}

export function AddPasskey({ needsPassword, onDone, onClose }: Adding) {
  async function make({ name, current_password }: Named): Promise<Added> {
    const options = await post("/factors/passkeys/options", current_password === undefined ? {} : { current_password });
    return post<Added>("/factors/passkeys", { name, credential: await makePasskey(options) });
  }
  return (
    <Dialog onClose={onClose} title="Agregar una llave de acceso" size="md">
      <Naming
        start="Este equipo"
        needsPassword={needsPassword}
        send={make}
        onSent={({ recovery_codes }) => onDone(recovery_codes)}
        onClose={onClose}
        action="Crear la llave"
      >
        Con una llave de acceso entra sin contraseña: con la huella, el rostro o el PIN de su equipo. Su navegador la
        guarda.
      </Naming>
    </Dialog>
  );
}

interface Named {
  name: string;
  current_password?: string;
}

function Naming<T>({
  start,
  needsPassword,
  send,
  onSent,
  onClose,
  action,
  children,
}: {
  start: string;
  needsPassword: boolean;
  send: (named: Named) => Promise<T>;
  onSent: (answer: T) => void;
  onClose: () => void;
  action: string;
  children: ReactNode;
}) {
  const [name, setName] = useState(start);
  const [password, setPassword] = useState("");
  const sending = useMutation({
    mutationFn: () => send({ name, ...(needsPassword && { current_password: password }) }),
    onSuccess: onSent,
    onError: () => setPassword(""),
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    sending.mutate();
  }
  return (
    <form onSubmit={submit}>
      <Text>{children}</Text>
      <Stack gap="sm" mt="md">
        <TextInput
          label="Nombre"
          description="Para reconocerlo en la lista."
          required
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        {needsPassword && (
          <PasswordInput
            label="Su contraseña"
            required
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        )}
      </Stack>
      <ErrorMessage error={sending.error} />
      <Buttons action={action} isPending={sending.isPending} onClose={onClose} />
    </form>
  );
}

function FirstCode({ begun, onDone, onClose }: Pick<Adding, "onDone" | "onClose"> & { begun: Begun }) {
  const [code, setCode] = useState("");
  const confirming = useMutation({
    mutationFn: () => post<Added>(`/factors/totp/${begun.id}/confirm`, { code }),
    onSuccess: ({ recovery_codes }) => onDone(recovery_codes),
    onError: () => setCode(""),
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (code.length === 6) confirming.mutate();
  }
  return (
    <form onSubmit={submit}>
      <Text>Escanee este código con su aplicación y escriba los 6 dígitos que muestra.</Text>
      <Group justify="center" mt="md">
        <Qr text={begun.uri} label="Código QR para su aplicación" />
      </Group>
      <Text size="sm" c="dimmed" mt="xs">
        ¿No puede escanear? Escriba esta clave en la aplicación:
      </Text>
      <Text className="mono" size="sm" style={{ overflowWrap: "anywhere" }} data-testid="totp-secret">
        {begun.secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}
      </Text>
      <TextInput
        className="code-input"
        mt="md"
        label="Código de 6 dígitos"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={(event) => setCode(digitsOf(event.currentTarget.value))}
        data-autofocus
      />
      <ErrorMessage error={confirming.error} />
      <Buttons action="Activar" isPending={confirming.isPending} isReady={code.length === 6} onClose={onClose} />
    </form>
  );
}

function Buttons({
  action,
  isPending,
  isReady = true,
  onClose,
}: {
  action: string;
  isPending: boolean;
  isReady?: boolean;
  onClose: () => void;
}) {
  return (
    <Group justify="flex-end" mt="lg">
      <Button variant="default" onClick={onClose}>
        Cancelar
      </Button>
      <Button type="submit" loading={isPending} disabled={!isReady}>
        {action}
      </Button>
    </Group>
  );
}
