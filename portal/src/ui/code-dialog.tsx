import { Button, Group, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { RequestedConfirmation } from "../lib/answers.ts";
import { ApiError, post } from "../lib/api.ts";
import { useSession } from "../lib/queries.ts";
import { useSecondStep } from "../lib/second-step.ts";
import { digitsOf } from "./code-digits.ts";
import { Dialog } from "./dialog.tsx";
import { plainText } from "./plain-text.ts";

const lifeSeconds = 10 * 60;

/**
 * Asks for the mailed code and says what it confirms. With `newEmail`, also asks for the code that was sent there. `onDone`
 * gets the result of the confirmed change.
 */
export function CodeDialog<T>({
  confirmation,
  action,
  detail,
  newEmail,
  onDone,
  onClose,
}: {
  confirmation: RequestedConfirmation;
  action: string;
  detail?: string;
  newEmail?: string;
  onDone: (result: T) => void;
  onClose: () => void;
}) {
  const secondsLeft = useSecondsLeft();
  const { codes, change, confirming, confirm, isSending } = useConfirming<T>(confirmation, onDone);
  const problem = confirming.error instanceof ApiError ? confirming.error : undefined;
  const isOver = secondsLeft === 0 || problem?.code === "CODE_EXPIRED" || problem?.attemptsLeft === 0;
  const isTwice = newEmail !== undefined;
  const isComplete = codes.code.length === 6 && (!isTwice || codes.new_email_code.length === 6);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isComplete) return;
    confirm(isTwice ? codes : { code: codes.code });
  }
  /** Stays open during the request: its response may hold a secret that cannot be shown again. */
  function close() {
    if (!isSending.current) onClose();
  }

  return (
    <Dialog onClose={close} title={isTwice ? "Confirme con los dos códigos" : "Confirme con el código"} size="md">
      <form onSubmit={submit}>
        <Introduction action={action} detail={detail} newEmail={newEmail} />
        <CodeInput
          label={isTwice ? "Código del correo actual" : "Código de 6 dígitos"}
          value={codes.code}
          onChange={(code) => change({ code })}
          isOver={isOver}
          error={isAbout(confirming.error, "new_email_code") ? null : confirming.error}
          isFirst
        />
        {isTwice && (
          <CodeInput
            label="Código del correo nuevo"
            value={codes.new_email_code}
            onChange={(new_email_code) => change({ new_email_code })}
            isOver={isOver}
            error={isAbout(confirming.error, "new_email_code") ? confirming.error : null}
          />
        )}
        <Expiry secondsLeft={isOver ? 0 : secondsLeft} hasTwoCodes={isTwice} />
        <Group justify="flex-end" mt="lg">
          <FactorButton
            disabled={confirming.isPending || isOver || (isTwice && codes.new_email_code.length !== 6)}
            onClick={() => confirm(isTwice ? { new_email_code: codes.new_email_code } : {})}
          />
          <Button variant="default" disabled={confirming.isPending} onClick={close}>
            Cancelar
          </Button>
          <Button type="submit" disabled={!isComplete || isOver} loading={confirming.isPending}>
            Confirmar
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}

/** For whoever has a second step: it takes the place of the code that was mailed to her. */
function FactorButton(props: { disabled: boolean; onClick: () => void }) {
  const hasFactor = (useSecondStep().data?.kinds.length ?? 0) > 0;
  if (!hasFactor) return null;
  return (
    <Button variant="default" {...props}>
      Usar mi segundo paso
    </Button>
  );
}

/** The codes that are typed, and their way to the service. */
function useConfirming<T>({ confirmation_id }: RequestedConfirmation, onDone: (result: T) => void) {
  const [codes, setCodes] = useState({ code: "", new_email_code: "" });
  const change = (part: Partial<typeof codes>) => setCodes((before) => ({ ...before, ...part }));
  // Known at once, unlike `isPending`, which a key pressed right after the click can outrun.
  const isSending = useRef(false);
  const confirming = useMutation({
    // Without the code of the mail, it is the second step that takes its place.
    mutationFn: (sent: Partial<typeof codes>) =>
      post<T>(`/confirmations/${confirmation_id}${sent.code === undefined ? "/second-step" : ""}`, sent),
    onSuccess: onDone,
    // Only the wrong code has to be typed again.
    onError: (error) => change(isAbout(error, "new_email_code") ? { new_email_code: "" } : { code: "" }),
    onSettled() {
      isSending.current = false;
    },
  });
  function confirm(sent: Partial<typeof codes>) {
    isSending.current = true;
    confirming.mutate(sent);
  }
  return { codes, change, confirming, confirm, isSending };
}

/** Where the codes were sent, and what they confirm. */
function Introduction({ action, detail, newEmail }: { action: string; detail?: string; newEmail?: string }) {
  const session = useSession().data;
  return (
    <>
      <Text>
        Le enviamos un código de 6 dígitos a <strong>{session?.account.email}</strong>
        {newEmail !== undefined && (
          <>
            {" "}
            y otro a <strong>{newEmail}</strong>
          </>
        )}{" "}
        para <strong>{action}</strong>.
      </Text>
      {detail && (
        <Text mt="xs" className="mono">
          {detail}
        </Text>
      )}
    </>
  );
}

function Expiry({ secondsLeft, hasTwoCodes }: { secondsLeft: number; hasTwoCodes: boolean }) {
  const mailbox = useSession().data?.mailbox;
  const left = `${Math.floor(secondsLeft / 60)}:${String(secondsLeft % 60).padStart(2, "0")}`;
  return (
    <>
      <Text size="sm" c="dimmed" mt="xs" aria-live="off">
        {secondsLeft === 0
          ? `${hasTwoCodes ? "Estos códigos ya no sirven" : "Este código ya no sirve"}. Cierre esta ventana y empiece de nuevo.`
          : `${hasTwoCodes ? "Vencen" : "Vence"} en ${left}. ¿No ${hasTwoCodes ? "llegan" : "llega"}? Revise el correo no deseado.`}
      </Text>
      {mailbox && (
        <Text size="sm" mt={4}>
          Ambiente de pruebas:{" "}
          <a href={mailbox} target="_blank" rel="noreferrer">
            abrir el buzón
          </a>
        </Text>
      )}
    </>
  );
}

function CodeInput({
  label,
  value,
  onChange,
  isOver,
  error,
  isFirst = false,
}: {
  label: string;
  value: string;
  onChange: (digits: string) => void;
  isOver: boolean;
  error: Error | null;
  isFirst?: boolean;
}) {
  return (
    <TextInput
      className="code-input"
      mt="md"
      label={label}
      inputMode="numeric"
      autoComplete="one-time-code"
      value={value}
      disabled={isOver}
      onChange={(event) => onChange(digitsOf(event.currentTarget.value))}
      error={error && messageOf(error)}
      {...(isFirst && { "data-autofocus": true })}
    />
  );
}

function isAbout(error: Error | null, param: string): boolean {
  return error instanceof ApiError && error.param === param;
}

function messageOf(error: Error): string {
  const left = error instanceof ApiError ? error.attemptsLeft : undefined;
  if (left === undefined || left === 0) return plainText(error.message);
  return `${plainText(error.message)} Le ${left === 1 ? "queda 1 intento" : `quedan ${left} intentos`}.`;
}

/** Counted from when the dialog opened: the browser's clock may be wrong, and tests move the server's. */
function useSecondsLeft(): number {
  const [openedAt] = useState(() => performance.now());
  const [left, setLeft] = useState(lifeSeconds);
  useEffect(() => {
    const update = () => setLeft(Math.max(0, Math.round(lifeSeconds - (performance.now() - openedAt) / 1_000)));
    const timer = setInterval(update, 1_000);
    return () => clearInterval(timer);
  }, [openedAt]);
  return left;
}
