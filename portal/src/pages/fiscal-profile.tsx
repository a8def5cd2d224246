import { Alert, Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import type { Answer, FiscalProfile } from "../lib/answers.ts";
import { ApiError, get } from "../lib/api.ts";
import { date, fromLocal } from "../lib/format.ts";
import { Icon } from "../ui/icons.tsx";
import { Empty, ErrorMessage, Loading, Section, StateBadge, Time } from "../ui/parts.tsx";
import { documentKinds, FiscalProfileForm, priceKinds, regimes } from "./fiscal-profile-form.tsx";

const labelIn = (options: { value: string; label: string }[], value: string) =>
  options.find((one) => one.value === value)?.label ?? value;

/** Null while the business has no profile. */
export function useFiscalProfile() {
  return useQuery({
    queryKey: ["fiscal-profile"],
    queryFn: async ({ signal }) => {
      try {
        return await get<FiscalProfile>("/fiscal-profile", signal);
      } catch (error) {
        if (error instanceof ApiError && error.code === "NOT_FOUND") return null;
        throw error;
      }
    },
  });
}

export function FiscalProfileSection() {
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
      <ErrorMessage error={profile.error} retry={profile.refetch} />
      {profile.isPending && <Loading />}
      {profile.data && <Facts profile={profile.data} />}
      {profile.data === null && (
        <Empty icon="receipt" title="Sus ventas todavía no tienen documento">
          <p>Registre su NIT y su régimen. Desde ese momento cada venta que llegue de una caja tendrá el suyo.</p>
          <Button onClick={() => setIsOpen(true)}>Registrar el perfil fiscal</Button>
        </Empty>
      )}
      {isOpen && <FiscalProfileForm profile={profile.data ?? undefined} onClose={() => setIsOpen(false)} />}
    </Section>
  );
}

function Facts({ profile }: { profile: FiscalProfile }) {
  const isElectronic = profile.documents === "electronic";
  return (
    <>
      <UnissuedHint />
      <Away />
      {!!profile.missing?.length && (
        <Alert color="red" variant="light" mb="md" icon={<Icon name="alert" />} title="Al perfil le falta algo">
          {profile.missing.map(({ field, message }) => (
            <div key={field}>{message}</div>
          ))}
        </Alert>
      )}
      <dl className="facts">
        <dt>NIT</dt>
        <dd>{profile.nit}</dd>
        <dt>Régimen</dt>
        <dd>{labelIn(regimes, profile.regime)}</dd>
        <dt>Precios</dt>
        <dd>{labelIn(priceKinds, String(profile.prices_include_tax))}</dd>
        <dt>Documentos</dt>
        <dd>{labelIn(documentKinds, profile.documents)}</dd>
        {isElectronic && (
          <>
            <dt>Zona postal</dt>
            <dd>{profile.settings.postal_zone_code ?? "Sin escribir"}</dd>
            <dt>Espera a la DIAN</dt>
            <dd>{profile.settings.max_contingency_hours ?? 24} horas antes de entrar en contingencia</dd>
            <dt>Certificado</dt>
            <dd>
              {profile.settings.certificate_until
                ? `Vigente hasta el ${date(fromLocal(profile.settings.certificate_until))}`
                : "Sin fecha: escríbala para que le avisemos antes de que venza"}
            </dd>
            <dt>PIN del software</dt>
            <dd>
              {profile.has_pin ? (
                "Guardado"
              ) : (
                <>
                  <StateBadge title="Falta" color="red" />{" "}
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

/** Since when the authority has not answered, while it does not. */
function Away() {
  const state = useQuery({
    queryKey: ["contingency"],
    queryFn: ({ signal }) => get<Answer<"GET /contingency">>("/contingency", signal),
    refetchInterval: 30_000,
  });
  const current = state.data?.current;
  if (!current) return null;
  return (
    <Alert
      color={current.is_contingency ? "red" : "yellow"}
      variant="light"
      mb="md"
      icon={<Icon name="alert" />}
      title={current.is_contingency ? "En contingencia: la DIAN no responde" : "La DIAN no está respondiendo"}
    >
      Desde <Time at={current.since} />.{" "}
      {current.waiting === 1 ? "Un documento espera" : `${current.waiting} documentos esperan`} con su número y se{" "}
      {current.waiting === 1 ? "enviará solo" : "enviarán solos"} cuando vuelva. Siga vendiendo.
    </Alert>
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
      La DIAN los rechazó o no se pudieron emitir.{" "}
      <Link href="/documentos?estado=por-atender">Vea la causa y reenvíelos</Link>.
    </Alert>
  );
}
