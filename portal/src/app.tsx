import { Button } from "@mantine/core";
import { Activity, lazy, Suspense, useState } from "react";
import { Link, Redirect, Route, Switch, useLocation } from "wouter";
import type { Session } from "./lib/answers.ts";
import { useSession } from "./lib/queries.ts";
import { SignedOutPage, SignIn } from "./pages/sign-in.tsx";
import { pages } from "./pages.ts";
import { Boundary } from "./ui/boundary.tsx";
import { ErrorMessage, Heading, Loading } from "./ui/parts.tsx";
import { Shell } from "./ui/shell.tsx";

const Reset = lazy(() => import("./pages/reset.tsx"));
const UndoEmail = lazy(() => import("./pages/undo-email.tsx"));
const menu = pages.flatMap(({ path, menu }) => (menu ? [{ path, ...menu }] : []));

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
  const isSignedOut = !session.data || location === "/restablecer" || location === "/deshacer-correo";
  return (
    <>
      {isSignedOut && <SignedOut location={location} previousOwner={owner} />}
      {owner && (
        <Activity key={owner.account.id} mode={isSignedOut ? "hidden" : "visible"}>
          <Shell session={owner} menu={menu}>
            <Pages location={location} />
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
  if (location === "/restablecer" || location === "/deshacer-correo") {
    return (
      <Boundary>
        <Suspense fallback={<Loading />}>{location === "/restablecer" ? <Reset /> : <UndoEmail />}</Suspense>
      </Boundary>
    );
  }
  return <SignIn previousOwner={previousOwner} />;
}

function Pages({ location }: { location: string }) {
  return (
    <Boundary key={location}>
      <Suspense fallback={<Loading />}>
        <Switch>
          <Route path="/ingreso">
            <Redirect to="/" replace />
          </Route>
          {pages.map(({ path, component: Page }) => (
            <Route key={path} path={path}>
              {({ id = "" }: { id?: string }) => <Page key={id} id={id} />}
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

function NoSession({ error, retry }: { error: Error; retry: () => unknown }) {
  return (
    <SignedOutPage title="El portal no responde" lead="Se conecta solo apenas el servicio responda.">
      <ErrorMessage error={error} retry={retry} />
    </SignedOutPage>
  );
}
