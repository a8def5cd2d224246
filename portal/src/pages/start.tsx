import { Button, Group, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Link, useLocation } from "wouter";
import type { Answer } from "../lib/answers.ts";
import { get, put } from "../lib/api.ts";
import { plural } from "../lib/format.ts";
import { client, refreshMs } from "../lib/queries.ts";
import { Icon } from "../ui/icons.tsx";
import { ErrorMessage, Heading, Loading } from "../ui/parts.tsx";

/** Apart from the first load: nearly everybody who comes in has a register. */
const EnrolRegister = lazy(async () => ({ default: (await import("./enrol-register.tsx")).EnrolRegister }));

function Enrolment({ onClose }: { onClose: () => void }) {
  return (
    <Suspense fallback={<Loading />}>
      <EnrolRegister onClose={onClose} />
    </Suspense>
  );
}

type Start = Answer<"GET /start">;
type Step = Start["steps"][number]["step"];

export function useStart() {
  return useQuery({
    queryKey: ["start"],
    queryFn: ({ signal }) => get<Start>("/start", signal),
    // Each step is noticed while the page is open; a business that has begun is not asked about again.
    refetchInterval: ({ state }) => (state.data?.is_done ? false : refreshMs),
    staleTime: 60_000,
  });
}

/** Puts the first steps away. */
export function useHideStart() {
  return useMutation({
    mutationFn: () => put("/start", { is_hidden: true }),
    onSuccess() {
      client.setQueryData<Start>(["start"], (before) => before && { ...before, is_hidden: true });
    },
  });
}

export const stepWords: Record<Step, { title: string; text: string; done: string }> = {
  tax_data: {
    title: "Sus datos tributarios",
    text: "El NIT, el régimen y si los precios incluyen impuestos: con eso se calculan los impuestos y se emiten los documentos.",
    done: "El perfil fiscal está registrado.",
  },
  numbering: {
    title: "La numeración",
    text: "El rango que la DIAN le autorizó para sus documentos: prefijo, desde, hasta y vigencia.",
    done: "Hay un rango para numerar.",
  },
  register: {
    title: "La primera caja",
    text: "Vincule el equipo con el que va a vender. Se conecta con un código de un solo uso.",
    done: "Hay una caja conectada.",
  },
  product: {
    title: "El primer producto",
    text: "Cree uno, o traiga su lista de Excel. Las cajas lo reciben en segundos.",
    done: "Ya hay productos.",
  },
  sale: {
    title: "La primera venta",
    text: "Véndala en la caja. Aparece aquí apenas la caja se sincroniza.",
    done: "Llegó la primera venta.",
  },
  document: {
    title: "El primer documento aceptado",
    text: "Cuando la DIAN acepta el documento de una venta, su negocio está listo para facturar.",
    done: "El primer documento fue aceptado.",
  },
};

export default function StartPage() {
  const start = useStart();
  const [, navigate] = useLocation();
  const [isEnrolling, setEnrolling] = useState(false);
  const hiding = useHideStart();
  if (start.isPending) return <Loading />;
  const steps = start.data?.steps ?? [];
  const next = steps.find(({ is_done }) => !is_done)?.step;
  const done = steps.filter(({ is_done }) => is_done).length;
  return (
    <>
      <Heading
        title="Empezar"
        lead={
          start.data &&
          (start.data.is_done
            ? "Todo listo: su negocio vende y factura."
            : `${plural(done, "paso listo", "pasos listos")} de ${steps.length}. Cada uno se marca solo cuando ocurre.`)
        }
      >
        {start.data && !start.data.is_done && (
          <Button
            variant="default"
            loading={hiding.isPending}
            onClick={() => hiding.mutate(undefined, { onSuccess: () => navigate("/") })}
          >
            Ahora no
          </Button>
        )}
      </Heading>
      <ErrorMessage error={start.error ?? hiding.error} retry={start.refetch} />
      <ol className="steps card" aria-label="Pasos">
        {steps.map(({ step, is_done }, i) => (
          <li
            key={step}
            data-state={is_done ? "done" : step === next ? "next" : "later"}
            aria-current={step === next ? "step" : undefined}
          >
            <span className="step-mark" aria-hidden="true">
              {is_done ? <Icon name="check" size={18} /> : i + 1}
            </span>
            <div>
              <Text fw={600} component="h2" size="md">
                {stepWords[step].title}
                <span className="hidden-text">
                  {is_done ? ", listo" : step === next ? ", sigue este" : ", pendiente"}
                </span>
              </Text>
              <Text c="dimmed">{is_done ? stepWords[step].done : stepWords[step].text}</Text>
              {!is_done && (
                <Actions
                  step={step}
                  isNext={step === next}
                  hasTaxData={steps.some((one) => one.step === "tax_data" && one.is_done)}
                  onEnrol={() => setEnrolling(true)}
                />
              )}
            </div>
          </li>
        ))}
      </ol>
      {start.data?.is_done && <Afterwards />}
      {/* Beside the steps, because its own step is done as soon as the register connects. */}
      {isEnrolling && <Enrolment onClose={() => setEnrolling(false)} />}
    </>
  );
}

function Actions({
  step,
  isNext,
  hasTaxData,
  onEnrol,
}: {
  step: Step;
  isNext: boolean;
  /** Without them there is nothing to number. */
  hasTaxData: boolean;
  onEnrol: () => void;
}) {
  const variant = isNext ? "filled" : "default";
  const actions: Record<Step, ReactNode> = {
    tax_data: (
      <Button component={Link} href="/ajustes/facturacion#perfil-fiscal" variant={variant}>
        Registrar los datos
      </Button>
    ),
    numbering: !hasTaxData ? (
      <Text size="sm">
        Antes va el paso 1: <Link href="/ajustes/facturacion#perfil-fiscal">sus datos tributarios</Link>.
      </Text>
    ) : (
      <Button component={Link} href="/ajustes/facturacion#rangos" variant={variant}>
        Registrar un rango
      </Button>
    ),
    register: (
      <Button variant={variant} onClick={onEnrol}>
        Vincular una caja
      </Button>
    ),
    product: (
      <>
        <Button component={Link} href="/productos/nuevo" variant={variant}>
          Crear un producto
        </Button>
        <Button component={Link} href="/productos/importar" variant="default">
          Importar de Excel
        </Button>
      </>
    ),
    sale: null,
    document: (
      <Button component={Link} href="/documentos" variant="default">
        Ver los documentos
      </Button>
    ),
  };
  return (
    <Group gap="xs" mt="sm">
      {actions[step]}
    </Group>
  );
}

/** For whoever has a system of their own: it can wait until the shop sells. */
function Afterwards() {
  return (
    <section className="card" aria-label="Conectar otros sistemas" style={{ marginTop: "1rem" }}>
      <Text fw={600} component="h2" size="md">
        ¿Tiene otro sistema?
      </Text>
      <Text c="dimmed" mb="sm">
        Su tienda en línea o su contabilidad pueden enterarse de cada venta y leer sus datos.
      </Text>
      <Group gap="xs">
        <Button component={Link} href="/webhooks/nuevo" variant="default">
          Agregar un webhook
        </Button>
        <Button component={Link} href="/claves/nueva" variant="default">
          Crear una clave de API
        </Button>
        <Button component={Link} href="/">
          Ir a Hoy
        </Button>
      </Group>
    </section>
  );
}
