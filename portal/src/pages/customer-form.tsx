import { Alert, Select, SimpleGrid } from "@mantine/core";
import { useState } from "react";
import { isSameDocument } from "../../../src/taxes/document-number.ts";
import type { Answer, Customer } from "../lib/answers.ts";
import { ApiError, patch, post } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { client } from "../lib/queries.ts";
import { channelOptions, identityOptions, personOptions } from "../lib/record-words.ts";
import { type Field, Fields, FormFrame } from "../ui/form.tsx";
import { Icon } from "../ui/icons.tsx";
import { customerWithDocument, KnownCustomer, useKnownCustomer } from "./known-customer.tsx";
import { NitHint } from "./nit-hint.tsx";

const empty = {
  name: "",
  last_name: "",
  person_type: "person",
  document_type: "CC",
  document_number: "",
  email: "",
  phone: "",
  contact_channel: "none",
  marketing: "",
};

type Name = keyof typeof empty;
type Form = Record<Name, string>;
const fields = (Object.keys(empty) as Name[]).filter((name) => name !== "marketing");

function formOf(customer: Customer): Form {
  const { accepts_marketing: accepts } = customer;
  return {
    ...(Object.fromEntries(fields.map((name) => [name, customer[name] ?? empty[name]])) as Form),
    marketing: accepts === undefined ? "" : accepts ? "yes" : "no",
  };
}

/** The fields as the service takes them: an empty one has no value. */
function valuesOf(form: Form): Record<string, string | boolean | null> {
  const { marketing } = form;
  return {
    ...Object.fromEntries(fields.map((name) => [name, form[name].trim() || null])),
    accepts_marketing: marketing === "" ? null : marketing === "yes",
  };
}

/** Where whoever uses this form was told. */
const source = { accepts_marketing_source: "Portal" };

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
  const form = useForm("POST /customers", {
    draft: `customer ${detail?.customer.id ?? "nuevo"}`,
    start: detail ? formOf(detail.customer) : empty,
    send: (values) => (detail ? save(detail, values) : create(values, key)),
    onSent(customer) {
      void client.invalidateQueries({ queryKey: ["list", "/records/customers"] });
      onDone(customer);
    },
  });
  const { document_number } = form.values;
  const told = useKnownCustomer(document_number, !detail);
  const refused = form.error instanceof AlreadyKnown ? form.error.customer : null;
  const known = told ?? (refused && isSameDocument(document_number, refused.document_number ?? "") ? refused : null);
  const isConflict = form.error instanceof ApiError && form.error.code === "CONFLICT";
  function cancel() {
    if (isConflict) void client.invalidateQueries({ queryKey: ["customer"] });
    onCancel();
  }
  function use(customer: Customer) {
    form.draft.forget();
    onDone(customer);
  }
  return (
    <FormFrame
      form={form}
      noValidate
      error={isConflict || refused ? null : form.problem}
      onCancel={cancel}
      cancel={isConflict ? "Ver los datos nuevos" : "Cancelar"}
      action={detail ? "Guardar" : "Crear cliente"}
      isReady={!isConflict && known === null}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Fields form={form} fields={identity(form.values)} />
        <div>
          <Fields form={form} fields={[{ name: "document_number", label: "Número de documento (opcional)" }]} />
          {form.values.document_type === "NIT" && (
            <NitHint number={document_number} onAccept={(accepted) => form.change({ document_number: accepted })} />
          )}
          {known && <KnownCustomer customer={known} onUse={use} />}
        </div>
        <Fields form={form} fields={contact} />
        <Select
          label="Publicidad"
          description="Solo puede escribirle si la autorizó."
          data={marketingOptions}
          value={form.values.marketing}
          allowDeselect={false}
          onChange={(marketing) => form.change({ marketing: marketing ?? "" })}
        />
      </SimpleGrid>
      {isConflict && <Conflict />}
    </FormFrame>
  );
}

const marketingOptions = [
  { value: "", label: "No se le ha preguntado" },
  { value: "yes", label: "La autorizó" },
  { value: "no", label: "No la autorizó" },
];

const identity = ({ person_type }: Form): Field<"POST /customers", Form>[] => [
  { as: "choice", name: "person_type", label: "Persona", data: personOptions },
  { as: "choice", name: "document_type", label: "Tipo de documento", data: identityOptions },
  { name: "name", label: person_type === "company" ? "Razón social" : "Nombre", "data-autofocus": true },
  { name: "last_name", label: "Apellido (opcional)" },
];

const contact: Field<"POST /customers", Form>[] = [
  { name: "phone", label: "Teléfono (opcional)", type: "tel", autoComplete: "off" },
  { name: "email", label: "Correo (opcional)", type: "email", autoComplete: "off" },
  { as: "choice", name: "contact_channel", label: "Cómo llegó", data: channelOptions },
];

function Conflict() {
  return (
    <Alert
      color="yellow"
      variant="light"
      mt="md"
      icon={<Icon name="alert" />}
      title="Este cliente cambió mientras usted lo editaba"
    >
      Una caja u otra persona guardó cambios. Cierre, revise los datos nuevos y vuelva a editar lo que falte.
    </Alert>
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
  return post<Customer>(
    "/customers",
    { ...valuesOf(form), ...(form.marketing !== "" && source) },
    { "idempotency-key": key },
  );
}

/** Sends only what was changed, so that nothing else is overwritten. */
function save({ customer, version }: Answer<"GET /customers/:id">, form: Form): Promise<Customer> {
  const before = valuesOf(formOf(customer));
  const after = valuesOf(form);
  const changes = Object.fromEntries(Object.entries(after).filter(([name, value]) => before[name] !== value));
  if (Object.keys(changes).length === 0) return Promise.resolve(customer);
  if ("accepts_marketing" in changes && form.marketing !== "") Object.assign(changes, source);
  return patch<Customer>(`/customers/${customer.id}`, changes, { "if-match": version });
}
