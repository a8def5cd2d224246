import { Button, Group, Select, SimpleGrid, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import type { RequestedConfirmation, Result } from "../lib/answers.ts";
import { post } from "../lib/api.ts";
import { client } from "../lib/queries.ts";
import { ScopeChoice } from "../ui/choices.tsx";
import { CodeDialog } from "../ui/code-dialog.tsx";
import { ErrorMessage, Heading, Section } from "../ui/parts.tsx";
import { ShownOnce } from "../ui/shown-once.tsx";

const lifetimes = [
  { value: "30", label: "En 30 días" },
  { value: "90", label: "En 90 días" },
  { value: "365", label: "En un año" },
  { value: "never", label: "Nunca" },
];

export default function NewKey() {
  const [, navigate] = useLocation();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<string[]>([]);
  const [lifetime, setLifetime] = useState("365");
  const [created, setCreated] = useState<Result<"api_key.create">>();
  const requesting = useMutation({
    mutationFn: () =>
      post<RequestedConfirmation>("/api-keys", {
        name,
        scopes,
        expires_at: lifetime === "never" ? null : new Date(Date.now() + Number(lifetime) * 86_400_000).toISOString(),
      }),
  });
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
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Select
              label="Vence"
              description="Le avisamos por correo una semana antes."
              allowDeselect={false}
              value={lifetime}
              onChange={(value) => setLifetime(value ?? "365")}
              data={lifetimes}
            />
          </SimpleGrid>
        </Section>
        <Section title="2. ¿Qué podrá hacer?">
          <ScopeChoice value={scopes} onChange={setScopes} />
        </Section>
        <ErrorMessage error={requesting.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => navigate("/claves")}>
            Cancelar
          </Button>
          <Button type="submit" disabled={scopes.length === 0 || name.trim() === ""} loading={requesting.isPending}>
            Continuar
          </Button>
        </Group>
      </form>
      {requesting.data && !created && (
        <CodeDialog<Result<"api_key.create">>
          confirmation={requesting.data}
          action={`crear la clave «${name}»`}
          onDone={(result) => {
            setCreated(result);
            void client.invalidateQueries({ queryKey: ["keys"] });
          }}
          onClose={() => requesting.reset()}
        />
      )}
      {created && (
        <ShownOnce
          title="Clave creada"
          label={`Clave «${created.api_key.name}»`}
          value={created.key}
          warning="Cópiela ahora: no se vuelve a mostrar. Guárdela donde su servidor la lea, nunca en un navegador ni en el código."
          onClose={() => navigate(`/claves/${created.api_key.id}`)}
        />
      )}
    </>
  );
}
