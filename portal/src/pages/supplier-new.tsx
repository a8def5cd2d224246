import { useLocation } from "wouter";
import { Heading, Section } from "../ui/parts.tsx";
import { SupplierForm } from "./supplier-form.tsx";

export default function NewSupplier() {
  const [, navigate] = useLocation();
  return (
    <>
      <Heading title="Crear proveedor" back={{ to: "/proveedores", label: "Proveedores" }} />
      <Section title="Datos del proveedor">
        <SupplierForm
          onDone={({ id }) => navigate(`/proveedores/${id}`, { replace: true })}
          onCancel={() => navigate("/proveedores")}
        />
      </Section>
    </>
  );
}
