import { Button, Group, Select, SimpleGrid, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import type { RequestedConfirmation, Result } from "../lib/answers.ts";
import { post } from "../lib/api.ts";
import { client } from "../lib/queries.ts";
import { ScopeChoice } from "../ui/choices.tsx";
import { ConfirmCode } from "../ui/confirm-code.tsx";
import { Heading, Section, Trouble } from "../ui/parts.tsx";
import { ShownOnce } from "../ui/secret.tsx";

const lives = [
  { value: "30", label: "En 30 días" },
  { value: "90", label: "En 90 días" },
  { value: "365", label: "En un año" },
  { value: "never", label: "Nunca" },
];

export default function NewKey() {
  const [, navigate] = useLocation();
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<string[]>([]);
  const [life, setLife] = useState("365");
  const [made, setMade] = useState<Result<"api_key.create">>();
  const asking = useMutation({
    mutationFn: () =>
      post<RequestedConfirmation>("/api-keys", {
        name,
        scopes,
        expires_at: life === "never" ? null : new Date(Date.now() + Number(life) * 86_400_000).toISOString(),
      }),
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    asking.mutate();
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
              value={life}
              onChange={(value) => setLife(value ?? "365")}
              data={lives}
            />
          </SimpleGrid>
        </Section>
        <Section title="2. ¿Qué podrá hacer?">
          <ScopeChoice value={scopes} onChange={setScopes} />
        </Section>
        <Trouble error={asking.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => navigate("/claves")}>
            Cancelar
          </Button>
          <Button type="submit" disabled={scopes.length === 0 || name.trim() === ""} loading={asking.isPending}>
            Continuar
          </Button>
        </Group>
      </form>
      {asking.data && !made && (
        <ConfirmCode<Result<"api_key.create">>
          confirmation={asking.data}
          action={`crear la clave «${name}»`}
          onDone={(outcome) => {
            setMade(outcome);
            void client.invalidateQueries({ queryKey: ["keys"] });
          }}
          onClose={() => asking.reset()}
        />
      )}
      {made && (
        <ShownOnce
          title="Clave creada"
          label={`Clave «${made.api_key.name}»`}
          value={made.key}
          warning="Cópiela ahora: no se vuelve a mostrar. Guárdela donde su servidor la lea, nunca en un navegador ni en el código."
          onClose={() => navigate(`/claves/${made.api_key.id}`)}
        />
      )}
    </>
  );
}
