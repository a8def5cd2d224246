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

/** The link of a security notice leads here. Nothing happens until the button is pressed. */
export default function Objection() {
  const [token] = useState(() => window.location.hash.slice(1));
  useTitle("No fui yo");
  const objecting = useMutation({
    mutationFn: () => post<Answer<"POST /objections">>("/objections", { token }),
    onSuccess() {
      // The token is used up: remove it from the address and the history.
      window.history.replaceState(null, "", window.location.pathname);
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
      client.setQueryData(["session"], null);
    },
  });
  if (objecting.data) return <Undone answer={objecting.data} />;
  return (
    <SignedOutPage title="¿No fue usted?" lead="Úselo solo si no reconoce el cambio del que le avisamos por correo.">
      <Text>
        Deshacemos ese cambio, cerramos las sesiones de quien lo hizo y durante 72 horas no lo puede repetir. Si se hizo
        con su cuenta, su contraseña deja de servir y elige una nueva.
      </Text>
      <ErrorMessage error={objecting.error} />
      {token === "" ? (
        <Alert color="orange" variant="light" icon={<Icon name="alert" />} role="alert" mt="md">
          Al enlace le falta una parte. Ábralo otra vez desde el correo.
        </Alert>
      ) : (
        <Button fullWidth mt="lg" color="red.9" loading={objecting.isPending} onClick={() => objecting.mutate()}>
          No fui yo: deshacerlo
        </Button>
      )}
      <BackToSignIn />
    </SignedOutPage>
  );
}

function Undone({ answer: { email, reset } }: { answer: Answer<"POST /objections"> }) {
  if (reset === null)
    return (
      <SignedOutPage title="Quedó deshecho" lead="Se cerraron las sesiones de quien lo hizo en su negocio.">
        <Text>Revise en Seguridad y en Personas que no haya nada más que no reconozca.</Text>
        <BackToSignIn />
      </SignedOutPage>
    );
  return (
    <SignedOutPage
      title="Elija una contraseña nueva"
      lead={`Quedó deshecho y se cerraron todas las sesiones. Le enviamos a ${email} un código de 6 dígitos.`}
    >
      <NewPassword resetId={reset.reset_id} />
      <BackToSignIn />
    </SignedOutPage>
  );
}
