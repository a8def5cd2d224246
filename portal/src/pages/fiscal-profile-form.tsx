import { SimpleGrid, Stack, Text } from "@mantine/core";
import type { FiscalProfile, RequestedConfirmation } from "../lib/answers.ts";
import { put } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { client } from "../lib/queries.ts";
import { CodeDialog } from "../ui/code-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { type Field, Fields, FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";

export const regimes = [
  { value: "iva", label: "Responsable de IVA" },
  { value: "inc", label: "Impuesto al consumo" },
  { value: "none", label: "No responsable" },
];
export const documentKinds = [
  { value: "electronic", label: "Electrónicos ante la DIAN" },
  { value: "internal", label: "Internos, sin la DIAN" },
];
export const priceKinds = [
  { value: "true", label: "Incluyen impuestos" },
  { value: "false", label: "Antes de impuestos" },
];

const startOf = (profile: FiscalProfile | undefined) => ({
  nit: profile?.nit ?? "",
  regime: profile?.regime ?? "iva",
  prices_include_tax: String(profile?.prices_include_tax ?? true),
  documents: profile?.documents ?? "electronic",
  postal_zone_code: profile?.settings.postal_zone_code ?? "",
  max_contingency_hours: String(profile?.settings.max_contingency_hours ?? ""),
  certificate_until: profile?.settings.certificate_until ?? "",
});
const noSecrets = { software_pin: "", authority_token: "" };
type Values = ReturnType<typeof startOf> & typeof noSecrets;
type ProfileField = Field<"PUT /fiscal-profile", Values>;

/** What was not touched is not sent; an empty field takes the value away. */
function bodyOf(values: Values, start: ReturnType<typeof startOf>): object {
  const { nit, regime, prices_include_tax, documents, software_pin, authority_token } = values;
  const { postal_zone_code: zone, max_contingency_hours: hours, certificate_until: until } = values;
  return {
    ...{ nit, regime, documents, prices_include_tax: prices_include_tax === "true" },
    ...(zone !== start.postal_zone_code && { postal_zone_code: zone || null }),
    ...(hours !== start.max_contingency_hours && { max_contingency_hours: hours ? Number(hours) : null }),
    ...(until !== start.certificate_until && { certificate_until: until || null }),
    ...(software_pin && { software_pin }),
    ...(authority_token && { authority_token }),
  };
}

/** Creates the profile or changes it. */
export function FiscalProfileForm({ profile, onClose }: { profile: FiscalProfile | undefined; onClose: () => void }) {
  const notify = useNotify();
  const start = startOf(profile);
  const form = useForm("PUT /fiscal-profile", {
    draft: "fiscal-profile",
    start,
    secrets: noSecrets,
    send: (values) => put<RequestedConfirmation>("/fiscal-profile", bodyOf(values, start)),
  });
  if (form.answer) {
    return (
      <CodeDialog
        confirmation={form.answer}
        action={profile ? "cambiar el perfil fiscal" : "registrar el perfil fiscal"}
        detail={`NIT ${form.values.nit}`}
        onDone={() => {
          form.draft.forget();
          notify("Perfil fiscal guardado.");
          void client.invalidateQueries({ queryKey: ["fiscal-profile"] });
          void client.invalidateQueries({ queryKey: ["list", "/audit-log"] });
          onClose();
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog onClose={onClose} title={profile ? "Cambiar el perfil fiscal" : "Registrar el perfil fiscal"} size="lg">
      <FormFrame form={form} action="Enviar el código" onCancel={onClose}>
        <Stack gap="sm">
          <Fields form={form} fields={main} />
          {form.values.documents === "electronic" && (
            <>
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
                <Fields form={form} fields={delivery(profile)} />
              </SimpleGrid>
              <Fields form={form} fields={secrets(profile)} />
            </>
          )}
        </Stack>
        <Text size="sm" c="dimmed" mt="md">
          El cambio vale para las ventas que lleguen desde que lo confirme; los documentos ya emitidos no cambian.
        </Text>
      </FormFrame>
    </Dialog>
  );
}

const main: ProfileField[] = [
  {
    name: "nit",
    label: "NIT",
    description: "Con su dígito de verificación, como 900373923-8.",
    required: true,
    autoComplete: "off",
    "data-autofocus": true,
  },
  { as: "choice", name: "regime", label: "Régimen", data: regimes },
  { as: "choice", name: "prices_include_tax", label: "Los precios del catálogo", data: priceKinds },
  { as: "choice", name: "documents", label: "Documentos", data: documentKinds },
];

const digits = (most: number) => (text: string) => text.replace(/\D/g, "").slice(0, most);

/** What the provider and a day without the authority need. */
const delivery = (profile: FiscalProfile | undefined): ProfileField[] => [
  {
    name: "postal_zone_code",
    label: "Zona postal",
    description: "El código postal del negocio: 6 dígitos. Va en los documentos POS.",
    required: profile?.provider === "apidian",
    inputMode: "numeric",
    clean: digits(6),
  },
  {
    name: "max_contingency_hours",
    label: "Horas sin la DIAN (opcional)",
    description: "Cuánto puede no responder antes de avisarle que está en contingencia. Sin escribirlo, 24.",
    inputMode: "numeric",
    clean: digits(3),
  },
  {
    name: "certificate_until",
    label: "El certificado vence el (opcional)",
    description: "Con él firma su proveedor. Le avisamos un mes antes, y una semana antes.",
    type: "date",
  },
];

const isKept = "Ya hay uno guardado. Déjelo vacío para conservarlo.";

/** Stored secrets are never shown; an empty field keeps them. */
const secrets = (profile: FiscalProfile | undefined): ProfileField[] => [
  {
    as: "secret",
    name: "software_pin",
    label: "PIN del software",
    description: profile?.has_pin
      ? isKept
      : "El que escribió al registrar su software ante la DIAN. Se guarda cifrado.",
    required: !profile?.has_pin,
    visibilityToggleButtonProps: { "aria-label": "Mostrar u ocultar el PIN" },
  },
  {
    as: "secret",
    name: "authority_token",
    label: "Token del proveedor (opcional)",
    description: profile?.has_authority_token
      ? isKept
      : "Solo si su proveedor tecnológico le dio uno propio. Se guarda cifrado.",
    visibilityToggleButtonProps: { "aria-label": "Mostrar u ocultar el token" },
  },
];
