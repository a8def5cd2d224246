import { Alert, Button, PasswordInput, Select, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import type { Answer, FiscalProfile as Found, RequestedConfirmation } from "../lib/answers.ts";
import { get, Problem, put } from "../lib/api.ts";
import { client } from "../lib/queries.ts";
import { CodeButtons } from "../ui/code-buttons.tsx";
import { ConfirmCode } from "../ui/confirm-code.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { fieldMessages } from "../ui/field-messages.ts";
import { Icon } from "../ui/icons.tsx";
import { useNotice } from "../ui/notices.tsx";
import { Empty, Loading, Section, State, Time, Trouble } from "../ui/parts.tsx";

const regimes = [
  { value: "iva", label: "Responsable de IVA" },
  { value: "inc", label: "Impuesto al consumo" },
  { value: "none", label: "No responsable" },
];
const documentSorts = [
  { value: "electronic", label: "Electrónicos ante la DIAN" },
  { value: "internal", label: "Internos, sin la DIAN" },
];
const priceSorts = [
  { value: "true", label: "Incluyen impuestos" },
  { value: "false", label: "Antes de impuestos" },
];
const labelIn = (options: { value: string; label: string }[], value: string) =>
  options.find((one) => one.value === value)?.label ?? value;

/** Null for a business that has none yet. */
export function useFiscalProfile() {
  return useQuery({
    queryKey: ["fiscal-profile"],
    queryFn: async ({ signal }) => {
      try {
        return await get<Found>("/fiscal-profile", signal);
      } catch (error) {
        if (error instanceof Problem && error.code === "NOT_FOUND") return null;
        throw error;
      }
    },
  });
}

export function FiscalProfile() {
  const profile = useFiscalProfile();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Section
      id="perfil-fiscal"
      title="Perfil fiscal"
      aside={
        profile.data && (
          <Button variant="default" size="xs" onClick={() => setIsOpen(true)}>
            Cambiar el perfil fiscal
          </Button>
        )
      }
    >
      <Trouble error={profile.error} retry={profile.refetch} />
      {profile.isPending && <Loading />}
      {profile.data && <Facts profile={profile.data} />}
      {profile.data === null && (
        <Empty icon="receipt" title="Sus ventas todavía no tienen documento">
          <p>Registre su NIT y su régimen. Desde ese momento cada venta que llegue de una caja tendrá el suyo.</p>
          <Button onClick={() => setIsOpen(true)}>Registrar el perfil fiscal</Button>
        </Empty>
      )}
      {isOpen && <ChangeProfile profile={profile.data ?? undefined} onClose={() => setIsOpen(false)} />}
    </Section>
  );
}

function Facts({ profile }: { profile: Found }) {
  const isElectronic = profile.documents === "electronic";
  return (
    <>
      <UnissuedHint />
      <dl className="facts">
        <dt>NIT</dt>
        <dd>{profile.nit}</dd>
        <dt>Régimen</dt>
        <dd>{labelIn(regimes, profile.regime)}</dd>
        <dt>Precios</dt>
        <dd>{labelIn(priceSorts, String(profile.prices_include_tax))}</dd>
        <dt>Documentos</dt>
        <dd>{labelIn(documentSorts, profile.documents)}</dd>
        {isElectronic && (
          <>
            <dt>PIN del software</dt>
            <dd>
              {profile.has_pin ? (
                "Guardado"
              ) : (
                <>
                  <State title="Falta" color="red" />{" "}
                  <Text span c="dimmed" size="sm">
                    Sin él no se sella ningún documento. Escríbalo en «Cambiar el perfil fiscal».
                  </Text>
                </>
              )}
            </dd>
            <dt>Token del proveedor</dt>
            <dd>{profile.has_authority_token ? "Guardado" : "No tiene uno propio"}</dd>
          </>
        )}
        <dt>Desde</dt>
        <dd>
          <Time at={profile.since} />
        </dd>
      </dl>
    </>
  );
}

function UnissuedHint() {
  const list = useQuery({
    queryKey: ["unissued-hint"],
    queryFn: ({ signal }) => get<Answer<"GET /invoices/unissued">>("/invoices/unissued?limit=1", signal),
    refetchInterval: 10_000,
  });
  if (!list.data?.data.length) return null;
  return (
    <Alert color="yellow" variant="light" mb="md" icon={<Icon name="alert" />} title="Hay documentos por atender">
      La DIAN los rechazó o no se pudieron emitir. <Link href="/documentos">Vea la causa y reenvíelos</Link>.
    </Alert>
  );
}

function ChangeProfile({ profile, onClose }: { profile: Found | undefined; onClose: () => void }) {
  const tell = useNotice();
  const [nit, setNit] = useState(profile?.nit ?? "");
  const [regime, setRegime] = useState<string>(profile?.regime ?? "iva");
  const [prices, setPrices] = useState(String(profile?.prices_include_tax ?? true));
  const [documents, setDocuments] = useState<string>(profile?.documents ?? "electronic");
  const [pin, setPin] = useState("");
  const [token, setToken] = useState("");
  const asking = useMutation({
    mutationFn: () =>
      put<RequestedConfirmation>("/fiscal-profile", {
        nit,
        regime,
        prices_include_tax: prices === "true",
        documents,
        ...(pin && { software_pin: pin }),
        ...(token && { authority_token: token }),
      }),
  });
  const wrong = fieldMessages(asking.error, ["nit", "software_pin", "authority_token"]);
  if (asking.data) {
    return (
      <ConfirmCode
        confirmation={asking.data}
        action={profile ? "cambiar el perfil fiscal" : "registrar el perfil fiscal"}
        detail={`NIT ${nit}`}
        onDone={() => {
          tell("Perfil fiscal guardado.");
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
    asking.mutate();
  }
  return (
    <Dialog onClose={onClose} title={profile ? "Cambiar el perfil fiscal" : "Registrar el perfil fiscal"} size="lg">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="NIT"
            description="Con su dígito de verificación, como 900373923-8."
            required
            maxLength={30}
            autoComplete="off"
            value={nit}
            error={wrong.nit}
            onChange={(event) => setNit(event.currentTarget.value)}
            data-autofocus
          />
          <Select
            label="Régimen"
            allowDeselect={false}
            data={regimes}
            value={regime}
            onChange={(value) => setRegime(value ?? "iva")}
          />
          <Select
            label="Los precios del catálogo"
            allowDeselect={false}
            data={priceSorts}
            value={prices}
            onChange={(value) => setPrices(value ?? "true")}
          />
          <Select
            label="Documentos"
            allowDeselect={false}
            data={documentSorts}
            value={documents}
            onChange={(value) => setDocuments(value ?? "electronic")}
          />
          {documents === "electronic" && (
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
                error={wrong.software_pin}
                onChange={(event) => setPin(event.currentTarget.value)}
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
                error={wrong.authority_token}
                onChange={(event) => setToken(event.currentTarget.value)}
              />
            </>
          )}
        </Stack>
        <Text size="sm" c="dimmed" mt="md">
          El cambio vale para las ventas que lleguen desde que lo confirme; los documentos ya emitidos no cambian.
        </Text>
        {!wrong.isTold && <Trouble error={asking.error} />}
        <CodeButtons isAsking={asking.isPending} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
