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

interface Asking {
  error: Error | null;
  isPending: boolean;
  isOver?: boolean;
  action: string;
  onAnswer: (answer: { kind: StepKind; code?: string }) => void;
}

/** Asks for one of several kinds of answer: a passkey by a button, one kind of code by a field, the others a click away. */
export default function StepForm({ kinds, lead, ...asking }: Asking & { kinds: readonly StepKind[]; lead?: string }) {
  const typed = kinds.filter(isTyped);
  const hasPasskey = kinds.includes("passkey") && knowsPasskeys;
  const [kind, setKind] = useState(typed[0]);
  return (
    <>
      {hasPasskey && <ByPasskey {...asking} />}
      {kind !== undefined && (
        <>
          <ByCode key={kind} kind={kind} lead={lead} isSecond={hasPasskey} {...asking} />
          <Stack gap={6} mt="md" align="center">
            {typed
              .filter((other) => other !== kind)
              .map((other) => (
                <Anchor key={other} component="button" type="button" size="sm" onClick={() => setKind(other)}>
                  {fields[other].link}
                </Anchor>
              ))}
          </Stack>
        </>
      )}
      {kind === undefined && <ErrorMessage error={asking.error} />}
    </>
  );
}

function ByPasskey({ isPending, isOver, onAnswer }: Asking) {
  return (
    <>
      <Text>Confirme con la huella, el rostro o el PIN de su equipo.</Text>
      <Button
        fullWidth
        mt="sm"
        mb="lg"
        loading={isPending}
        disabled={isOver}
        onClick={() => onAnswer({ kind: "passkey" })}
      >
        Usar mi llave de acceso
      </Button>
    </>
  );
}

function ByCode({
  kind,
  lead,
  isSecond,
  error,
  isPending,
  isOver,
  action,
  onAnswer,
}: Asking & { kind: Typed; lead: string | undefined; isSecond: boolean }) {
  const [code, setCode] = useState("");
  const field = fields[kind];
  const isLong = kind === "recovery_code";
  const isComplete = isLong ? code.trim().length >= 16 : code.length === 6;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isComplete || isPending) return;
    onAnswer({ kind, code });
    setCode("");
  }
  return (
    <form onSubmit={submit}>
      <Text>{lead ?? field.lead}</Text>
      <TextInput
        className={isLong ? "mono" : "code-input"}
        mt="md"
        label={field.label}
        {...(!isLong && { inputMode: "numeric" })}
        autoComplete="one-time-code"
        data-autofocus
        value={code}
        disabled={isOver}
        onChange={({ currentTarget: { value } }) => setCode(isLong ? value.slice(0, 40) : digitsOf(value))}
      />
      <ErrorMessage error={error} />
      <Button
        type="submit"
        fullWidth
        mt="lg"
        variant={isSecond ? "default" : "filled"}
        disabled={!isComplete || isOver}
        loading={isPending}
      >
        {action}
      </Button>
    </form>
  );
}
