import { Alert, SimpleGrid } from "@mantine/core";
import { useState } from "react";
import { ApiError, patch, post } from "../lib/api.ts";
import { refreshSuppliers, type Supplier, type SupplierDetail } from "../lib/buying-queries.ts";
import { useForm } from "../lib/form.ts";
import { identityOptions } from "../lib/record-words.ts";
import { type Field, Fields, FormFrame } from "../ui/form.tsx";
import { Icon } from "../ui/icons.tsx";
import { NitHint } from "./nit-hint.tsx";

const empty = {
  name: "",
  document_type: "NIT",
  document_number: "",
  contact_name: "",
  email: "",
  phone: "",
  term_days: 0 as number | string,
  notes: "",
  active: true,
};
type Form = typeof empty;

const formOf = (supplier: Supplier): Form => ({
  name: supplier.name,
  document_type: supplier.document_type,
  document_number: supplier.document_number ?? "",
  contact_name: supplier.contact_name ?? "",
  email: supplier.email ?? "",
  phone: supplier.phone ?? "",
  term_days: supplier.term_days,
  notes: supplier.notes ?? "",
  active: supplier.active,
});

/** The fields as the service takes them: an empty one has no value. */
const valuesOf = (form: Form): Record<string, unknown> => ({
  name: form.name.trim(),
  document_type: form.document_type,
  document_number: form.document_number.trim() || null,
  contact_name: form.contact_name.trim() || null,
  email: form.email.trim() || null,
  phone: form.phone.trim() || null,
  term_days: form.term_days === "" ? 0 : form.term_days,
  notes: form.notes.trim() || null,
  active: form.active,
});

const fields: Field<"POST /suppliers", Form>[] = [
  { name: "contact_name", label: "Con quién se habla (opcional)" },
  { name: "phone", label: "Teléfono (opcional)", type: "tel", autoComplete: "off" },
  { name: "email", label: "Correo (opcional)", description: "A donde se envían los pedidos.", type: "email" },
  { as: "number", name: "term_days", label: "Plazo para pagar, en días", description: "0 es de contado." },
  { as: "long", name: "notes", label: "Notas (opcional)" },
];

/** Makes a supplier, or edits the one given. */
export function SupplierForm({
  detail,
  onDone,
  onCancel,
}: {
  detail?: SupplierDetail;
  onDone: (supplier: Supplier) => void;
  onCancel: () => void;
}) {
  // One key for all tries of this form: a second click, or a retry after a lost answer, makes no second supplier.
  const [key] = useState(() => crypto.randomUUID());
  const form = useForm("POST /suppliers", {
    draft: `supplier ${detail?.supplier.id ?? "nuevo"}`,
    start: detail ? formOf(detail.supplier) : empty,
    send: (values: Form) => (detail ? save(detail, values) : create(values, key)),
    async onSent(supplier) {
      await refreshSuppliers();
      onDone(supplier);
    },
  });
  const { document_type, document_number } = form.values;
  const isStale = detail !== undefined && form.error instanceof ApiError && form.error.param === undefined;
  return (
    <FormFrame
      form={form}
      noValidate
      onCancel={onCancel}
      action={detail ? "Guardar" : "Crear proveedor"}
      error={form.problem}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Fields form={form} fields={[{ name: "name", label: "Nombre o razón social", "data-autofocus": true }]} />
        <Fields
          form={form}
          fields={[{ as: "choice", name: "document_type", label: "Tipo de documento", data: identityOptions }]}
        />
        <div>
          <Fields form={form} fields={[{ name: "document_number", label: "Número de documento (opcional)" }]} />
          {document_type === "NIT" && (
            <NitHint number={document_number} onAccept={(accepted) => form.change({ document_number: accepted })} />
          )}
        </div>
        <Fields form={form} fields={fields} />
        {detail && (
          <Fields
            form={form}
            fields={[{ as: "check", name: "active", label: "Se le compra", description: "Si no, no se ofrece." }]}
          />
        )}
      </SimpleGrid>
      {isStale && (
        <Alert color="yellow" variant="light" mt="md" icon={<Icon name="alert" />}>
          Otra persona guardó cambios. Cierre, revise los datos nuevos y vuelva a editar lo que falte.
        </Alert>
      )}
    </FormFrame>
  );
}

const create = (form: Form, key: string): Promise<Supplier> =>
  post<Supplier>("/suppliers", valuesOf(form), { "idempotency-key": key });

/** Sends only what was changed, so that nothing else is overwritten. */
function save({ supplier, version }: SupplierDetail, form: Form): Promise<Supplier> {
  const before = valuesOf(formOf(supplier));
  const changes = Object.fromEntries(Object.entries(valuesOf(form)).filter(([name, value]) => before[name] !== value));
  if (Object.keys(changes).length === 0) return Promise.resolve(supplier);
  return patch<Supplier>(`/suppliers/${supplier.id}`, changes, { "if-match": version });
}
