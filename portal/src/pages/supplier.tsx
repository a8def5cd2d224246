import { Alert, Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { purchaseList } from "../../../src/api/portal/lists/purchases.ts";
import { termWords } from "../../../src/api/portal/lists/words.ts";
import type { Answer } from "../lib/answers.ts";
import { type SupplierDetail, useSupplier } from "../lib/buying-queries.ts";
import { cost, number, pesos } from "../lib/format.ts";
import { useList } from "../lib/queries.ts";
import { identityOf } from "../lib/record-words.ts";
import { columnsOf } from "../lists/cells.tsx";
import { Allowed } from "../ui/allowed.tsx";
import { Detail, DetailPending, Facts } from "../ui/detail.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Figure, Figures } from "../ui/figure.tsx";
import { Icon } from "../ui/icons.tsx";
import { useNotify } from "../ui/notices.tsx";
import { Empty, Heading, LoadMore, Section, Time } from "../ui/parts.tsx";
import { RecordTable } from "../ui/record-table.tsx";
import { SupplierForm } from "./supplier-form.tsx";

const back = { to: "/proveedores", label: "Proveedores" };
type PurchaseRow = Answer<"GET /purchases">["data"][number];

export default function SupplierPage({ id }: { id: string }) {
  const detail = useSupplier(id);
  const [isEditing, setEditing] = useState(false);
  const notify = useNotify();
  if (!detail.data)
    return <DetailPending record={detail} heading="Proveedor" none="Este proveedor no existe" back={back} />;
  const { supplier, totals } = detail.data;
  return (
    <>
      <Heading title={supplier.name} lead={identityOf(supplier) ?? "Sin NIT"} back={back}>
        <Allowed to="purchases:write">
          <Button component={Link} href={`/compras/nueva?proveedor=${id}`} leftSection={<Icon name="plus" size={18} />}>
            Comprarle
          </Button>
          <Button variant="default" leftSection={<Icon name="edit" size={18} />} onClick={() => setEditing(true)}>
            Editar
          </Button>
        </Allowed>
      </Heading>
      {isEditing && (
        <Dialog onClose={() => setEditing(false)} title="Editar proveedor" size="lg">
          <SupplierForm
            detail={detail.data}
            onCancel={() => setEditing(false)}
            onDone={() => {
              notify("Se guardaron los cambios.");
              setEditing(false);
            }}
          />
        </Dialog>
      )}
      {!supplier.active && (
        <Alert color="yellow" variant="light" mb="md" icon={<Icon name="alert" />}>
          Ya no se le compra. Sus compras siguen aquí.
        </Alert>
      )}
      {totals.purchases > 0 && (
        <Figures label="El proveedor en números">
          <Figure isMain label="Por pagar" value={pesos(totals.balance)} />
          <Figure label="Recibido" value={pesos(totals.bought)} />
          <Figure label="Compras" value={number(totals.purchases)} />
        </Figures>
      )}
      <Detail aside={<About detail={detail.data} />}>
        <Sold items={detail.data.items} />
        <Bought supplierId={id} />
      </Detail>
    </>
  );
}

function Sold({ items }: Pick<SupplierDetail, "items">) {
  if (items.length === 0) return null;
  return (
    <Section title="Lo que nos vende" lead="Como se le compró la última vez.">
      <RecordTable
        label="Lo que nos vende"
        rows={items}
        rowKey={({ id }) => id}
        columns={[
          { title: "Producto", cell: ({ product_id, name }) => <Link href={`/productos/${product_id}`}>{name}</Link> },
          { title: "Su código", cell: ({ code }) => code ?? "–" },
          { title: "Viene en", cell: ({ unit, factor }) => (factor === 1 ? unit : `${unit} (${number(factor)})`) },
          { title: "Último costo", isNumber: true, cell: ({ last_cost }) => cost(last_cost) },
          { title: "Comprado", isExtra: true, cell: ({ bought_at }) => <Time at={bought_at} relative /> },
        ]}
      />
    </Section>
  );
}

function Bought({ supplierId }: { supplierId: string }) {
  const list = useList<PurchaseRow>("/purchases", { supplier_id: supplierId });
  return (
    <Section title="Compras">
      {list.data?.length === 0 && (
        <Empty icon="truck" title="Todavía no se le ha comprado">
          Haga la primera con «Comprarle».
        </Empty>
      )}
      {list.data && list.data.length > 0 && (
        <RecordTable
          label="Compras al proveedor"
          rows={list.data}
          rowKey={({ id }) => id}
          href={({ id }) => `/compras/${id}`}
          columns={columnsOf(purchaseList, {}, [
            "number",
            "invoice_number",
            "created_at",
            "status",
            "total",
            "balance",
          ])}
        />
      )}
      <LoadMore list={list} />
    </Section>
  );
}

function About({ detail: { supplier } }: { detail: SupplierDetail }) {
  const { contact_name, phone, email, term_days, notes, created_at, updated_at } = supplier;
  return (
    <Section title="Datos">
      <Facts
        facts={[
          ["Documento", identityOf(supplier)],
          ["Contacto", contact_name],
          ["Teléfono", phone && <a href={`tel:${phone.replace(/[^\d+]/g, "")}`}>{phone}</a>],
          ["Correo", email && <a href={`mailto:${email}`}>{email}</a>],
          ["Plazo", termWords(term_days)],
          ["Notas", notes],
          ["Proveedor desde", <Time key="at" at={created_at} />],
          ["Último cambio", updated_at === created_at ? null : <Time key="at" at={updated_at} />],
        ]}
      />
    </Section>
  );
}
