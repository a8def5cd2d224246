import { lazy, Suspense } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { useSession } from "./lib/queries.ts";
import { SignIn } from "./pages/sign-in.tsx";
import { pages } from "./pages.ts";
import { Empty, ErrorMessage, Loading } from "./ui/parts.tsx";
import { Shell } from "./ui/shell.tsx";

const Reset = lazy(() => import("./pages/reset.tsx"));
const UndoEmail = lazy(() => import("./pages/undo-email.tsx"));
const menu = pages.flatMap(({ path, menu }) => (menu ? [{ path, ...menu }] : []));

/** The page at the current address. */
export function App() {
  const session = useSession();
  const [location] = useLocation();
  if (session.isPending) return <Loading />;
  if (session.error) return <ErrorMessage error={session.error} retry={session.refetch} />;
  if (location === "/restablecer" || location === "/deshacer-correo") {
    return <Suspense fallback={<Loading />}>{location === "/restablecer" ? <Reset /> : <UndoEmail />}</Suspense>;
  }
  if (!session.data) return <SignIn />;
  return (
    <Shell session={session.data} menu={menu}>
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
            <Empty icon="alert" title="Esta página no existe">
              Revise la dirección o siga por el menú.
            </Empty>
          </Route>
        </Switch>
      </Suspense>
    </Shell>
  );
}
