import { Button, Center, Group, PasswordInput, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { Link } from "wouter";
import type { Answer, Session } from "../lib/answers.ts";
import { get, post } from "../lib/api.ts";
import { client } from "../lib/queries.ts";
import { ErrorMessage } from "../ui/parts.tsx";

/** Shown at the address that was requested, so that signing in leads there. */
export function SignIn({ previousOwner }: { previousOwner?: Session | undefined }) {
  const [email, setEmail] = useState(previousOwner?.account.email ?? "");
  const [password, setPassword] = useState("");
  useTitle("Ingreso");
  const signUps = useQuery({
    queryKey: ["sign-ups"],
    queryFn: ({ signal }) => get<Answer<"GET /sign-ups">>("/sign-ups", signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const entering = useMutation({
    mutationFn: () => post<{ account: { id: string } }>("/session", { email, password }),
    onSuccess({ account }) {
      // Remove what an expired session left in memory, unless the same business goes on with it.
      if (account.id !== previousOwner?.account.id)
        client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
      return client.invalidateQueries();
    },
    onError: () => setPassword(""),
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    entering.mutate();
  }
  return (
    <SignedOutPage
      title="Entre a su portal"
      lead={
        previousOwner
          ? "Su sesión terminó. Entre de nuevo y siga donde estaba: lo que escribió sigue aquí."
          : "Las ventas, los productos y los documentos de su negocio, en un solo lugar."
      }
    >
      <form onSubmit={submit}>
        <TextInput
          label="Correo"
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          mt="md"
          label="Contraseña"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <ErrorMessage error={entering.error} />
        <Button type="submit" fullWidth mt="lg" loading={entering.isPending}>
          Entrar
        </Button>
        <Group justify="center" mt="md">
          <Link href="/restablecer">Olvidé mi contraseña</Link>
          {signUps.data?.who === "open" && <Link href="/registro">Abrir un negocio</Link>}
        </Group>
      </form>
      <Text size="sm" c="dimmed" ta="center" mt="lg">
        ¿Integra un sistema? Lea la <a href="/docs">documentación de la API</a>.
      </Text>
    </SignedOutPage>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Mostrador`;
  }, [title]);
}

/** The frame of the pages for signed-out visitors. */
export function SignedOutPage({ title, lead, children }: { title: string; lead: string; children: React.ReactNode }) {
  return (
    <Center mih="100dvh" p="md">
      <main className="card" style={{ width: "100%", maxWidth: 420, padding: "2rem" }}>
        <Group gap="sm" mb="lg">
          <img src="/icon.svg" alt="" width={32} height={32} />
          <Text fw={700} size="lg">
            Mostrador
          </Text>
        </Group>
        <Title order={1} size="h2">
          {title}
        </Title>
        <Text c="dimmed" mt={4} mb="lg">
          {lead}
        </Text>
        {children}
      </main>
    </Center>
  );
}
