import { Button, Checkbox, Group, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import type { Look } from "../lib/answers.ts";
import { get, put } from "../lib/api.ts";
import { useDraft } from "../lib/drafts.ts";
import { client } from "../lib/queries.ts";
import { DraftNotice } from "../ui/draft-notice.tsx";
import { fieldMessages } from "../ui/field-messages.ts";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage, Heading, Loading, Section } from "../ui/parts.tsx";
import { AccountingCodesSection } from "./accounting-codes.tsx";
import { DayClose } from "./day-close.tsx";

export default function PapersPage() {
  const look = useQuery({ queryKey: ["look"], queryFn: ({ signal }) => get<Look>("/look", signal) });
  if (look.isPending) return <Loading />;
  return (
    <>
      <Heading title="Papeles y contabilidad" lead="Cómo se ven sus documentos, el cierre de cada día y sus cuentas." />
      <ErrorMessage error={look.error} retry={look.refetch} />
      {look.data && <LookForm look={look.data} />}
      <DayClose />
      <AccountingCodesSection />
    </>
  );
}

const fields = [
  { name: "name", label: "Nombre o razón social", most: 120 },
  { name: "address", label: "Dirección", most: 120 },
  { name: "city", label: "Ciudad", most: 80 },
  { name: "phone", label: "Teléfono", most: 40 },
  { name: "email", label: "Correo para sus clientes", most: 254 },
  { name: "footer", label: "Frase al final", most: 300 },
] as const;
type TextField = (typeof fields)[number]["name"];

function LookForm({ look }: { look: Look }) {
  const notify = useNotify();
  const draft = useDraft("look", {
    ...(Object.fromEntries(fields.map(({ name }) => [name, look[name] ?? ""])) as Record<TextField, string>),
    color: look.color,
    mails: look.mails_documents,
  });
  const { color, mails, ...texts } = draft.value;
  const saving = useMutation({
    mutationFn: () => {
      const filled = Object.entries(texts).map(([name, text]) => [name, text.trim() || null]);
      return put<Look>("/look", { ...Object.fromEntries(filled), color, mails_documents: mails });
    },
    onSuccess(saved) {
      draft.forget();
      client.setQueryData(["look"], saved);
      notify("Aspecto guardado.");
    },
  });
  const errors = fieldMessages(saving.error, [...fields.map(({ name }) => name), "color"]);
  function submit(event: FormEvent) {
    event.preventDefault();
    saving.mutate();
  }
  return (
    <Section title="Aspecto de los documentos" lead="Sale en cada PDF y en los correos a sus clientes.">
      <form onSubmit={submit}>
        <DraftNotice draft={draft} />
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            {fields.map(({ name, label, most }) => (
              <TextInput
                key={name}
                label={label}
                type={name === "email" ? "email" : "text"}
                placeholder={name === "name" ? look.printed_name : undefined}
                maxLength={most}
                value={texts[name]}
                error={errors[name]}
                onChange={(event) => draft.change({ [name]: event.currentTarget.value })}
              />
            ))}
            <TextInput
              label="Color"
              type="color"
              value={color}
              error={errors.color}
              onChange={(event) => draft.change({ color: event.currentTarget.value })}
            />
          </SimpleGrid>
          <Checkbox
            label="Enviar cada documento al correo del cliente cuando la DIAN lo acepte"
            checked={mails}
            onChange={(event) => draft.change({ mails: event.currentTarget.checked })}
          />
          {!errors.areAllShown && <ErrorMessage error={saving.error} />}
          <Group>
            <Button type="submit" loading={saving.isPending}>
              Guardar el aspecto
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
