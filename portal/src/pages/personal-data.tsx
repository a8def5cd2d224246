import { Button, Group, List, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import type { Answer, RequestedConfirmation } from "../lib/answers.ts";
import { get, post, query } from "../lib/api.ts";
import { client, useMay } from "../lib/queries.ts";
import { customerName, identityOf } from "../lib/record-words.ts";
import { fileAddress } from "../lib/shown-business.ts";
import { CodeDialog } from "../ui/code-dialog.tsx";
import { downloadGuarded } from "../ui/guarded-download.ts";
import { Icon } from "../ui/icons.tsx";
import { useNotify } from "../ui/notices.tsx";
import { Empty, ErrorMessage, Heading, Loading, Section, StateBadge, Time } from "../ui/parts.tsx";
import { RecordTable } from "../ui/record-table.tsx";

type Held = Answer<"GET /personal-data">;

/** Whoever comes from a customer's page is looked for at once. What is typed is nobody's draft: it names somebody. */
const asked = () => new URLSearchParams(window.location.search).get("persona") ?? "";

export default function PersonalData() {
  const [typed, setTyped] = useState(asked);
  const [wanted, setWanted] = useState(asked);
  function find(event: FormEvent) {
    event.preventDefault();
    setWanted(typed.trim());
  }
  return (
    <>
      <Heading
        title="Datos personales"
        lead="Quien le compra puede pedirle una copia de sus datos, o que los borre (Ley 1581 de 2012). Responda en diez días hábiles; para borrarlos, quince."
      />
      <Section title="Buscar a una persona">
        <form onSubmit={find}>
          <Group align="flex-end" gap="sm">
            <TextInput
              label="Documento o correo"
              value={typed}
              minLength={5}
              maxLength={200}
              required
              autoComplete="off"
              style={{ flex: "1 1 16rem" }}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
            <Button type="submit" variant="default">
              Buscar
            </Button>
          </Group>
        </form>
        {wanted !== "" && <Found key={wanted} wanted={wanted} />}
      </Section>
      <Erasures />
    </>
  );
}

function Found({ wanted }: { wanted: string }) {
  const may = useMay();
  const held = useQuery({
    queryKey: ["personal-data", wanted],
    queryFn: ({ signal }) => get<Held>(`/personal-data${query({ person: wanted })}`, signal),
    gcTime: 0,
  });
  if (held.isPending) return <Loading />;
  if (!held.data) return <ErrorMessage error={held.error} retry={held.refetch} />;
  const { customers, mailed_tickets } = held.data;
  const isMail = wanted.includes("@");
  if (customers.length === 0 && mailed_tickets === 0 && !isMail)
    return (
      <Empty icon="person" title="Ningún cliente tiene ese documento">
        Revise el número, o busque por su correo.
      </Empty>
    );
  return (
    <>
      <List mt="md" mb="md">
        {customers.map((customer) => (
          <List.Item key={customer.id}>
            <Link href={`/clientes/${customer.id}`}>{customerName(customer)}</Link>{" "}
            <Text span c="dimmed">
              {identityOf(customer) ?? "sin documento"}
            </Text>
          </List.Item>
        ))}
        {customers.length === 0 && <List.Item>Ningún cliente tiene ese correo.</List.Item>}
        <List.Item>
          {mailed_tickets === 0 ? "No hay tiquetes enviados a ese correo." : `Tiquetes por correo: ${mailed_tickets}.`}
        </List.Item>
      </List>
      <Group gap="sm">
        <Button
          component="a"
          href={fileAddress(`/personal-data/export.zip${query({ person: wanted })}`)}
          download
          onClick={(event) => void downloadGuarded(event)}
          variant="default"
          leftSection={<Icon name="download" size={18} />}
        >
          Descargar sus datos
        </Button>
        {may({ all: ["customers:write", "exports"] }) && <Erase wanted={wanted} />}
      </Group>
      <Text size="sm" c="dimmed" mt="sm">
        Al borrarlos queda «Cliente borrado» en sus ventas, y las cajas lo olvidan. Los documentos fiscales se
        conservan: la ley pide diez años (art. 28 de la Ley 962 de 2005).
      </Text>
    </>
  );
}

function Erase({ wanted }: { wanted: string }) {
  const notify = useNotify();
  const requesting = useMutation({
    mutationFn: () => post<RequestedConfirmation>("/personal-data/erasures", { person: wanted }),
  });
  return (
    <>
      <Button color="red.9" loading={requesting.isPending} onClick={() => requesting.mutate()}>
        Borrar sus datos
      </Button>
      <ErrorMessage error={requesting.error} />
      {requesting.data && (
        <CodeDialog
          confirmation={requesting.data}
          action="borrar los datos de esta persona, sin poder recuperarlos"
          onDone={() => {
            notify("Se están borrando sus datos. Abajo se ve cuándo termina.");
            requesting.reset();
            void client.invalidateQueries({ queryKey: ["erasures"] });
            void client.invalidateQueries({ queryKey: ["personal-data"] });
          }}
          onClose={() => requesting.reset()}
        />
      )}
    </>
  );
}

function Erasures() {
  const erasures = useQuery({
    queryKey: ["erasures"],
    queryFn: ({ signal }) => get<Answer<"GET /personal-data/erasures">>("/personal-data/erasures", signal),
    refetchInterval: ({ state }) => (state.data?.data.some(({ finished_at }) => !finished_at) ? 3_000 : false),
  });
  if (!erasures.data || erasures.data.data.length === 0) return null;
  return (
    <Section title="Borrados" lead="De quién eran ya no se sabe: queda que se pidió, cuándo y cuánto se cambió.">
      <RecordTable
        label="Borrados"
        rows={erasures.data.data}
        rowKey={({ id }) => id}
        columns={[
          { title: "Pedido", cell: ({ created_at }) => <Time at={created_at} /> },
          {
            title: "Estado",
            cell: ({ finished_at }) =>
              finished_at ? (
                <StateBadge title="Borrado" color="green" />
              ) : (
                <StateBadge title="En curso" color="yellow" />
              ),
          },
          {
            title: "Registros cambiados",
            cell: ({ changed }) => Object.values(changed).reduce((sum, count) => sum + count, 0),
          },
        ]}
      />
    </Section>
  );
}
