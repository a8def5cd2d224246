import { PasswordInput, Select, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { FiscalProfile, RequestedConfirmation } from "../lib/answers.ts";
import { put } from "../lib/api.ts";
import { useDraft } from "../lib/drafts.ts";
import { client } from "../lib/queries.ts";
import { CodeButtons } from "../ui/code-buttons.tsx";
import { CodeDialog } from "../ui/code-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { DraftNotice } from "../ui/draft-notice.tsx";
import { fieldMessages } from "../ui/field-messages.ts";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage } from "../ui/parts.tsx";

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

/** Creates the profile or changes it. */
export function FiscalProfileForm({ profile, onClose }: { profile: FiscalProfile | undefined; onClose: () => void }) {
  const notify = useNotify();
  const draft = useDraft("fiscal-profile", {
    nit: profile?.nit ?? "",
    regime: profile?.regime ?? "iva",
    prices: String(profile?.prices_include_tax ?? true),
    documents: profile?.documents ?? "electronic",
    zone: profile?.settings.postal_zone_code ?? "",
    hours: String(profile?.settings.max_contingency_hours ?? ""),
    until: profile?.settings.certificate_until ?? "",
  });
  const { nit, regime, prices, documents, zone, hours, until } = draft.value;
  // Secrets are not kept.
  const [pin, setPin] = useState("");
  const [token, setToken] = useState("");
  const requesting = useMutation({
    mutationFn: () =>
      put<RequestedConfirmation>("/fiscal-profile", {
        nit,
        regime,
        prices_include_tax: prices === "true",
        documents,
        ...(zone !== (profile?.settings.postal_zone_code ?? "") && { postal_zone_code: zone || null }),
        ...(hours !== String(profile?.settings.max_contingency_hours ?? "") && {
          max_contingency_hours: hours ? Number(hours) : null,
        }),
        ...(until !== (profile?.settings.certificate_until ?? "") && { certificate_until: until || null }),
        ...(pin && { software_pin: pin }),
        ...(token && { authority_token: token }),
      }),
  });
  const fieldErrors = fieldMessages(requesting.error, [
    "nit",
    "postal_zone_code",
    "max_contingency_hours",
    "certificate_until",
    "software_pin",
    "authority_token",
  ]);
  if (requesting.data) {
    return (
      <CodeDialog
        confirmation={requesting.data}
        action={profile ? "cambiar el perfil fiscal" : "registrar el perfil fiscal"}
        detail={`NIT ${nit}`}
        onDone={() => {
          draft.forget();
          notify("Perfil fiscal guardado.");
          void client.invalidateQueries({ queryKey: ["fiscal-profile"] });
          void client.invalidateQueries({ queryKey: ["list", "/audit-log"] });
          onClose();
        }}
        onClose={onClose}
      />
    );
  }
  function submit(event: FormEvent) {
    event.preventDefault();
    requesting.mutate();
  }
  return (
    <Dialog onClose={onClose} title={profile ? "Cambiar el perfil fiscal" : "Registrar el perfil fiscal"} size="lg">
      <form onSubmit={submit}>
        <DraftNotice draft={draft} />
        <Stack gap="sm">
          <TextInput
            label="NIT"
            description="Con su dígito de verificación, como 900373923-8."
            required
            maxLength={30}
            autoComplete="off"
            value={nit}
            error={fieldErrors.nit}
            onChange={(event) => draft.change({ nit: event.currentTarget.value })}
            data-autofocus
          />
          <Select
            label="Régimen"
            allowDeselect={false}
            data={regimes}
            value={regime}
            onChange={(value) => draft.change({ regime: (value as FiscalProfile["regime"]) ?? "iva" })}
          />
          <Select
            label="Los precios del catálogo"
            allowDeselect={false}
            data={priceKinds}
            value={prices}
            onChange={(value) => draft.change({ prices: value ?? "true" })}
          />
          <Select
            label="Documentos"
            allowDeselect={false}
            data={documentKinds}
            value={documents}
            onChange={(value) => draft.change({ documents: (value as FiscalProfile["documents"]) ?? "electronic" })}
          />
          {documents === "electronic" && (
            <>
              <Delivery
                zone={zone}
                onZone={(text) => draft.change({ zone: text })}
                hours={hours}
                onHours={(text) => draft.change({ hours: text })}
                until={until}
                onUntil={(text) => draft.change({ until: text })}
                isZoneRequired={profile?.provider === "apidian"}
                fieldErrors={fieldErrors}
              />
              <Secrets
                profile={profile}
                pin={pin}
                onPin={setPin}
                token={token}
                onToken={setToken}
                fieldErrors={fieldErrors}
              />
            </>
          )}
        </Stack>
        <Text size="sm" c="dimmed" mt="md">
          El cambio vale para las ventas que lleguen desde que lo confirme; los documentos ya emitidos no cambian.
        </Text>
        {!fieldErrors.areAllShown && <ErrorMessage error={requesting.error} />}
        <CodeButtons
          isRequesting={requesting.isPending}
          onCancel={() => {
            draft.forget();
            onClose();
          }}
        />
      </form>
    </Dialog>
  );
}

const digits = (text: string, most: number) => text.replace(/\D/g, "").slice(0, most);

/** What the provider and a day without the authority need. */
function Delivery({
  zone,
  onZone,
  hours,
  onHours,
  until,
  onUntil,
  isZoneRequired,
  fieldErrors,
}: {
  zone: string;
  onZone: (zone: string) => void;
  hours: string;
  onHours: (hours: string) => void;
  until: string;
  onUntil: (until: string) => void;
  isZoneRequired: boolean;
  fieldErrors: { postal_zone_code?: string; max_contingency_hours?: string; certificate_until?: string };
}) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <TextInput
        label="Zona postal"
        description="El código postal del negocio: 6 dígitos. Va en los documentos POS."
        required={isZoneRequired}
        inputMode="numeric"
        value={zone}
        error={fieldErrors.postal_zone_code}
        onChange={(event) => onZone(digits(event.currentTarget.value, 6))}
      />
      <TextInput
        label="Horas sin la DIAN (opcional)"
        description="Cuánto puede no responder antes de avisarle que está en contingencia. Sin escribirlo, 24."
        inputMode="numeric"
        value={hours}
        error={fieldErrors.max_contingency_hours}
        onChange={(event) => onHours(digits(event.currentTarget.value, 3))}
      />
      <TextInput
        label="El certificado vence el (opcional)"
        description="Con él firma su proveedor. Le avisamos un mes antes, y una semana antes."
        type="date"
        value={until}
        error={fieldErrors.certificate_until}
        onChange={(event) => onUntil(event.currentTarget.value)}
      />
    </SimpleGrid>
  );
}

/** Stored secrets are never shown; an empty field keeps them. */
function Secrets({
  profile,
  pin,
  onPin,
  token,
  onToken,
  fieldErrors,
}: {
  profile: FiscalProfile | undefined;
  pin: string;
  onPin: (pin: string) => void;
  token: string;
  onToken: (token: string) => void;
  fieldErrors: { software_pin?: string; authority_token?: string };
}) {
  return (
    <>
      <PasswordInput
        label="PIN del software"
        description={
          profile?.has_pin
            ? "Ya hay uno guardado. Déjelo vacío para conservarlo."
            : "El que escribió al registrar su software ante la DIAN. Se guarda cifrado."
        }
        required={!profile?.has_pin}
        maxLength={40}
        autoComplete="off"
        visibilityToggleButtonProps={{ "aria-label": "Mostrar u ocultar el PIN" }}
        value={pin}
        error={fieldErrors.software_pin}
        onChange={(event) => onPin(event.currentTarget.value)}
      />
      <PasswordInput
        label="Token del proveedor (opcional)"
        description={
          profile?.has_authority_token
            ? "Ya hay uno guardado. Déjelo vacío para conservarlo."
            : "Solo si su proveedor tecnológico le dio uno propio. Se guarda cifrado."
        }
        maxLength={500}
        autoComplete="off"
        visibilityToggleButtonProps={{ "aria-label": "Mostrar u ocultar el token" }}
        value={token}
        error={fieldErrors.authority_token}
        onChange={(event) => onToken(event.currentTarget.value)}
      />
    </>
  );
}
