import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import type { Session } from "../lib/answers.ts";
import { signOut } from "../lib/api.ts";
import { client } from "../lib/queries.ts";
import { Icon, type IconName } from "./icons.tsx";
import { useNotify } from "./notices.tsx";
import { plainText } from "./plain-text.ts";

/** The business itself comes first and has no title of its own. */
export const groups = ["Negocio", "Desarrolladores", "Ajustes"] as const;
export type Group = (typeof groups)[number];

export interface MenuEntry {
  title: string;
  icon: IconName;
  /** The business, unless given. */
  group?: Group;
  /** Also in the bar at the foot of a small screen. */
  onPhone?: boolean;
}

export type Menu = readonly (MenuEntry & { path: string })[];

/** Whether an address belongs to an entry of the menu: its page or one below it. */
function isWithin(location: string, path: string): boolean {
  return path === "/" ? location === "/" : location === path || location.startsWith(`${path}/`);
}

export function Navigation({ menu, session, onOpen }: { menu: Menu; session: Session; onOpen: () => void }) {
  return (
    <>
      <div className="rail-name">
        <img src="/icon.svg" alt="" width={26} height={26} />
        <span>Mostrador</span>
      </div>
      <nav aria-label="Secciones">
        {groups.map((group) => {
          const entries = menu.filter((entry) => (entry.group ?? "Negocio") === group);
          if (entries.length === 0) return null;
          return (
            <div key={group}>
              {group !== "Negocio" && (
                <p className="rail-group" id={`menu-${group}`}>
                  {group}
                </p>
              )}
              <ul className="quiet-list" aria-label={group}>
                {entries.map((entry) => (
                  <li key={entry.path}>
                    <Entry entry={entry} onOpen={onOpen} />
                  </li>
                ))}
              </ul>
            </div>
          );
        })}
      </nav>
      <div style={{ marginTop: "1.5rem" }}>
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
      </div>
    </>
  );
}

function Entry({ entry: { path, title, icon }, onOpen }: { entry: Menu[number]; onOpen: () => void }) {
  const [location] = useLocation();
  const link = useRef<HTMLAnchorElement>(null);
  const isHere = isWithin(location, path);
  // The menu is longer than most screens: whoever comes by an address sees where she is.
  useEffect(() => {
    if (isHere) link.current?.scrollIntoView({ block: "nearest" });
  }, [isHere]);
  return (
    <Link ref={link} href={path} className="navlink" aria-current={isHere ? "page" : undefined} onClick={onOpen}>
      <Icon name={icon} />
      {title}
    </Link>
  );
}

/** The bar of small screens: the pages of every day, and the whole menu behind «Más». */
export function Tabs({
  menu,
  isMenuOpen,
  onMenu,
  onOpen,
}: {
  menu: Menu;
  isMenuOpen: boolean;
  onMenu: () => void;
  onOpen: () => void;
}) {
  const [location] = useLocation();
  return (
    <nav className="tabs" aria-label="Atajos">
      {menu
        .filter(({ onPhone }) => onPhone)
        .map(({ path, title, icon }) => (
          <Link
            key={path}
            href={path}
            className="tab"
            aria-current={isWithin(location, path) && !isMenuOpen ? "page" : undefined}
            onClick={onOpen}
          >
            <Icon name={icon} />
            {title}
          </Link>
        ))}
      <button type="button" className="tab" aria-expanded={isMenuOpen} aria-controls="menu" onClick={onMenu}>
        <Icon name={isMenuOpen ? "close" : "menu"} />
        {isMenuOpen ? "Cerrar" : "Más"}
      </button>
    </nav>
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
