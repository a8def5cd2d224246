import { Button, Text } from "@mantine/core";
import { Component, type ReactNode, useEffect, useState } from "react";
import { answers, whenConnectionReturns } from "../lib/connection.ts";
import { Empty } from "./parts.tsx";

/**
 * Shows what can be done when a page fails, instead of a white one. A class, because React offers no other way to catch what a
 * component throws.
 */
export class Boundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return isMissingPart(error) ? <MissingPart /> : <Failed />;
  }
}

/** A part of the portal that could not be loaded: the service is away, or a newer version has replaced its files. */
function isMissingPart(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script failed|unable to preload|loading chunk|module script/i.test(
      error.message,
    )
  );
}

const reloadedAt = "reloaded at";
/** A second failure this soon after a reload would repeat forever. */
const reloadsApartMs = 20_000;

function MissingPart() {
  const [isStuck, setStuck] = useState(false);
  useEffect(() => {
    const reload = () => {
      if (Date.now() - Number(sessionStorage.getItem(reloadedAt) ?? 0) < reloadsApartMs) return setStuck(true);
      sessionStorage.setItem(reloadedAt, String(Date.now()));
      window.location.reload();
    };
    // Reloading while the service is away would leave the browser's own error page.
    const waiting = whenConnectionReturns(() => window.location.reload());
    const look = () => void answers().then((works) => works && reload());
    look();
    const timer = setInterval(look, 2_000);
    return () => {
      waiting();
      clearInterval(timer);
    };
  }, []);
  if (isStuck) return <Failed />;
  return (
    <div className="card" role="status">
      <Empty icon="alert" title="Esta página no se pudo cargar">
        <Text>Se carga sola apenas responda el servicio. Lo que escribió sigue guardado.</Text>
      </Empty>
    </div>
  );
}

function Failed() {
  return (
    <div className="card" role="alert">
      <Empty icon="alert" title="Algo falló en esta página">
        <Text>
          Vuelva a cargarla. Lo que escribió sigue guardado; si se repite, siga por el menú y avise a soporte.
        </Text>
        <Button mt="md" onClick={() => window.location.reload()}>
          Volver a cargar
        </Button>
      </Empty>
    </div>
  );
}
