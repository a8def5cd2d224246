import { SimpleGrid } from "@mantine/core";
import { useLocation } from "wouter";
import type { RequestedConfirmation, Result } from "../lib/answers.ts";
import { post } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { client } from "../lib/queries.ts";
import { ScopeChoice } from "../ui/choices.tsx";
import { CodeDialog } from "../ui/code-dialog.tsx";
import { type Field, Fields, FormFrame } from "../ui/form.tsx";
import { Heading, Section } from "../ui/parts.tsx";
import { useShowOnce } from "../ui/shown-once.tsx";
import { AddressesField, addressesIn } from "./key-restrict.tsx";

const lifetimes = [
  { value: "30", label: "En 30 días" },
  { value: "90", label: "En 90 días" },
  { value: "365", label: "En un año" },
  { value: "never", label: "Nunca" },
];

const empty = { name: "", scopes: [] as string[], expires_at: "365", allowed_addresses: "" };

const fields: Field<"POST /api-keys", typeof empty>[] = [
  {
    name: "name",
    label: "Nombre",
    description: "Por ejemplo, el sistema que la usará.",
    placeholder: "Contabilidad",
    required: true,
  },
  {
    as: "choice",
    name: "expires_at",
    label: "Vence",
    description: "Le avisamos por correo una semana antes.",
    data: lifetimes,
  },
];

export default function NewKey() {
  const [, navigate] = useLocation();
  const showOnce = useShowOnce();
  const form = useForm("POST /api-keys", {
    draft: "key-new",
    start: empty,
    fieldless: ["scopes", "allowed_addresses"],
    send: requestKey,
  });
  const { name, scopes, allowed_addresses } = form.values;
  function showKey({ api_key, key }: Result<"api_key.create">) {
    form.draft.forget();
    form.again();
    void client.invalidateQueries({ queryKey: ["keys"] });
    showOnce({
      title: "Clave creada",
      label: `Clave «${api_key.name}»`,
      value: key,
      warning:
        "Cópiela ahora: no se vuelve a mostrar. Guárdela donde su servidor la lea, nunca en un navegador ni en el código.",
      onClose: () => navigate(`/claves/${api_key.id}`, { replace: true }),
    });
  }
  return (
    <>
      <Heading
        title="Crear una clave"
        lead="Dele solo los permisos que su sistema necesita. Escribir no incluye leer."
        back={{ to: "/claves", label: "Claves API" }}
      />
      <FormFrame
        form={form}
        action="Continuar"
        isReady={scopes.length > 0 && name.trim() !== ""}
        onCancel={() => navigate("/claves")}
        mt={0}
      >
        <Section title="1. ¿Para qué es?">
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Fields form={form} fields={fields} />
          </SimpleGrid>
          <AddressesField value={allowed_addresses} onChange={(text) => form.change({ allowed_addresses: text })} />
        </Section>
        <Section title="2. ¿Qué podrá hacer?">
          <ScopeChoice value={scopes} onChange={(chosen) => form.change({ scopes: chosen })} />
        </Section>
      </FormFrame>
      {form.answer && (
        <CodeDialog<Result<"api_key.create">>
          confirmation={form.answer}
          action={`crear la clave «${name}»`}
          onDone={showKey}
          onClose={form.again}
        />
      )}
    </>
  );
}

function requestKey({ name, scopes, expires_at: days, allowed_addresses }: typeof empty) {
  return post<RequestedConfirmation>("/api-keys", {
    name,
    scopes,
    expires_at: days === "never" ? null : endOfDayIn(Number(days)),
    ...(allowed_addresses.trim() !== "" && { allowed_addresses: addressesIn(allowed_addresses) }),
  });
}

/** Midnight in Colombia, so that the same choice is the same request, and a repeated one gets the same code. */
function endOfDayIn(days: number): string {
  const dayMs = 86_400_000;
  const behindUtcMs = 5 * 3_600_000;
  const today = Math.floor((Date.now() - behindUtcMs) / dayMs);
  return new Date((today + days + 1) * dayMs + behindUtcMs).toISOString();
}
