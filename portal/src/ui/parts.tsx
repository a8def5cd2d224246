import { ActionIcon, Alert, Button, Center, CopyButton, Group, Loader, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "wouter";
import { ApiError } from "../lib/api.ts";
import { ago, exactMoment, moment } from "../lib/format.ts";
import { Icon, type IconName } from "./icons.tsx";

/** A page's heading, which is also the title of its tab. */
export function Heading({
  title,
  lead,
  back,
  children,
}: {
  title: string;
  lead?: ReactNode;
  back?: { to: string; label: string };
  children?: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Mostrador`;
  }, [title]);
  return (
    <div style={{ marginBottom: "1.25rem" }}>
      {back && (
        <Link href={back.to} className="back">
          <Group gap={4} mb={6} display="inline-flex">
            <Icon name="back" size={16} />
            {back.label}
          </Group>
        </Link>
      )}
      <Group justify="space-between" align="flex-start" gap="sm">
        <div style={{ minWidth: 0, flex: "1 1 18rem" }}>
          <Title order={1} style={{ overflowWrap: "anywhere" }}>
            {title}
          </Title>
          {lead && (
            <Text c="dimmed" mt={4}>
              {lead}
            </Text>
          )}
        </div>
        {children && <Group gap="xs">{children}</Group>}
      </Group>
    </div>
  );
}

export function Section({
  id,
  title,
  children,
  aside,
  lead,
}: {
  /** The anchor that links, such as those in mails, point to. */
  id?: string;
  title: string;
  children: ReactNode;
  aside?: ReactNode;
  lead?: ReactNode;
}) {
  const section = useRef<HTMLElement>(null);
  // The browser looked for the anchor before the section was rendered.
  useEffect(() => {
    if (id === undefined || window.location.hash !== `#${id}`) return;
    const timer = setTimeout(() => section.current?.scrollIntoView());
    return () => clearTimeout(timer);
  }, [id]);
  return (
    <section id={id} ref={section} className="card" style={{ marginBottom: "1rem" }} aria-label={title}>
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2}>{title}</Title>
        {aside}
      </Group>
      {lead && (
        <Text c="dimmed" mb="md">
          {lead}
        </Text>
      )}
      {children}
    </section>
  );
}

/** The service's message about a failed request, with a button to try again where that makes sense. */
export function ErrorMessage({ error, retry }: { error: unknown; retry?: () => unknown }) {
  if (!error) return null;
  const problem = error instanceof ApiError ? error : undefined;
  return (
    <Alert color="red" variant="light" title="No se pudo" icon={<Icon name="alert" />} role="alert" my="sm">
      <Text size="sm">{problem?.message ?? "Algo falló en esta página. Vuelva a cargarla."}</Text>
      {problem?.retryAfterSeconds !== undefined && (
        <Text size="sm">Puede volver a intentar {waiting(problem.retryAfterSeconds)}.</Text>
      )}
      {problem?.requestId && problem.status >= 500 && (
        <Text size="sm" className="mono">
          {problem.requestId}
        </Text>
      )}
      {retry && (
        <Button mt="xs" size="xs" variant="default" onClick={() => void retry()}>
          Intentar de nuevo
        </Button>
      )}
    </Alert>
  );
}

function waiting(seconds: number): string {
  if (seconds < 90) return `en ${seconds} segundos`;
  if (seconds < 5_400) return `en ${Math.ceil(seconds / 60)} minutos`;
  return `en ${Math.ceil(seconds / 3_600)} horas`;
}

export function Loading() {
  return (
    <Center py="xl" role="status" aria-label="Cargando">
      <Loader size="sm" />
    </Center>
  );
}

/** Stands in for an empty list: says what would be here and what to do next. */
export function Empty({ icon, title, children }: { icon: IconName; title: string; children?: ReactNode }) {
  return (
    <div style={{ padding: "2.5rem 1rem", textAlign: "center" }}>
      <Text c="dimmed" component="div">
        <Icon name={icon} size={36} />
      </Text>
      <Text fw={600} mt="xs">
        {title}
      </Text>
      <Text c="dimmed" mt={4} component="div" maw="34rem" mx="auto">
        {children}
      </Text>
    </div>
  );
}

/** The page of a record that is not in its list. */
export function NotFound({
  heading,
  back,
  icon,
  title,
  list,
}: {
  heading: string;
  back: { to: string; label: string };
  icon: IconName;
  title: string;
  list: { error: Error | null; refetch: () => unknown };
}) {
  return (
    <>
      <Heading title={heading} back={back} />
      <ErrorMessage error={list.error} retry={list.refetch} />
      {!list.error && (
        <Empty icon={icon} title={title}>
          <Link href={back.to}>Vea las que hay</Link>.
        </Empty>
      )}
    </>
  );
}

export function StateBadge({ title, color }: { title: string; color: string }) {
  return <span className={`state state-${color}`}>{title}</span>;
}

/** A time as people write it; the tooltip shows it to the millisecond. */
export function Time({ at, relative = false }: { at: string; relative?: boolean }) {
  return (
    <time dateTime={at} title={exactMoment(at)}>
      {inTwoParts(relative ? ago(at) : moment(at))}
    </time>
  );
}

/** Where there is little room, the hour stands below the day: neither is broken. */
function inTwoParts(text: string): string {
  const [day, ...hour] = text.split(", ");
  return [day, ...hour].map((part = "") => part.replaceAll(" ", "\u00a0")).join(", ");
}

export function Copy({ value, label }: { value: string; label: string }) {
  return (
    <CopyButton value={value} timeout={2_000}>
      {({ copied, copy }) => (
        <ActionIcon
          title={label}
          variant="subtle"
          color="gray"
          size="sm"
          onClick={copy}
          aria-label={copied ? "Copiado" : label}
        >
          <Icon name={copied ? "check" : "copy"} size={16} />
        </ActionIcon>
      )}
    </CopyButton>
  );
}

/** An id, abbreviated unless `whole`; the button copies all of it. */
export function Id({ value, label, whole = false }: { value: string; label: string; whole?: boolean }) {
  return (
    <Group gap={4} wrap="nowrap" display="inline-flex">
      <span className="mono" title={value}>
        {whole ? value : `${value.slice(0, 8)}…${value.slice(-6)}`}
      </span>
      <Copy value={value} label={label} />
    </Group>
  );
}

export function LoadMore({
  list,
}: {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}) {
  if (!list.hasNextPage) return null;
  return (
    <Center mt="md">
      <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        Ver más
      </Button>
    </Center>
  );
}
