import { lazy, Suspense } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { useSession } from "./lib/queries.ts";
import { Home } from "./pages/home.tsx";
import { SignIn } from "./pages/sign-in.tsx";
import { Empty, ErrorMessage, Loading } from "./ui/parts.tsx";
import { Shell } from "./ui/shell.tsx";

const Reset = lazy(() => import("./pages/reset.tsx"));
const UndoEmail = lazy(() => import("./pages/undo-email.tsx"));
const Webhooks = lazy(() => import("./pages/webhooks.tsx"));
const NewWebhook = lazy(() => import("./pages/webhook-new.tsx"));
const Webhook = lazy(() => import("./pages/webhook.tsx"));
const Deliveries = lazy(() => import("./pages/deliveries.tsx"));
const Delivery = lazy(() => import("./pages/delivery.tsx"));
const Events = lazy(() => import("./pages/events.tsx"));
const Event = lazy(() => import("./pages/event.tsx"));
const Keys = lazy(() => import("./pages/keys.tsx"));
const NewKey = lazy(() => import("./pages/key-new.tsx"));
const Key = lazy(() => import("./pages/key.tsx"));
const Devices = lazy(() => import("./pages/devices.tsx"));
const Device = lazy(() => import("./pages/device.tsx"));
const Documents = lazy(() => import("./pages/documents.tsx"));
const Account = lazy(() => import("./pages/account.tsx"));

/** Every page of the portal, by its address. */
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
    <Shell session={session.data}>
      <Suspense fallback={<Loading />}>
        <Switch>
          <Route path="/" component={Home} />
          <Route path="/ingreso">
            <Redirect to="/" replace />
          </Route>
          <Route path="/webhooks" component={Webhooks} />
          <Route path="/webhooks/nuevo" component={NewWebhook} />
          <Route path="/webhooks/:id">{({ id }) => <Webhook key={id} id={id} />}</Route>
          <Route path="/entregas" component={Deliveries} />
          <Route path="/entregas/:id">{({ id }) => <Delivery key={id} id={id} />}</Route>
          <Route path="/eventos" component={Events} />
          <Route path="/eventos/:id">{({ id }) => <Event key={id} id={id} />}</Route>
          <Route path="/claves" component={Keys} />
          <Route path="/claves/nueva" component={NewKey} />
          <Route path="/claves/:id">{({ id }) => <Key key={id} id={id} />}</Route>
          <Route path="/cajas" component={Devices} />
          <Route path="/cajas/:id">{({ id }) => <Device key={id} id={id} />}</Route>
          <Route path="/documentos" component={Documents} />
          <Route path="/cuenta" component={Account} />
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
