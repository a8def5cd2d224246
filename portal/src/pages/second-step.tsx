import { Anchor, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Answer } from "../lib/answers.ts";
import { ApiError, post } from "../lib/api.ts";
import { signWithPasskey } from "../lib/passkeys.ts";
import type { StepKind } from "../lib/step-up.ts";
import StepForm from "./step-form.tsx";

export type AskedStep = Answer<"POST /session">["second_step"];
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
    mutationFn: async (answer: { kind: StepKind; code?: string }) =>
      post<{ account: { id: string } }>("/session/second-step", {
        ...answer,
        ...(answer.kind === "passkey" && { credential: await signWithPasskey("/session/second-step/passkey") }),
      }),
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
        {...(isLost && {
          lead: "Le enviamos un código a su correo. Con él entra y se quita su segundo paso: después agregue uno nuevo.",
        })}
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
