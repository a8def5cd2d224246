import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { refreshAccount, useAccount } from "../lib/account.ts";
import type { Account, RequestedConfirmation } from "../lib/answers.ts";
import { patch, post } from "../lib/api.ts";
import { useDraft } from "../lib/drafts.ts";
import { useForm } from "../lib/form.ts";
import { client, useMay, useSession } from "../lib/queries.ts";
import { CodeDialog } from "../ui/code-dialog.tsx";
import { Fields, FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage, Heading, Loading, Section } from "../ui/parts.tsx";
import { AuditLog } from "./audit-log.tsx";
import { Factors } from "./factors.tsx";
import { OwnPin } from "./own-pin.tsx";
import { newPassword } from "./reset.tsx";
import { SecurityDemands } from "./security-demands.tsx";
import { Sessions } from "./sessions.tsx";
import { TrustedBrowsers } from "./trusted-browsers.tsx";

export default function Security() {
  const account = useAccount();
  const may = useMay();
  const canDemand = may("security");
  if (account.isPending) return <Loading />;
  return (
    <>
      <Heading title="Seguridad" lead="Cómo se entra a esta cuenta, quién está dentro y todo cambio que importa." />
      <ErrorMessage error={account.error} retry={account.refetch} />
      {account.data && (
        <>
          <OwnName />
          <ChangeEmail account={account.data} />
          <ChangePassword />
          {may("counter") && <OwnPin />}
          <Factors />
          <TrustedBrowsers />
          {canDemand && <SecurityDemands />}
          <Sessions />
          {canDemand && <AuditLog />}
        </>
      )}
    </>
  );
}

/** As others read it beside what one did. */
function OwnName() {
  const notify = useNotify();
  const { data: session } = useSession();
  const form = useForm("PATCH /person", {
    draft: "own-name",
    start: { name: session?.person.name ?? "" },
    send: ({ name }) => patch("/person", { name: name.trim() }),
    async onSent() {
      notify("Nombre guardado.");
      await refreshAccount();
    },
  });
  return (
    <Section title="Su nombre" lead={`Así lo ven los demás. En este negocio usted entra como ${session?.role.title}.`}>
      <FormFrame
        form={form}
        action="Guardar"
        button={{ variant: "default" }}
        justify="flex-start"
        mt="md"
        isReady={form.values.name.trim() !== ""}
      >
        <Stack gap="sm" maw="28rem">
          <Fields form={form} fields={[{ name: "name", label: "Nombre", required: true, autoComplete: "name" }]} />
        </Stack>
      </FormFrame>
    </Section>
  );
}

function ChangeEmail({ account }: { account: Account }) {
  const notify = useNotify();
  const draft = useDraft("new-email", { email: "" });
  const { email } = draft.value;
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
            onChange={(event) => draft.change({ email: event.currentTarget.value })}
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
            draft.change({ email: "" });
            void refreshAccount();
          }}
          onClose={() => requesting.reset()}
        />
      )}
    </Section>
  );
}

function ChangePassword() {
  const notify = useNotify();
  const empty = { current_password: "", new_password: "" };
  const form = useForm("POST /account/password", {
    secrets: empty,
    send: (values) => post("/account/password", values),
    async onSent() {
      notify("La contraseña cambió y se cerraron las demás sesiones.");
      form.change(empty);
      await Promise.all([refreshAccount(), client.invalidateQueries({ queryKey: ["sessions"] })]);
    },
  });
  return (
    <Section title="Contraseña">
      <FormFrame
        form={form}
        action="Cambiar la contraseña"
        button={{ variant: "default" }}
        justify="flex-start"
        mt="md"
      >
        <Stack gap="sm" maw="28rem">
          <Fields
            form={form}
            fields={[
              {
                as: "secret",
                name: "current_password",
                label: "Contraseña actual",
                required: true,
                autoComplete: "current-password",
              },
              { name: "new_password", ...newPassword },
            ]}
          />
        </Stack>
      </FormFrame>
    </Section>
  );
}
