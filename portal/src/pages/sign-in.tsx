import { Button, Center, Group, PasswordInput, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, lazy, Suspense, useEffect, useState } from "react";
import { Link } from "wouter";
import type { Answer, Session } from "../lib/answers.ts";
import { get, post } from "../lib/api.ts";
import { forgetPages } from "../lib/client.ts";
import { knowsPasskeys, signWithPasskey } from "../lib/passkeys.ts";
import { client } from "../lib/queries.ts";
import { showBusiness } from "../lib/shown-business.ts";
import { ErrorMessage, Loading } from "../ui/parts.tsx";
import type { AskedStep } from "./second-step.tsx";

const SecondStep = lazy(() => import("./second-step.tsx"));

type Entered = { account: { id: string } };

/** Shown at the address that was requested, so that signing in leads there. */
export function SignIn({ previousOwner }: { previousOwner?: Session | undefined }) {
  const [email, setEmail] = useState(previousOwner?.account.email ?? "");
  const [asked, setAsked] = useState<AskedStep>();
  useTitle("Ingreso");
  const signUps = useQuery({
    queryKey: ["sign-ups"],
    queryFn: ({ signal }) => get<Answer<"GET /sign-ups">>("/sign-ups", signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  function enter({ account }: Entered) {
    showBusiness(undefined);
    // Remove what an expired session left in memory, unless the same business goes on with it.
    if (account.id !== previousOwner?.account.id) forgetPages();
    return client.invalidateQueries();
  }
  if (asked) {
    return (
      <SignedOutPage title="Confirme que es usted" lead={`Ingresa como ${email}.`}>
        <Suspense fallback={<Loading />}>
          <SecondStep asked={asked} onEntered={enter} onRestart={() => setAsked(undefined)} />
        </Suspense>
      </SignedOutPage>
    );
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
      <PasswordForm email={email} onEmail={setEmail} onEntered={enter} onAsked={setAsked} />
      {knowsPasskeys && <PasskeyButton onEntered={enter} />}
      <Group justify="center" mt="md">
        <Link href="/restablecer">Olvidé mi contraseña</Link>
        {signUps.data?.who === "open" && <Link href="/registro">Abrir un negocio</Link>}
      </Group>
      <Text size="sm" c="dimmed" ta="center" mt="lg">
        ¿Integra un sistema? Lea la <a href="/docs">documentación de la API</a>.
      </Text>
    </SignedOutPage>
  );
}

function PasswordForm({
  email,
  onEmail,
  onEntered,
  onAsked,
}: {
  email: string;
  onEmail: (email: string) => void;
  onEntered: (answer: Entered) => unknown;
  onAsked: (asked: AskedStep) => void;
}) {
  const [password, setPassword] = useState("");
  const entering = useMutation({
    mutationFn: () => post<Entered | Answer<"POST /session">>("/session", { email, password }),
    onSuccess: (answer) => ("account" in answer ? onEntered(answer) : onAsked(answer.second_step)),
    onError: () => setPassword(""),
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    entering.mutate();
  }
  return (
    <form onSubmit={submit}>
      <TextInput
        label="Correo"
        type="email"
        autoComplete="username"
        required
        value={email}
        onChange={(event) => onEmail(event.currentTarget.value)}
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
    </form>
  );
}

/** Needs neither the address nor the password. */
function PasskeyButton({ onEntered }: { onEntered: (answer: Entered) => unknown }) {
  const entering = useMutation({
    mutationFn: async () =>
      post<Entered>("/session/passkey", { credential: await signWithPasskey("/session/passkey/options") }),
    onSuccess: onEntered,
  });
  return (
    <>
      <ErrorMessage error={entering.error} />
      <Button fullWidth mt="sm" variant="default" loading={entering.isPending} onClick={() => entering.mutate()}>
        Usar una llave de acceso
      </Button>
    </>
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
