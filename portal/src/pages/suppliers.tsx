import { Button } from "@mantine/core";
import { Link } from "wouter";
import { supplierList } from "../../../src/api/portal/lists/suppliers.ts";
import { ListPage } from "../lists/list-page.tsx";
import { Allowed } from "../ui/allowed.tsx";
import { Icon } from "../ui/icons.tsx";

export default function Suppliers() {
  return (
    <ListPage
      list={supplierList}
      heading={{ lead: "A quién le compra, y a cuántos días le paga." }}
      actions={
        <Allowed to="purchases:write">
          <Button component={Link} href="/proveedores/nuevo" leftSection={<Icon name="plus" size={18} />}>
            Crear proveedor
          </Button>
        </Allowed>
      }
      cells={{ active: ({ active }) => (active ? "Sí" : "Ya no") }}
      href={({ id }) => `/proveedores/${id}`}
      shortNote="Escriba al menos dos letras o números para buscar."
      words={{
        icon: "truck",
        none: "Todavía no hay proveedores",
        noMatch: "Ningún proveedor coincide",
        hint: "Cree al primero para hacerle una compra; el NIT ayuda a leer sus facturas electrónicas.",
      }}
    />
  );
}
