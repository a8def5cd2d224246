import { useLocation } from "wouter";
import { Heading, Section } from "../ui/parts.tsx";
import { CustomerForm } from "./customer-form.tsx";

export default function NewCustomer() {
  const [, navigate] = useLocation();
  return (
    <>
      <Heading
        title="Crear cliente"
        lead="También les llega a sus cajas."
        back={{ to: "/clientes", label: "Clientes" }}
      />
      <Section title="Datos del cliente">
        <CustomerForm
          onDone={({ id }) => navigate(`/clientes/${id}`, { replace: true })}
          onCancel={() => navigate("/clientes")}
        />
      </Section>
    </>
  );
}
