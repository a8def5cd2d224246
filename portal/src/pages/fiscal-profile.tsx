import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { get, Problem } from "../lib/api.ts";
import { Section } from "../ui/parts.tsx";

/** Names of the facts that the fiscal profile may hold, in the order they are shown. */
const facts: [string, string, Record<string, string>?][] = [
  ["nit", "NIT"],
  ["regime", "Régimen", { iva: "Responsable de IVA", inc: "Impuesto al consumo", none: "No responsable" }],
  ["prices_include_tax", "Precios", { true: "Incluyen impuestos", false: "Antes de impuestos" }],
  ["documents", "Documentos", { electronic: "Electrónicos ante la DIAN", internal: "Internos" }],
];

/** The owner reads it here; whoever operates the service sets it. */
export function FiscalProfile() {
  const profile = useQuery({
    queryKey: ["fiscal-profile"],
    queryFn: async ({ signal }) => {
      try {
        return await get<Record<string, unknown>>("/fiscal-profile", signal);
      } catch (error) {
        if (error instanceof Problem && error.status === 404) return null;
        throw error;
      }
    },
  });
  const known = facts.filter(([name]) => profile.data?.[name] !== undefined && profile.data[name] !== null);
  return (
    <Section title="Perfil fiscal">
      {known.length === 0 ? (
        <Text c="dimmed">
          Todavía no está configurado. Lo registra quien opera el servicio: envíele su NIT, su régimen y los rangos de
          numeración que le autorizó la DIAN.
        </Text>
      ) : (
        <dl className="facts">
          {known.map(([name, title, words]) => {
            const value = String(profile.data?.[name]);
            return [<dt key={`${name} title`}>{title}</dt>, <dd key={name}>{words?.[value] ?? value}</dd>];
          })}
        </dl>
      )}
    </Section>
  );
}
