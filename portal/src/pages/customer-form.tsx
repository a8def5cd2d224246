import { Alert, Button, Group, Select, SimpleGrid, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { isSameDocument } from "../../../src/taxes/document-number.ts";
import type { Answer, Customer } from "../lib/answers.ts";
import { ApiError, patch, post } from "../lib/api.ts";
import { useDraft } from "../lib/drafts.ts";
import { client } from "../lib/queries.ts";
import { channelOptions, identityOptions, personOptions } from "../lib/record-words.ts";
import { DraftNotice } from "../ui/draft-notice.tsx";
import { fieldMessages } from "../ui/field-messages.ts";
import { Icon } from "../ui/icons.tsx";
import { ErrorMessage } from "../ui/parts.tsx";
import { customerWithDocument, KnownCustomer, useKnownCustomer } from "./known-customer.tsx";
import { NitHint } from "./nit-hint.tsx";

const fields = [
  "name",
  "last_name",
  "person_type",
  "document_type",
  "document_number",
  "email",
  "phone",
  "contact_channel",
] as const;
type Field = (typeof fields)[number];
type Form = Record<Field, string>;

const empty: Form = {
  name: "",
  last_name: "",
  person_type: "person",
  document_type: "CC",
  document_number: "",
  email: "",
  phone: "",
  contact_channel: "none",
};

function formOf(customer: Customer): Form {
  return Object.fromEntries(fields.map((name) => [name, customer[name] ?? empty[name]])) as Form;
}

/** The fields as the service takes them: an empty one has no value. */
function valuesOf(form: Form): Record<Field, string | null> {
  return Object.fromEntries(fields.map((name) => [name, form[name].trim() || null])) as Record<Field, string | null>;
}

/** Makes a customer, or edits the one given. */
export function CustomerForm({
  detail,
  onDone,
  onCancel,
}: {
  detail?: Answer<"GET /customers/:id">;
  onDone: (customer: Customer) => void;
  onCancel: () => void;
}) {
  // One key for all tries of this form: a second click, or a retry after a lost answer, makes no second customer.
  const [key] = useState(() => crypto.randomUUID());
  const start = detail ? formOf(detail.customer) : empty;
  const draft = useDraft(`customer ${detail?.customer.id ?? "nuevo"}`, start);
  const { value: form, change } = draft;
  const told = useKnownCustomer(form.document_number, !detail);
  const saving = useMutation({
    mutationFn: () => (detail ? save(detail, form) : create(form, key)),
    onSuccess(customer) {
      draft.forget();
      void client.invalidateQueries({ queryKey: ["list", "/records/customers"] });
      onDone(customer);
    },
  });
  const refused = saving.error instanceof AlreadyKnown ? saving.error.customer : null;
  const known =
    told ?? (refused && isSameDocument(form.document_number, refused.document_number ?? "") ? refused : null);
  const messages = fieldMessages(saving.error, fields);
  const isConflict = saving.error instanceof ApiError && saving.error.code === "CONFLICT";
  const text = (name: Field, label: string, maxLength: number, more: object = {}) => (
    <TextInput
      label={label}
      maxLength={maxLength}
      value={form[name]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
      error={messages[name]}
      {...more}
    />
  );
  const choice = (name: Field, label: string, data: { value: string; label: string }[]) => (
    <Select
      label={label}
      data={data}
      allowDeselect={false}
      value={form[name]}
      onChange={(value) => change({ [name]: value ?? empty[name] })}
      error={messages[name]}
    />
  );
  function submit(event: FormEvent) {
    event.preventDefault();
    saving.mutate();
  }
  return (
    <form onSubmit={submit} noValidate>
      <DraftNotice draft={draft} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {choice("person_type", "Persona", personOptions)}
        {choice("document_type", "Tipo de documento", identityOptions)}
        {text("name", form.person_type === "company" ? "Razón social" : "Nombre", 120, { "data-autofocus": true })}
        {text("last_name", "Apellido (opcional)", 120)}
        <div>
          {text("document_number", "Número de documento (opcional)", 30, { inputMode: "text" })}
          {form.document_type === "NIT" && (
            <NitHint number={form.document_number} onAccept={(document_number) => change({ document_number })} />
          )}
          {known && (
            <KnownCustomer
              customer={known}
              onUse={(customer) => {
                draft.forget();
                onDone(customer);
              }}
            />
          )}
        </div>
        {text("phone", "Teléfono (opcional)", 30, { type: "tel", autoComplete: "off" })}
        {text("email", "Correo (opcional)", 200, { type: "email", autoComplete: "off" })}
        {choice("contact_channel", "Cómo llegó", channelOptions)}
      </SimpleGrid>
      {isConflict ? (
        <Alert
          color="yellow"
          variant="light"
          mt="md"
          icon={<Icon name="alert" />}
          title="Este cliente cambió mientras usted lo editaba"
        >
          Una caja u otra persona guardó cambios. Cierre, revise los datos nuevos y vuelva a editar lo que falte.
        </Alert>
      ) : (
        !messages.areAllShown && !refused && <ErrorMessage error={saving.error} />
      )}
      <Group justify="flex-end" mt="lg">
        <Button
          variant="default"
          onClick={() => {
            draft.forget();
            if (isConflict) void client.invalidateQueries({ queryKey: ["customer"] });
            onCancel();
          }}
        >
          {isConflict ? "Ver los datos nuevos" : "Cancelar"}
        </Button>
        <Button type="submit" loading={saving.isPending} disabled={isConflict || known !== null}>
          {detail ? "Guardar" : "Crear cliente"}
        </Button>
      </Group>
    </form>
  );
}

class AlreadyKnown extends Error {
  readonly customer: Customer;
  constructor(customer: Customer) {
    super("Ese documento ya es de otro cliente.");
    this.customer = customer;
  }
}

/** Whoever saves before the offer was on screen gets it now. */
async function create(form: Form, key: string): Promise<Customer> {
  const known = await customerWithDocument(form.document_number);
  if (known) throw new AlreadyKnown(known);
  return post<Customer>("/customers", valuesOf(form), { "idempotency-key": key });
}

/** Sends only what was changed, so that nothing else is overwritten. */
function save({ customer, version }: Answer<"GET /customers/:id">, form: Form): Promise<Customer> {
  const before = valuesOf(formOf(customer));
  const after = valuesOf(form);
  const changes = Object.fromEntries(
    fields.filter((name) => before[name] !== after[name]).map((name) => [name, after[name]]),
  );
  if (Object.keys(changes).length === 0) return Promise.resolve(customer);
  return patch<Customer>(`/customers/${customer.id}`, changes, { "if-match": version });
}
