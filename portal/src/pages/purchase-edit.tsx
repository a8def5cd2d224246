import { Button, Select, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { Link, useLocation } from "wouter";
import { useFilters } from "../lib/address.ts";
import { patch, post, postOnce, wasRefused } from "../lib/api.ts";
import { type Purchase, type PurchaseDetail, refreshPurchases, usePurchase } from "../lib/buying-queries.ts";
import { useForm } from "../lib/form.ts";
import { pesos } from "../lib/format.ts";
import { useWarehouses } from "../lib/stock-queries.ts";
import { DetailPending } from "../ui/detail.tsx";
import { Fields, FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";
import { NumberField } from "../ui/number-field.tsx";
import { Heading, Section } from "../ui/parts.tsx";
import { PurchaseLines } from "./purchase-lines.tsx";
import { bodyOf, emptyPurchase, isWhole, type PurchaseValues, sumsOf, valuesOf } from "./purchase-values.ts";
import { SupplierSelect } from "./supplier-select.tsx";

const back = { to: "/compras", label: "Compras" };

/** At an address without an id it is a new one. */
export default function PurchaseEdit({ id }: { id: string }) {
  const detail = usePurchase(id || undefined);
  const [{ proveedor }] = useFilters(["proveedor"]);
  if (!id) return <PurchaseForm start={emptyPurchase(proveedor ?? null)} />;
  if (!detail.data) return <DetailPending record={detail} heading="Compra" none="Esta compra no existe" back={back} />;
  return <PurchaseForm start={valuesOf(detail.data)} detail={detail.data} />;
}

const done: Record<PurchaseValues["next"], (purchase: Purchase) => string> = {
  draft: ({ number }) => `Compra ${number} guardada.`,
  ordered: ({ number }) => `Compra ${number} pedida.`,
  received: ({ number }) => `Compra ${number} recibida: sus existencias ya entraron.`,
};

function PurchaseForm({ start, detail }: { start: PurchaseValues; detail?: PurchaseDetail }) {
  const notify = useNotify();
  const [, navigate] = useLocation();
  const leave = detail ? `/compras/${detail.purchase.id}` : "/compras";
  const form = useForm("POST /purchases", {
    draft: `purchase ${detail?.purchase.id ?? "nueva"}`,
    start,
    fieldless: ["lines", "key", "next", "freight", "freight_by", "freight_own"],
    send: (values: PurchaseValues) => (detail ? change(detail, values) : create(values)),
    async onSent({ purchase, next }: { purchase: Purchase; next: PurchaseValues["next"] }) {
      await refreshPurchases();
      notify(done[next](purchase));
      navigate(`/compras/${purchase.id}`, { replace: true });
    },
    // What was refused was not stored: the corrected one is another.
    onRefused: (error, put) => wasRefused(error) && put({ key: crypto.randomUUID() }),
  });
  const { lines, supplier_id } = form.values;
  const isReady = supplier_id !== null && lines.length > 0 && lines.every(isWhole);
  const sums = sumsOf(form.values);
  return (
    <>
      <Heading
        title={detail ? `Editar la compra ${detail.purchase.number}` : "Nueva compra"}
        lead="Lo que va a pedir, o lo que ya llegó con su factura."
        back={detail ? { to: leave, label: `Compra ${detail.purchase.number}` } : back}
      />
      <FormFrame
        form={form}
        noValidate
        action={detail ? "Guardar" : "Guardar borrador"}
        isReady={isReady}
        onCancel={() => navigate(leave)}
        button={detail ? {} : { variant: "default" }}
        buttons={
          !detail && (
            <>
              <Button variant="default" disabled={!isReady} onClick={() => form.submit(undefined, { next: "ordered" })}>
                Pedir
              </Button>
              <Button disabled={!isReady} onClick={() => form.submit(undefined, { next: "received" })}>
                Recibir todo
              </Button>
            </>
          )
        }
      >
        <Section title="Proveedor y factura">
          <Head form={form} />
        </Section>
        <Section title="Productos" lead="Búsquelos por nombre o pase el lector: cada lectura suma uno.">
          <PurchaseLines
            lines={lines}
            totals={sums.lines}
            error={form.messages.lines}
            onChange={(changed) => form.change({ lines: changed })}
          />
        </Section>
        <Section title="Flete y total">
          <Freight values={form.values} change={form.change} />
          <Text mt="md" aria-live="polite">
            Subtotal {pesos(sums.subtotal)} · Impuestos {pesos(sums.tax)} · <strong>Total {pesos(sums.total)}</strong>
          </Text>
        </Section>
      </FormFrame>
    </>
  );
}

type PurchaseFormState = Parameters<typeof Fields<"POST /purchases", PurchaseValues>>[0]["form"];

function Head({ form }: { form: PurchaseFormState }) {
  const warehouses = useWarehouses().data ?? [];
  const day = (name: "invoice_date" | "due_date", label: string, description: string) => (
    <TextInput
      type="date"
      label={label}
      description={description}
      value={form.values[name]}
      error={form.messages[name]}
      onChange={(event) => form.change({ [name]: event.currentTarget.value })}
    />
  );
  const here = form.values.warehouse_id ?? warehouses.find(({ is_default }) => is_default)?.id ?? null;
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <div>
          <SupplierSelect
            value={form.values.supplier_id}
            onChange={(supplier_id) => form.change({ supplier_id })}
            error={form.messages.supplier_id}
          />
          <Text size="sm" mt={4}>
            ¿No está? <Link href="/proveedores/nuevo">Créelo</Link>; lo escrito aquí se guarda.
          </Text>
        </div>
        {warehouses.length > 1 && (
          <Fields
            form={{ ...form, values: { ...form.values, warehouse_id: here } }}
            fields={[
              {
                as: "choice",
                name: "warehouse_id",
                label: "Llega a",
                data: warehouses.map(({ id, name }) => ({ value: id, label: name })),
              },
            ]}
          />
        )}
        <Fields
          form={form}
          fields={[
            {
              name: "invoice_number",
              label: "Factura del proveedor (opcional)",
              description: "Su número, cuando llegue.",
            },
          ]}
        />
        {day("invoice_date", "Fecha de la factura (opcional)", "Desde ella corre el plazo.")}
        {day("due_date", "Vence (opcional)", "Vacía: la fecha de la factura más el plazo.")}
      </SimpleGrid>
      <Fields form={form} fields={[{ as: "long", name: "notes", label: "Notas (opcional)" }]} />
    </Stack>
  );
}

const spreadOptions = [
  { value: "value", label: "Por el valor de cada línea" },
  { value: "quantity", label: "Por las unidades de cada línea" },
];
const payerOptions = [
  { value: "yes", label: "Viene en la factura del proveedor" },
  { value: "no", label: "Lo cobra otro" },
];

function Freight({ values, change }: { values: PurchaseValues; change: (part: Partial<PurchaseValues>) => void }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <NumberField
        label="Flete y otros cargos (opcional)"
        max={999_999_999_999}
        value={values.freight}
        onChange={(freight) => change({ freight })}
      />
      <Select
        label="Se reparte"
        allowDeselect={false}
        data={spreadOptions}
        value={values.freight_by}
        onChange={(freight_by) => change({ freight_by: freight_by ?? "value" })}
      />
      <Select
        label="Quién lo cobra"
        allowDeselect={false}
        data={payerOptions}
        value={values.freight_own ? "yes" : "no"}
        onChange={(payer) => change({ freight_own: payer !== "no" })}
      />
    </SimpleGrid>
  );
}

interface Sent {
  purchase: Purchase;
  next: PurchaseValues["next"];
}

/** Stored once, and received once, however often it is tried: each of the two has a key of its own. */
async function create(values: PurchaseValues): Promise<Sent> {
  const { next, key } = values;
  const body = { ...bodyOf(values), status: next === "draft" ? "draft" : "ordered" };
  const made = await postOnce<Purchase>("/purchases", body, key);
  if (next !== "received") return { purchase: made, next };
  const received = await post<Purchase>(`/purchases/${made.id}/receipts`, {}, { "idempotency-key": `${key}-r` });
  return { purchase: received, next };
}

/** Charges of before that the form has no room for stay as they are. */
async function change({ purchase, version }: PurchaseDetail, values: PurchaseValues): Promise<Sent> {
  const { charges, ...body } = bodyOf(values);
  const sent = purchase.charges.length > 1 ? body : { ...body, charges };
  const path = `/purchases/${purchase.id}`;
  return { purchase: await patch<Purchase>(path, sent, { "if-match": version }), next: "draft" };
}
