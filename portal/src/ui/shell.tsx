import {
  ActionIcon,
  AppShell,
  Burger,
  Group,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import type { Session } from "../lib/answers.ts";
import { signOut } from "../lib/api.ts";
import { client } from "../lib/queries.ts";
import { Icon, type IconName } from "./icons.tsx";
import { useNotify } from "./notices.tsx";
import { StateBadge } from "./parts.tsx";
import { plainText } from "./plain-text.ts";

export type Menu = readonly { path: string; title: string; icon: IconName }[];

/** The frame of every page: the business, the menu and the sign-out button. */
export function Shell({ session, menu, children }: { session: Session; menu: Menu; children: ReactNode }) {
  const [location] = useLocation();
  const [isOpen, { toggle, close }] = useDisclosure();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // A new page starts at its top, for screen readers too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the location changes
  useEffect(() => {
    if (!isFirst.current) {
      main.current?.focus({ preventScroll: true });
      window.scrollTo(0, 0);
    }
    isFirst.current = false;
    close();
  }, [location]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
      padding={{ base: "md", md: "xl" }}
    >
      <a className="skip" href="#contenido">
        Ir al contenido
      </a>
      <AppShell.Header px="md" bg="var(--paper)">
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={isOpen ? "Cerrar el menú" : "Abrir el menú"}
            />
            <img src="/icon.svg" alt="" width={26} height={26} />
            <Text fw={650} truncate data-testid="business">
              {session.account.name}
            </Text>
            {session.environment === "test" && <StateBadge title="Pruebas" color="yellow" />}
          </Group>
          <ColorSchemeSwitch />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" bg="var(--paper)">
        <nav aria-label="Secciones" style={{ flex: 1 }}>
          <ul className="quiet-list">
            {menu.map(({ path, title, icon }) => {
              const isHere = path === "/" ? location === "/" : location.startsWith(path);
              return (
                <li key={path}>
                  <Link href={path} className="navlink" aria-current={isHere ? "page" : undefined} onClick={close}>
                    <Icon name={icon} />
                    {title}
                  </Link>
                </li>
              );
            })}
          </ul>
        </nav>
        <a className="navlink" href="/docs">
          <Icon name="book" />
          Documentación
        </a>
        {session.mailbox && (
          <a className="navlink" href={session.mailbox} target="_blank" rel="noreferrer">
            <Icon name="mail" />
            Buzón de pruebas
          </a>
        )}
        <SignOut />
      </AppShell.Navbar>
      <AppShell.Main id="contenido" ref={main} tabIndex={-1} style={{ outline: "none" }}>
        <div className="page">{children}</div>
      </AppShell.Main>
    </AppShell>
  );
}

function SignOut() {
  const [, navigate] = useLocation();
  const notify = useNotify();
  const leaving = useMutation({
    mutationFn: signOut,
    // The session is still open, so the owner must know: the next person at this browser could use it.
    onError: (error) => notify(`No se pudo salir. ${plainText(error.message)}`),
    onSuccess() {
      client.clear();
      client.setQueryData(["session"], null);
      navigate("/ingreso");
    },
  });
  return (
    <button type="button" className="navlink" disabled={leaving.isPending} onClick={() => leaving.mutate()}>
      <Icon name="exit" />
      Salir
    </button>
  );
}

function ColorSchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light");
  const next = scheme === "dark" ? "light" : "dark";
  const label = next === "dark" ? "Usar el modo oscuro" : "Usar el modo claro";
  return (
    <ActionIcon
      title={label}
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      onClick={() => setColorScheme(next)}
    >
      <Icon name={next === "dark" ? "moon" : "sun"} />
    </ActionIcon>
  );
}
