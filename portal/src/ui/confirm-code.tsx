import { Button, Group, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { Problem, post } from "../lib/api.ts";
import { useSession } from "../lib/queries.ts";
import type { Asked } from "../lib/types.ts";
import { Dialog } from "./dialog.tsx";
import { plain } from "./plain.ts";

const lifeSeconds = 10 * 60;

/** Asks for the code in the mail, naming what it confirms. `onDone` gets what the confirmed change brought about. */
export function ConfirmCode<T>({
  asked,
  action,
  detail,
  sentTo,
  onDone,
  onClose,
}: {
  asked: Asked;
  action: string;
  detail?: string;
  sentTo?: string;
  onDone: (outcome: T) => void;
  onClose: () => void;
}) {
  const [code, setCode] = useState("");
  const session = useSession().data;
  const secondsLeft = useSecondsLeft();
  const confirming = useMutation({
    mutationFn: (value: string) => post<T>(`/confirmations/${asked.confirmation_id}`, { code: value }),
    onSuccess: onDone,
    onError: () => setCode(""),
  });
  const problem = confirming.error instanceof Problem ? confirming.error : undefined;
  const isOver = secondsLeft === 0 || problem?.code === "CODE_EXPIRED" || problem?.attemptsLeft === 0;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (code.length === 6) confirming.mutate(code);
  }
  /** What is under way may bring a secret that is shown once: nobody closes the door on it. */
  function close() {
    if (!confirming.isPending) onClose();
  }

  return (
    <Dialog onClose={close} title="Confirme con el código" size="md">
      <form onSubmit={submit}>
        <Text>
          Le enviamos un código de 6 dígitos a <strong>{sentTo ?? session?.account.email}</strong> para{" "}
          <strong>{action}</strong>.
        </Text>
        {detail && (
          <Text mt="xs" className="mono">
            {detail}
          </Text>
        )}
        <TextInput
          className="code-input"
          mt="md"
          label="Código de 6 dígitos"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          value={code}
          disabled={isOver}
          onChange={(event) => setCode(event.currentTarget.value.replace(/\D/g, ""))}
          error={confirming.error && messageOf(confirming.error)}
          data-autofocus
        />
        <Text size="sm" c="dimmed" mt="xs" aria-live="off">
          {isOver
            ? "Este código ya no sirve. Cierre esta ventana y empiece de nuevo."
            : `Vence en ${Math.floor(secondsLeft / 60)}:${String(secondsLeft % 60).padStart(2, "0")}. ¿No llega? Revise el correo no deseado.`}
        </Text>
        {session?.mailbox && (
          <Text size="sm" mt={4}>
            Ambiente de pruebas:{" "}
            <a href={session.mailbox} target="_blank" rel="noreferrer">
              abrir el buzón
            </a>
          </Text>
        )}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" disabled={confirming.isPending} onClick={close}>
            Cancelar
          </Button>
          <Button type="submit" disabled={code.length !== 6 || isOver} loading={confirming.isPending}>
            Confirmar
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}

function messageOf(error: Error): string {
  const left = error instanceof Problem ? error.attemptsLeft : undefined;
  if (left === undefined || left === 0) return plain(error.message);
  return `${plain(error.message)} Le ${left === 1 ? "queda 1 intento" : `quedan ${left} intentos`}.`;
}

/** Ten minutes from when the dialog opened: the browser's clock may be wrong, and the test environment's jumps. */
function useSecondsLeft(): number {
  const [openedAt] = useState(() => performance.now());
  const [left, setLeft] = useState(lifeSeconds);
  useEffect(() => {
    const look = () => setLeft(Math.max(0, Math.round(lifeSeconds - (performance.now() - openedAt) / 1_000)));
    const timer = setInterval(look, 1_000);
    return () => clearInterval(timer);
  }, [openedAt]);
  return left;
}
