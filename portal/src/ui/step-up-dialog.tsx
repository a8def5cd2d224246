import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { post } from "../lib/api.ts";
import { signWithPasskey } from "../lib/passkeys.ts";
import { client } from "../lib/queries.ts";
import { type StepKind, useAskedStepUp } from "../lib/step-up.ts";
import { Dialog } from "./dialog.tsx";
import { Loading } from "./parts.tsx";

const StepForm = lazy(() => import("../pages/step-form.tsx"));

/** Stands above every page: a request that needs the second step waits for it here, and goes on. */
export function StepUpDialog() {
  const asked = useAskedStepUp();
  return asked ? <Asking kinds={asked.kinds} onAnswer={asked.answer} /> : null;
}

function Asking({ kinds, onAnswer }: { kinds: readonly StepKind[]; onAnswer: (isDone: boolean) => void }) {
  const showing = useMutation({
    mutationFn: async (answer: { kind: StepKind; code?: string }) =>
      post("/step-up", {
        ...answer,
        ...(answer.kind === "passkey" && { credential: await signWithPasskey("/step-up/passkey") }),
      }),
    onSuccess() {
      void client.invalidateQueries({ queryKey: ["second-step"] });
      onAnswer(true);
    },
  });
  return (
    <Dialog onClose={() => onAnswer(false)} title="Confirme que es usted" size="md">
      <Suspense fallback={<Loading />}>
        <StepForm
          kinds={kinds}
          error={showing.error}
          isPending={showing.isPending}
          action="Seguir"
          onAnswer={(answer) => showing.mutate(answer)}
        />
      </Suspense>
    </Dialog>
  );
}
