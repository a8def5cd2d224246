import { Button, Group, Select, SimpleGrid, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useLocation } from "wouter";
import type { RequestedConfirmation, Result } from "../lib/answers.ts";
import { post } from "../lib/api.ts";
import { useDraft } from "../lib/drafts.ts";
import { client } from "../lib/queries.ts";
import { ScopeChoice } from "../ui/choices.tsx";
import { CodeDialog } from "../ui/code-dialog.tsx";
import { DraftNotice } from "../ui/draft-notice.tsx";
import { ErrorMessage, Heading, Section } from "../ui/parts.tsx";
import { useShowOnce } from "../ui/shown-once.tsx";

const lifetimes = [
  { value: "30", label: "En 30 días" },
  { value: "90", label: "En 90 días" },
  { value: "365", label: "En un año" },
  { value: "never", label: "Nunca" },
];

const empty = { name: "", scopes: [] as string[], lifetime: "365" };

export default function NewKey() {
  const [, navigate] = useLocation();
  const showOnce = useShowOnce();
  const draft = useDraft("key-new", empty);
  const { name, scopes, lifetime } = draft.value;
  const requesting = useMutation({
    mutationFn: () =>
      post<RequestedConfirmation>("/api-keys", {
        name,
        scopes,
        expires_at: lifetime === "never" ? null : endOfDayIn(Number(lifetime)),
      }),
  });
  function showKey({ api_key, key }: Result<"api_key.create">) {
    draft.forget();
    requesting.reset();
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
  function submit(event: FormEvent) {
    event.preventDefault();
    requesting.mutate();
  }
  return (
    <>
      <Heading
        title="Crear una clave"
        lead="Dele solo los permisos que su sistema necesita. Escribir no incluye leer."
        back={{ to: "/claves", label: "Claves API" }}
      />
      <DraftNotice draft={draft} />
      <form onSubmit={submit}>
        <Section title="1. ¿Para qué es?">
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label="Nombre"
              description="Por ejemplo, el sistema que la usará."
              placeholder="Contabilidad"
              required
              maxLength={100}
              value={name}
              onChange={(event) => draft.change({ name: event.currentTarget.value })}
            />
            <Select
              label="Vence"
              description="Le avisamos por correo una semana antes."
              allowDeselect={false}
              value={lifetime}
              onChange={(value) => draft.change({ lifetime: value ?? "365" })}
              data={lifetimes}
            />
          </SimpleGrid>
        </Section>
        <Section title="2. ¿Qué podrá hacer?">
          <ScopeChoice value={scopes} onChange={(chosen) => draft.change({ scopes: chosen })} />
        </Section>
        <ErrorMessage error={requesting.error} />
        <Group justify="flex-end">
          <Button
            variant="default"
            onClick={() => {
              draft.forget();
              navigate("/claves");
            }}
          >
            Cancelar
          </Button>
          <Button type="submit" disabled={scopes.length === 0 || name.trim() === ""} loading={requesting.isPending}>
            Continuar
          </Button>
        </Group>
      </form>
      {requesting.data && (
        <CodeDialog<Result<"api_key.create">>
          confirmation={requesting.data}
          action={`crear la clave «${name}»`}
          onDone={showKey}
          onClose={() => requesting.reset()}
        />
      )}
    </>
  );
}

/** Midnight in Colombia, so that the same choice is the same request, and a repeated one gets the same code. */
function endOfDayIn(days: number): string {
  const dayMs = 86_400_000;
  const behindUtcMs = 5 * 3_600_000;
  const today = Math.floor((Date.now() - behindUtcMs) / dayMs);
  return new Date((today + days + 1) * dayMs + behindUtcMs).toISOString();
}
