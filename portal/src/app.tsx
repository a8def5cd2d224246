import { Button } from "@mantine/core";
import { Activity, type ComponentType, lazy, Suspense, useState } from "react";
import { Link, Redirect, Route, Switch, useLocation } from "wouter";
import type { Session } from "./lib/answers.ts";
import { useSession } from "./lib/queries.ts";
import { SignedOutPage, SignIn } from "./pages/sign-in.tsx";
import { pages, sees } from "./pages.ts";
import { Boundary } from "./ui/boundary.tsx";
import { ErrorMessage, Heading, Loading } from "./ui/parts.tsx";
import { Shell } from "./ui/shell.tsx";

const Reset = lazy(() => import("./pages/reset.tsx"));
const UndoEmail = lazy(() => import("./pages/undo-email.tsx"));
const SignUp = lazy(() => import("./pages/sign-up.tsx"));
const Objection = lazy(() => import("./pages/objection.tsx"));
const InvitationPage = lazy(() => import("./pages/invitation.tsx"));

/** Pages that mails and the sign-in page lead to. Whoever is signed in sees them too. */
const openPages: Readonly<Record<string, ComponentType>> = {
  "/restablecer": Reset,
  "/deshacer-correo": UndoEmail,
  "/invitacion": InvitationPage,
  "/registro": SignUp,
  "/no-fui-yo": Objection,
};

const menuOf = (session: Session) =>
  pages.flatMap((page) => (page.menu && sees(session, page) ? [{ path: page.path, ...page.menu }] : []));

/**
 * The page at the current address. When a session ends, its page is hidden instead of removed: whoever signs in again to the same
 * business finds it as it was, with what was typed into it.
 */
export function App() {
  const session = useSession();
  const [location] = useLocation();
  const owner = useOwner(session.data, location);
  if (session.isPending) return <Loading />;
  if (session.error && !session.data && !owner) return <NoSession error={session.error} retry={session.refetch} />;
  const isSignedOut = !session.data || location in openPages;
  return (
    <>
      {isSignedOut && <SignedOut location={location} previousOwner={owner} />}
      {owner && (
        <Activity key={owner.account.id} mode={isSignedOut ? "hidden" : "visible"}>
          <Shell session={owner} menu={owner.must_enrol ? [] : menuOf(owner)}>
            <Pages location={location} session={owner} />
          </Shell>
        </Activity>
      )}
    </>
  );
}

/** The last session of this tab. Signing out, which leads to /ingreso, forgets it. */
function useOwner(session: Session | null | undefined, location: string): Session | undefined {
  const [owner, setOwner] = useState<Session>();
  if (session && session !== owner) {
    setOwner(session);
    return session;
  }
  if (session === null && owner && location === "/ingreso") {
    setOwner(undefined);
    return undefined;
  }
  return owner;
}

function SignedOut({ location, previousOwner }: { location: string; previousOwner: Session | undefined }) {
  const OpenPage = openPages[location];
  if (OpenPage) {
    return (
      <Boundary>
        <Suspense fallback={<Loading />}>
          <OpenPage />
        </Suspense>
      </Boundary>
    );
  }
  return <SignIn previousOwner={previousOwner} />;
}

const enrolment = "/ajustes/seguridad/segundo-paso";

function Pages({ location, session }: { location: string; session: Session }) {
  if (session.must_enrol && location !== enrolment) return <Redirect to={enrolment} replace />;
  return (
    <Boundary key={location}>
      <Suspense fallback={<Loading />}>
        <Switch>
          <Route path="/ingreso">
            <Redirect to="/" replace />
          </Route>
          {pages.map(({ component: Page, ...page }) => (
            <Route key={page.path} path={page.path}>
              {({ id = "" }: { id?: string }) =>
                sees(session, page) ? <Page key={id} id={id} /> : <NotAllowed session={session} path={page.path} />
              }
            </Route>
          ))}
          <Route>
            <Heading title="Esta página no existe" lead="Revise la dirección o siga por el menú." />
            <Button component={Link} href="/">
              Ir al inicio
            </Button>
          </Route>
        </Switch>
      </Suspense>
    </Boundary>
  );
}

/** Who may not see how the day goes begins where the menu does. */
function NotAllowed({ session, path }: { session: Session; path: string }) {
  const [first] = menuOf(session);
  if (path === "/" && first) return <Redirect to={first.path} replace />;
  return (
    <>
      <Heading title="Esta página no es de su rol" lead={`Aquí usted entra como ${session.role.title}.`} />
      <p>Si la necesita, pídale el permiso a {session.owners.join(" o a ")}.</p>
      {first && (
        <Button component={Link} href={first.path} mt="md">
          Ir a {first.title}
        </Button>
      )}
    </>
  );
}

function NoSession({ error, retry }: { error: Error; retry: () => unknown }) {
  return (
    <SignedOutPage title="El portal no responde" lead="Se conecta solo apenas el servicio responda.">
      <ErrorMessage error={error} retry={retry} />
    </SignedOutPage>
  );
}
