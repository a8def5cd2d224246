import { Button, Group, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { Link } from "wouter";
import { refreshAccount, useAccount } from "../lib/account.ts";
import type { Account } from "../lib/answers.ts";
import { patch } from "../lib/api.ts";
import { useDraft } from "../lib/drafts.ts";
import { useMay, useSession } from "../lib/queries.ts";
import { useSedes } from "../lib/sedes.ts";
import { Changeable } from "../ui/changeable.tsx";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage, Heading, Id, Loading, Section, StateBadge, Time } from "../ui/parts.tsx";
import { CloseBusiness } from "./close-business.tsx";

export default function Business() {
  const account = useAccount();
  if (account.isPending) return <Loading />;
  return (
    <>
      <Heading title="Negocio" lead="El nombre con el que aparece y el plan que tiene." />
      <ErrorMessage error={account.error} retry={account.refetch} />
      {account.data && (
        <Section title="Datos del negocio">
          <Changeable to="settings:write">
            <Rename account={account.data} />
          </Changeable>
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
      )}
      <Places />
      {account.data && <CloseBusiness />}
    </>
  );
}

/** The way to a second place to sell, or to those there are. */
function Places() {
  const isAlone = (useSedes().data ?? []).length < 2;
  const seesAll = useSession().data?.location_ids === null;
  if (!useMay()("settings:write") || !seesAll) return null;
  return (
    <Section title={isAlone ? "¿Vende en otro lugar?" : "Sedes"}>
      <Text mb="sm">
        {isAlone
          ? "Abra otro local y lleve sus ventas, su bodega y su gente aparte, dentro del mismo negocio."
          : "Sus locales, con sus cajas, su dirección y su bodega."}
      </Text>
      <Button component={Link} href="/ajustes/sedes" variant="default">
        {isAlone ? "Abrir otro local" : "Ver las sedes"}
      </Button>
    </Section>
  );
}

function Rename({ account }: { account: Account }) {
  const notify = useNotify();
  const draft = useDraft("business", { name: account.name });
  const { name } = draft.value;
  const saving = useMutation({
    mutationFn: () => patch("/account", { name }),
    async onSuccess() {
      draft.forget();
      notify("Nombre guardado.");
      await refreshAccount();
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
          onChange={(event) => draft.change({ name: event.currentTarget.value })}
        />
        <Button type="submit" variant="default" disabled={name === account.name} loading={saving.isPending}>
          Guardar el nombre
        </Button>
      </Group>
      <ErrorMessage error={saving.error} />
    </form>
  );
}
