import { Text } from "@mantine/core";
import { useSession } from "../lib/queries.ts";
import { Heading, Section } from "../ui/parts.tsx";
import { Factors } from "./factors.tsx";

/** Where whoever must have a second step adds one; everything else waits until she has it. */
export default function EnrolSecondStep() {
  const session = useSession().data;
  return (
    <>
      <Heading
        title="Segundo paso"
        lead={
          session?.must_enrol
            ? `${session.account.name} pide a todas las personas un segundo paso. Agregue uno y siga.`
            : "Ya tiene su segundo paso."
        }
        back={{ to: "/ajustes/seguridad", label: "Seguridad" }}
      />
      <Factors />
      {session?.must_enrol && (
        <Section title="¿Por qué?">
          <Text>
            Una contraseña se adivina, se repite o se roba. Con un segundo paso, quien la tenga no entra a las ventas ni
            a los datos de los clientes.
          </Text>
        </Section>
      )}
    </>
  );
}
