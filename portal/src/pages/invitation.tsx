import { Alert, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useLocation } from "wouter";
import type { Answer } from "../lib/answers.ts";
import { post } from "../lib/api.ts";
import { enterBusiness } from "../lib/client.ts";
import { useForm } from "../lib/form.ts";
import { Fields, FormFrame } from "../ui/form.tsx";
import { Icon } from "../ui/icons.tsx";
import { ErrorMessage, Loading } from "../ui/parts.tsx";
import { BackToSignIn, newPassword } from "./reset.tsx";
import type { AskedStep } from "./second-step.tsx";
import { SignedOutPage, useTitle } from "./sign-in.tsx";

const SecondStep = lazy(() => import("./second-step.tsx"));

type Look = Answer<"POST /invitation-looks">;

/** The link of an invitation leads here. Nothing happens until the button is pressed. */
export default function InvitationPage() {
  const [token] = useState(() => window.location.hash.slice(1));
  useTitle("Invitación");
  const look = useQuery({
    queryKey: ["invitation", token],
    queryFn: () => post<Look>("/invitation-looks", { token }),
    enabled: token !== "",
    retry: false,
    refetchOnWindowFocus: false,
  });
  if (token === "" || look.error)
    return (
      <SignedOutPage title="La invitación no sirve" lead="Pida a quien lo invitó que le envíe otra.">
        {token === "" ? (
          <Alert color="orange" variant="light" icon={<Icon name="alert" />} role="alert">
            Al enlace le falta una parte. Ábralo otra vez desde el correo.
          </Alert>
        ) : (
          <ErrorMessage error={look.error} />
        )}
        <BackToSignIn />
      </SignedOutPage>
    );
  if (!look.data) return <Loading />;
  const { business, role, email } = look.data;
  return (
    <SignedOutPage title={`Entre a ${business}`} lead={`Lo invitaron como ${role}. Entra con ${email}.`}>
      <Accept token={token} look={look.data} />
    </SignedOutPage>
  );
}

function Accept({ token, look }: { token: string; look: Look }) {
  const [, navigate] = useLocation();
  const [asked, setAsked] = useState<AskedStep>();
  async function enter() {
    await enterBusiness();
    navigate("/", { replace: true });
  }
  const form = useForm("POST /invitations/accept", {
    secrets: { name: "", password: "" },
    send: ({ name, password }) =>
      post<Answer<"POST /session"> | undefined>("/invitations/accept", {
        token,
        password,
        ...(!look.is_known && { name }),
      }),
    // Whoever has a second step is asked for it, as at every sign-in.
    onSent: (answer) => (answer ? setAsked(answer.second_step) : enter()),
  });
  if (asked)
    return (
      <Suspense fallback={<Loading />}>
        <Text mb="md">Ya hace parte de {look.business}. Confirme que es usted para entrar.</Text>
        <SecondStep asked={asked} onEntered={enter} onRestart={() => navigate("/ingreso", { replace: true })} />
      </Suspense>
    );
  const { name, password } = form.values;
  return (
    <FormFrame
      form={form}
      action={`Entrar a ${look.business}`}
      button={{ fullWidth: true }}
      isReady={password !== "" && (look.is_known || name.trim() !== "")}
    >
      <Stack gap="md">
        <Fields
          form={form}
          fields={
            look.is_known
              ? [
                  {
                    as: "secret",
                    name: "password",
                    label: "Su contraseña",
                    description: "La que ya usa en Mostrador.",
                    autoComplete: "current-password",
                    required: true,
                  },
                ]
              : [
                  { name: "name", label: "Su nombre", autoComplete: "name", required: true },
                  { name: "password", ...newPassword, label: "Contraseña" },
                ]
          }
        />
      </Stack>
    </FormFrame>
  );
}
