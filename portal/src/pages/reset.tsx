import { Button, Group, PasswordInput, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Link, useLocation } from "wouter";
import type { Answer } from "../lib/answers.ts";
import { post } from "../lib/api.ts";
import { client } from "../lib/queries.ts";
import { digitsOf } from "../ui/code-digits.ts";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage } from "../ui/parts.tsx";
import { SignedOutPage, useTitle } from "./sign-in.tsx";

/** Resets the password with a mailed code, in two steps on one page. */
export default function Reset() {
  const [email, setEmail] = useState("");
  useTitle("Restablecer la contraseña");
  const requesting = useMutation({
    mutationFn: () => post<Answer<"POST /password-resets">>("/password-resets", { email }),
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    requesting.mutate();
  }
  return (
    <SignedOutPage
      title="Restablezca su contraseña"
      lead={
        requesting.data
          ? `Si ${email} tiene una cuenta, le llegó un código de 6 dígitos.`
          : "Escriba el correo de la cuenta y le enviamos un código."
      }
    >
      {requesting.data ? (
        <NewPassword resetId={requesting.data.reset_id} />
      ) : (
        <form onSubmit={submit}>
          <TextInput
            label="Correo"
            type="email"
            autoComplete="username"
            required
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <ErrorMessage error={requesting.error} />
          <Button type="submit" fullWidth mt="lg" loading={requesting.isPending}>
            Enviar el código
          </Button>
        </form>
      )}
      <BackToSignIn />
    </SignedOutPage>
  );
}

/** Asks for the mailed code and the new password. */
export function NewPassword({ resetId }: { resetId: string }) {
  const [, navigate] = useLocation();
  const notify = useNotify();
  const [code, setCode] = useState("");
  const [password, setPassword] = useState("");
  const setting = useMutation({
    mutationFn: () => post(`/password-resets/${resetId}`, { code, password }),
    onSuccess() {
      notify("Su contraseña cambió. Entre con la nueva.");
      client.setQueryData(["session"], null);
      navigate("/ingreso");
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    setting.mutate();
  }
  return (
    <form onSubmit={submit}>
      <TextInput
        className="code-input"
        label="Código de 6 dígitos"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        value={code}
        onChange={(event) => setCode(digitsOf(event.currentTarget.value))}
      />
      <PasswordInput
        mt="md"
        label="Contraseña nueva"
        description="Al menos 10 caracteres. Una frase corta sirve."
        autoComplete="new-password"
        required
        minLength={10}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <ErrorMessage error={setting.error} />
      <Button type="submit" fullWidth mt="lg" loading={setting.isPending}>
        Cambiar la contraseña
      </Button>
    </form>
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
