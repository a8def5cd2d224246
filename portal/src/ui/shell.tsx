import { ActionIcon, AppShell, Group, ScrollArea, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, type ReactNode, Suspense, useLayoutEffect, useRef } from "react";
import { useLocation } from "wouter";
import type { Session } from "../lib/answers.ts";
import { useSedes } from "../lib/sedes.ts";
import { BusinessSwitch } from "./business-switch.tsx";
import { Icon } from "./icons.tsx";
import { type Menu, Navigation, Tabs } from "./navigation.tsx";
import { StateBadge } from "./parts.tsx";
import { SearchEverything } from "./search-everything.tsx";
import { SedeSwitch } from "./sede-switch.tsx";
import { StepUpDialog } from "./step-up-dialog.tsx";

const Bell = lazy(() => import("./bell.tsx"));

/** The frame of every page: the business, the menu and the sign-out button. */
export function Shell({ session, menu: whole, children }: { session: Session; menu: Menu; children: ReactNode }) {
  const isAlone = (useSedes().data ?? []).length < 2;
  const menu = isAlone ? whole.filter(({ path }) => path !== "/ajustes/sedes") : whole;
  const [location] = useLocation();
  const [isOpen, { toggle, close }] = useDisclosure();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // A new page starts at its top, for screen readers too, before anybody can press a key on it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the location changes
  useLayoutEffect(() => {
    if (!isFirst.current) {
      main.current?.focus({ preventScroll: true });
      window.scrollTo(0, 0);
    }
    isFirst.current = false;
    close();
  }, [location]);
  return (
    <AppShell
      layout="alt"
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: "md", collapsed: { mobile: !isOpen } }}
      padding={{ base: "md", lg: "xl" }}
    >
      <a className="skip" href="#contenido">
        Ir al contenido
      </a>
      <AppShell.Header px={{ base: "md", lg: "xl" }} bg="var(--mantine-color-body)" withBorder={false}>
        <Group h="100%" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" style={{ minWidth: 0 }}>
            <BusinessSwitch session={session} />
            {session.environment === "test" && <StateBadge title="Pruebas" color="yellow" />}
          </Group>
          <Group gap="xs" wrap="nowrap">
            <SearchEverything pages={menu} />
            {!session.must_enrol && (
              <Suspense fallback={null}>
                <Bell />
              </Suspense>
            )}
            <ColorSchemeSwitch />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" className={isOpen ? "rail is-open" : "rail"} id="menu" withBorder={false}>
        <AppShell.Section grow component={ScrollArea} type="auto" scrollbarSize={8}>
          <Navigation menu={menu} session={session} onOpen={close} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="contenido" ref={main} tabIndex={-1} style={{ outline: "none" }}>
        <div className="page">
          <SedeSwitch />
          {children}
        </div>
        <StepUpDialog />
      </AppShell.Main>
      <Tabs menu={menu} isMenuOpen={isOpen} onMenu={toggle} onOpen={close} />
    </AppShell>
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
