import { Group, Stack, Text } from "@mantine/core";
import { Link, useLocation } from "wouter";
import type { Answer } from "../lib/answers.ts";
import { post } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { client } from "../lib/queries.ts";
import { digitsOf } from "../ui/code-digits.ts";
import { Fields, FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";
import { SignedOutPage, useTitle } from "./sign-in.tsx";

/** Resets the password with a mailed code, in two steps on one page. */
export default function Reset() {
  useTitle("Restablecer la contraseña");
  const form = useForm("POST /password-resets", {
    secrets: { email: "" },
    send: (values) => post<Answer<"POST /password-resets">>("/password-resets", values),
  });
  return (
    <SignedOutPage
      title="Restablezca su contraseña"
      lead={
        form.answer
          ? `Si ${form.values.email} tiene una cuenta, le llegó un código de 6 dígitos.`
          : "Escriba el correo de la cuenta y le enviamos un código."
      }
    >
      {form.answer ? (
        <NewPassword resetId={form.answer.reset_id} />
      ) : (
        <FormFrame form={form} action="Enviar el código" button={{ fullWidth: true }}>
          <Fields
            form={form}
            fields={[{ name: "email", label: "Correo", type: "email", autoComplete: "username", required: true }]}
          />
        </FormFrame>
      )}
      <BackToSignIn />
    </SignedOutPage>
  );
}

export const newPassword = {
  as: "secret",
  label: "Contraseña nueva",
  description: "Al menos 10 caracteres. Una frase corta sirve.",
  autoComplete: "new-password",
  required: true,
  minLength: 10,
} as const;

/** Asks for the mailed code and the new password. */
export function NewPassword({ resetId }: { resetId: string }) {
  const [, navigate] = useLocation();
  const notify = useNotify();
  const form = useForm("POST /password-resets/:id", {
    secrets: { code: "", password: "" },
    send: (values) => post(`/password-resets/${resetId}`, values),
    onSent() {
      notify("Su contraseña cambió. Entre con la nueva.");
      client.setQueryData(["session"], null);
      navigate("/ingreso");
    },
  });
  return (
    <FormFrame form={form} action="Cambiar la contraseña" button={{ fullWidth: true }}>
      <Stack gap="md">
        <Fields
          form={form}
          fields={[
            {
              name: "code",
              label: "Código de 6 dígitos",
              className: "code-input",
              inputMode: "numeric",
              autoComplete: "one-time-code",
              required: true,
              clean: digitsOf,
            },
            { name: "password", ...newPassword },
          ]}
        />
      </Stack>
    </FormFrame>
  );
}

export function BackToSignIn() {
  return (
    <Group justify="center" mt="md">
      <Text size="sm">
        <Link href="/ingreso">Volver al ingreso</Link>
      </Text>
    </Group>
  );
}
