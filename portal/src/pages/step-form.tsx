import { Anchor, Button, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { knowsPasskeys } from "../lib/passkeys.ts";
import type { StepKind } from "../lib/step-up.ts";
import { digitsOf } from "../ui/code-digits.ts";
import { ErrorMessage } from "../ui/parts.tsx";

type Typed = Exclude<StepKind, "passkey">;

/** What the field of each kind is called, and what leads to it from another. */
const fields: Record<Typed, { label: string; lead: string; link: string }> = {
  totp: {
    label: "Código de su aplicación",
    lead: "Abra su aplicación de códigos y escriba el que muestra para Mostrador.",
    link: "Usar mi aplicación de códigos",
  },
  recovery_code: {
    label: "Código de recuperación",
    lead: "Escriba uno de los diez códigos que guardó. Cada uno sirve una vez.",
    link: "Usar un código de recuperación",
  },
  mailed_code: {
    label: "Código de 6 dígitos",
    lead: "Le enviamos un código a su correo. Vence en 10 minutos.",
    link: "Usar el código del correo",
  },
};

const isTyped = (kind: StepKind): kind is Typed => kind !== "passkey";

/** Asks for one of several kinds of answer; the first is asked for, the others are a click away. */
export default function StepForm({
  kinds,
  lead,
  error,
  isPending,
  isOver = false,
  action,
  onAnswer,
}: {
  kinds: readonly StepKind[];
  lead?: string | undefined;
  error: Error | null;
  isPending: boolean;
  isOver?: boolean;
  action: string;
  onAnswer: (answer: { kind: StepKind; code?: string }) => void;
}) {
  const typed = kinds.filter(isTyped);
  const hasPasskey = kinds.includes("passkey") && knowsPasskeys;
  const [kind, setKind] = useState<Typed>(typed[0] ?? "totp");
  const [code, setCode] = useState("");
  const field = fields[kind];
  const isComplete = kind === "recovery_code" ? code.trim().length >= 16 : code.length === 6;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isComplete || isPending) return;
    onAnswer({ kind, code });
    setCode("");
  }
  const passkey = (
    <Button
      fullWidth
      mt="md"
      variant={typed.length === 0 || hasPasskey ? "filled" : "default"}
      loading={isPending}
      disabled={isOver}
      onClick={() => onAnswer({ kind: "passkey" })}
    >
      Usar mi llave de acceso
    </Button>
  );
  if (typed.length === 0)
    return (
      <>
        <Text>Confirme con la huella, el rostro o el PIN de su equipo.</Text>
        {passkey}
        <ErrorMessage error={error} />
      </>
    );
  return (
    <form onSubmit={submit}>
      {hasPasskey && passkey}
      <Text mt={hasPasskey ? "lg" : 0}>{lead ?? field.lead}</Text>
      <TextInput
        className={kind === "recovery_code" ? "mono" : "code-input"}
        mt="md"
        label={field.label}
        {...(kind !== "recovery_code" && { inputMode: "numeric" as const })}
        autoComplete="one-time-code"
        data-autofocus
        value={code}
        disabled={isOver}
        onChange={({ currentTarget: { value } }) =>
          setCode(kind === "recovery_code" ? value.slice(0, 40) : digitsOf(value))
        }
      />
      <ErrorMessage error={error} />
      <Button
        type="submit"
        fullWidth
        mt="lg"
        variant={hasPasskey ? "default" : "filled"}
        disabled={!isComplete || isOver}
        loading={isPending}
      >
        {action}
      </Button>
      <Stack gap={6} mt="md" align="center">
        {typed
          .filter((other) => other !== kind)
          .map((other) => (
            <Anchor
              key={other}
              component="button"
              type="button"
              size="sm"
              onClick={() => {
                setKind(other);
                setCode("");
              }}
            >
              {fields[other].link}
            </Anchor>
          ))}
      </Stack>
    </form>
  );
}
