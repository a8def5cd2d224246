import { SimpleGrid, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Look } from "../lib/answers.ts";
import { get, put } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { client } from "../lib/queries.ts";
import { Changeable } from "../ui/changeable.tsx";
import { Fields, FormFrame } from "../ui/form.tsx";
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
      {look.data && (
        <Changeable to="settings:write">
          <LookForm look={look.data} />
        </Changeable>
      )}
      <DayClose />
      <Changeable to="accounting">
        <AccountingCodesSection />
      </Changeable>
    </>
  );
}

const words = {
  name: "Nombre o razón social",
  address: "Dirección",
  city: "Ciudad",
  phone: "Teléfono",
  email: "Correo para sus clientes",
  footer: "Frase al final",
};
type TextName = keyof typeof words;
const names = Object.keys(words) as TextName[];

function LookForm({ look }: { look: Look }) {
  const notify = useNotify();
  const form = useForm("PUT /look", {
    draft: "look",
    start: {
      ...(Object.fromEntries(names.map((name) => [name, look[name] ?? ""])) as Record<TextName, string>),
      color: look.color,
      mails_documents: look.mails_documents,
    },
    send: (values) =>
      put<Look>("/look", {
        ...values,
        ...Object.fromEntries(names.map((name) => [name, values[name].trim() || null])),
      }),
    onSent(saved) {
      client.setQueryData(["look"], saved);
      notify("Aspecto guardado.");
    },
  });
  return (
    <Section title="Aspecto de los documentos" lead="Sale en cada PDF y en los correos a sus clientes.">
      <FormFrame form={form} action="Guardar el aspecto" justify="flex-start" mt="sm">
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <Fields
              form={form}
              fields={names.map((name) => ({
                name,
                label: words[name],
                type: name === "email" ? "email" : "text",
                placeholder: name === "name" ? look.printed_name : undefined,
              }))}
            />
            <Fields form={form} fields={[{ name: "color", label: "Color", type: "color" }]} />
          </SimpleGrid>
          <Fields
            form={form}
            fields={[
              {
                as: "check",
                name: "mails_documents",
                label: "Enviar cada documento al correo del cliente cuando la DIAN lo acepte",
              },
            ]}
          />
        </Stack>
      </FormFrame>
    </Section>
  );
}
