import { Stack } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Answer } from "../lib/answers.ts";
import { post } from "../lib/api.ts";
import { enterBusiness } from "../lib/client.ts";
import { useForm } from "../lib/form.ts";
import { digitsOf } from "../ui/code-digits.ts";
import { Fields, FormFrame } from "../ui/form.tsx";
import { BackToSignIn, newPassword } from "./reset.tsx";
import { SignedOutPage, useTitle } from "./sign-in.tsx";

/** Opens a business: the mail, its code, then the name and a password. A link of the operator brings the code along. */
export default function SignUp() {
  useTitle("Abrir un negocio");
  const [[id = "", code = ""]] = useState(() => window.location.hash.slice(1).split("."));
  const form = useForm("POST /sign-ups", {
    secrets: { email: "" },
    send: (values) => post<Answer<"POST /sign-ups">>("/sign-ups", values),
  });
  const signUpId = form.answer?.sign_up_id ?? id;
  return (
    <SignedOutPage
      title="Abra su negocio"
      lead={
        form.answer
          ? `A ${form.values.email} le llegó un código de 6 dígitos. Si ya tenía cuenta, el correo se lo dice.`
          : "Ventas, inventario y documentos ante la DIAN, desde hoy."
      }
    >
      {signUpId === "" ? (
        <FormFrame form={form} action="Enviar el código" button={{ fullWidth: true }}>
          <Fields
            form={form}
            fields={[{ name: "email", label: "Su correo", type: "email", autoComplete: "email", required: true }]}
          />
        </FormFrame>
      ) : (
        <Opening id={signUpId} code={code} />
      )}
      <BackToSignIn />
    </SignedOutPage>
  );
}

function Opening({ id, code }: { id: string; code: string }) {
  const [, navigate] = useLocation();
  const form = useForm("POST /sign-ups/:id", {
    secrets: { code, name: "", password: "" },
    send: (values) => post(`/sign-ups/${id}`, values),
    async onSent() {
      await enterBusiness();
      navigate("/", { replace: true });
    },
  });
  return (
    <FormFrame form={form} action="Abrir el negocio" button={{ fullWidth: true }}>
      <Stack gap="md">
        <Fields
          form={form}
          fields={[
            code === "" && {
              name: "code",
              label: "Código de 6 dígitos",
              inputMode: "numeric",
              autoComplete: "one-time-code",
              required: true,
              clean: digitsOf,
            },
            { name: "name", label: "Nombre del negocio", autoComplete: "organization", required: true },
            { name: "password", ...newPassword, label: "Contraseña" },
          ]}
        />
      </Stack>
    </FormFrame>
  );
}
