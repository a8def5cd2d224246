import { Button } from "@mantine/core";
import { Link } from "wouter";
import { customerList } from "../../../src/api/portal/lists/customers.ts";
import { ListPage } from "../lists/list-page.tsx";
import { Allowed } from "../ui/allowed.tsx";
import { Icon } from "../ui/icons.tsx";

export default function Customers() {
  return (
    <ListPage
      list={customerList}
      heading={{ lead: "Quienes le compran, con lo que han comprado y cotizado." }}
      actions={
        <Allowed to="customers:write">
          <Button component={Link} href="/clientes/nuevo" leftSection={<Icon name="plus" size={18} />}>
            Crear cliente
          </Button>
        </Allowed>
      }
      cells={{ email: ({ email }) => <span className="anywhere">{email ?? "–"}</span> }}
      href={({ id }) => `/clientes/${id}`}
      shortNote="Escriba al menos dos letras o números para buscar."
      words={{
        icon: "people",
        none: "Todavía no hay clientes",
        noMatch: "Ningún cliente coincide",
        hint: "Se crean aquí o en una caja, y aparecen en las dos partes.",
      }}
    />
  );
}
