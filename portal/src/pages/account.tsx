import { Redirect } from "wouter";

/** Its sections have pages of their own now. Mails that were sent before still point here. */
const places: Record<string, string> = {
  "#perfil-fiscal": "/ajustes/facturacion#perfil-fiscal",
  "#rangos": "/ajustes/facturacion#rangos",
};

export default function FormerAccountPage() {
  return <Redirect to={places[window.location.hash] ?? "/ajustes/negocio"} replace />;
}
