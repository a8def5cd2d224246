import { Alert, Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Answer } from "../lib/answers.ts";
import { post } from "../lib/api.ts";
import { client } from "../lib/queries.ts";
import { Icon } from "../ui/icons.tsx";
import { ErrorMessage } from "../ui/parts.tsx";
import { BackToSignIn, NewPassword } from "./reset.tsx";
import { SignedOutPage, useTitle } from "./sign-in.tsx";

/** The link in the notice about a changed email leads here. Nothing happens until the button is pressed. */
export default function UndoEmail() {
  const [token] = useState(() => window.location.hash.slice(1));
  useTitle("Deshacer el cambio de correo");
  const undoing = useMutation({
    mutationFn: () => post<Answer<"POST /email-undo">>("/email-undo", { token }),
    onSuccess() {
      // The token is used up: remove it from the address and the history.
      window.history.replaceState(null, "", window.location.pathname);
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
      client.setQueryData(["session"], null);
    },
  });
  if (undoing.data) {
    return (
      <SignedOutPage
        title="Elija una contraseña nueva"
        lead={`El correo de su cuenta es otra vez ${undoing.data.email}. Le enviamos ahí un código de 6 dígitos.`}
      >
        <Alert variant="light" icon={<Icon name="check" />} role="status" mb="md">
          Se cerraron todas las sesiones y la contraseña anterior dejó de servir. Cuando entre, revise en Claves API,
          Webhooks y Cajas que no haya nada ajeno.
        </Alert>
        <NewPassword resetId={undoing.data.reset_id} />
        <BackToSignIn />
      </SignedOutPage>
    );
  }
  return (
    <SignedOutPage
      title="Deshaga el cambio de correo"
      lead="Úselo solo si usted no cambió el correo de su cuenta de Mostrador."
    >
      <Text>
        Su cuenta vuelve al correo donde recibió este enlace, se cierran todas las sesiones abiertas y la contraseña
        actual deja de servir. Después elige una nueva.
      </Text>
      <ErrorMessage error={undoing.error} />
      {token === "" ? (
        <Alert color="orange" variant="light" icon={<Icon name="alert" />} role="alert" mt="md">
          Al enlace le falta una parte. Ábralo otra vez desde el correo. Si ya deshizo el cambio, restablezca su
          contraseña en el ingreso.
        </Alert>
      ) : (
        <Button fullWidth mt="lg" color="red.9" loading={undoing.isPending} onClick={() => undoing.mutate()}>
          Deshacer el cambio
        </Button>
      )}
      <BackToSignIn />
    </SignedOutPage>
  );
}
