import { Anchor, Button, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Answer } from "../lib/answers.ts";
import { ApiError, post } from "../lib/api.ts";
import { digitsOf } from "../ui/code-digits.ts";
import { ErrorMessage } from "../ui/parts.tsx";

export type AskedStep = Answer<"POST /session">["second_step"];
export type StepKind = AskedStep["kinds"][number];
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

/** The second half of a sign-in. `onEntered` gets the account; `onRestart` leads back to the password. */
export default function SecondStep({
  asked,
  onEntered,
  onRestart,
}: {
  asked: AskedStep;
  onEntered: (answer: { account: { id: string } }) => unknown;
  onRestart: () => void;
}) {
  const [isLost, setLost] = useState(false);
  const losing = useMutation({
    mutationFn: () => post("/session/second-step/lost"),
    onSuccess: () => setLost(true),
  });
  const entering = useMutation({
    mutationFn: (answer: { kind: StepKind; code: string }) =>
      post<{ account: { id: string } }>("/session/second-step", answer),
    onSuccess: onEntered,
  });
  const isOver = [entering.error, losing.error].some(
    (error) => error instanceof ApiError && error.code === "SECOND_STEP_EXPIRED",
  );
  return (
    <>
      <StepForm
        key={String(isLost)}
        kinds={isLost ? ["mailed_code"] : asked.kinds}
        lead={
          isLost
            ? "Le enviamos un código a su correo. Con él entra y se quita su segundo paso: después agregue uno nuevo."
            : undefined
        }
        error={entering.error ?? losing.error}
        isPending={entering.isPending}
        isOver={isOver}
        action="Entrar"
        onAnswer={(answer) => entering.mutate(answer)}
      />
      <Stack gap={6} mt="md" align="center">
        {!isLost && !asked.kinds.includes("mailed_code") && (
          <Anchor
            component="button"
            type="button"
            size="sm"
            disabled={losing.isPending}
            onClick={() => losing.mutate()}
          >
            Perdí mi segundo paso
          </Anchor>
        )}
        <Anchor component="button" type="button" size="sm" onClick={onRestart}>
          Volver al ingreso
        </Anchor>
      </Stack>
    </>
  );
}

/** Asks for one of several kinds of answer; the first is asked for, the others are a click away. */
export function StepForm({
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
  onAnswer: (answer: { kind: StepKind; code: string }) => void;
}) {
  const typed = kinds.filter(isTyped);
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
  return (
    <form onSubmit={submit}>
      <Text>{lead ?? field.lead}</Text>
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
      <Button type="submit" fullWidth mt="lg" disabled={!isComplete || isOver} loading={isPending}>
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
