import { Button, Group, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { Account, RequestedConfirmation } from "../lib/answers.ts";
import { get, patch, post } from "../lib/api.ts";
import { client } from "../lib/queries.ts";
import { CodeDialog } from "../ui/code-dialog.tsx";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage, Heading, Id, Loading, Section, StateBadge, Time } from "../ui/parts.tsx";
import { AuditLog } from "./audit-log.tsx";
import { FiscalProfileSection } from "./fiscal-profile.tsx";
import { NumberingRanges } from "./numbering-ranges.tsx";
import { Sessions } from "./sessions.tsx";

export default function AccountPage() {
  const account = useQuery({
    queryKey: ["account"],
    queryFn: ({ signal }) => get<Account>("/account", signal),
  });
  if (account.isPending) return <Loading />;
  return (
    <>
      <Heading title="Cuenta" lead="El negocio, su titular y todo cambio que importa para la seguridad." />
      <ErrorMessage error={account.error} retry={account.refetch} />
      {account.data && (
        <>
          <Section title="Negocio">
            <Rename account={account.data} />
            <dl className="facts" style={{ marginTop: "1.25rem" }}>
              <dt>Plan</dt>
              <dd>
                {account.data.plan === "pro" ? (
                  <StateBadge title="Pro" color="green" />
                ) : (
                  <>
                    <StateBadge title="Básico" color="gray" />{" "}
                    <Text span c="dimmed" size="sm">
                      La API y los webhooks hacen parte del plan Pro.
                    </Text>
                  </>
                )}
              </dd>
              <dt>Cuenta desde</dt>
              <dd>
                <Time at={account.data.created_at} />
              </dd>
              <dt>Identificador</dt>
              <dd>
                <Id value={account.data.id} label="Copiar el identificador de la cuenta" whole />
              </dd>
            </dl>
          </Section>
          <FiscalProfileSection />
          <NumberingRanges />
          <ChangeEmail account={account.data} />
          <ChangePassword />
          <Sessions />
          <AuditLog />
        </>
      )}
    </>
  );
}

function refresh() {
  return Promise.all([
    client.invalidateQueries({ queryKey: ["account"] }),
    client.invalidateQueries({ queryKey: ["session"] }),
    client.invalidateQueries({ queryKey: ["list", "/audit-log"] }),
  ]);
}

function Rename({ account }: { account: Account }) {
  const notify = useNotify();
  const [name, setName] = useState(account.name);
  const saving = useMutation({
    mutationFn: () => patch("/account", { name }),
    async onSuccess() {
      notify("Nombre guardado.");
      await refresh();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    saving.mutate();
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm">
        <TextInput
          style={{ flex: "1 1 16rem" }}
          label="Nombre del negocio"
          required
          maxLength={120}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={name === account.name} loading={saving.isPending}>
          Guardar el nombre
        </Button>
      </Group>
      <ErrorMessage error={saving.error} />
    </form>
  );
}

function ChangeEmail({ account }: { account: Account }) {
  const notify = useNotify();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const requesting = useMutation({
    mutationFn: () => post<RequestedConfirmation>("/account/email", { email, current_password: password }),
    onSettled: () => setPassword(""),
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    requesting.mutate();
  }
  return (
    <Section
      title="Correo"
      lead={
        <>
          Hoy es <strong>{account.email}</strong>. A él llegan los códigos y los avisos. Para cambiarlo enviamos un
          código a este correo y otro al nuevo: se necesitan los dos.
        </>
      }
    >
      <form onSubmit={submit}>
        <Stack gap="sm" maw="28rem">
          <TextInput
            label="Correo nuevo"
            type="email"
            required
            autoComplete="email"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label="Su contraseña"
            required
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        </Stack>
        <ErrorMessage error={requesting.error} />
        <Button type="submit" variant="default" mt="md" loading={requesting.isPending}>
          Cambiar el correo
        </Button>
      </form>
      {requesting.data && (
        <CodeDialog
          confirmation={requesting.data}
          action="cambiar el correo de su cuenta"
          newEmail={email}
          onDone={() => {
            notify("El correo cambió.");
            requesting.reset();
            setEmail("");
            void refresh();
          }}
          onClose={() => requesting.reset()}
        />
      )}
    </Section>
  );
}

function ChangePassword() {
  const notify = useNotify();
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const saving = useMutation({
    mutationFn: () => post("/account/password", { current_password: current, new_password: next }),
    async onSuccess() {
      notify("La contraseña cambió y se cerraron las demás sesiones.");
      setCurrent("");
      setNext("");
      await Promise.all([refresh(), client.invalidateQueries({ queryKey: ["sessions"] })]);
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    saving.mutate();
  }
  return (
    <Section title="Contraseña">
      <form onSubmit={submit}>
        <Stack gap="sm" maw="28rem">
          <PasswordInput
            label="Contraseña actual"
            required
            autoComplete="current-password"
            value={current}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
          <PasswordInput
            label="Contraseña nueva"
            description="Al menos 10 caracteres. Una frase corta sirve."
            required
            minLength={10}
            autoComplete="new-password"
            value={next}
            onChange={(event) => setNext(event.currentTarget.value)}
          />
        </Stack>
        <ErrorMessage error={saving.error} />
        <Button type="submit" variant="default" mt="md" loading={saving.isPending}>
          Cambiar la contraseña
        </Button>
      </form>
    </Section>
  );
}
