import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { deliver, onUntaken } from "../scan/scanner.ts";
import { useScan } from "../scan/use-scan.ts";
import { PassingNote } from "./passing-note.tsx";
import { play } from "./sounds.ts";

interface Props {
  /** Where the cashier is: what was scanned at another place is over. */
  place: string;
  /** Shows the counter, if a shift is open. */
  onSell: (() => void) | undefined;
}

/** What was scanned where nothing takes scans: it is told, and is one touch from the ticket. */
export function StrayScan({ place, onSell }: Props) {
  const [code, setCode] = useState<string>();
  const [isTaken, setTaken] = useState(false);
  /** What lay on top of everything when it was scanned. */
  const [dialog, setDialog] = useState<HTMLDialogElement>();
  useScan({
    take(scanned) {
      play("unknown");
      setCode(scanned);
      setDialog([...document.querySelectorAll("dialog")].findLast(({ open }) => open));
      return undefined;
    },
  });
  useEffect(() => {
    if (!isTaken || code === undefined) return;
    // The counter is on the screen now, and takes it like any scan once its own effects have run.
    queueMicrotask(() => deliver(code));
    setTaken(false);
    setCode(undefined);
  }, [isTaken, code]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the way to another screen puts it away
  useEffect(() => {
    if (!isTaken) setCode(undefined);
  }, [place]);
  if (code === undefined) return null;
  // Behind it nobody would read it, nor reach its buttons.
  if (dialog)
    return createPortal(
      <PassingNote className="problem over" onGone={() => setCode(undefined)}>
        Se leyó {code}, y no se usó. Termine aquí primero y escanéelo otra vez.
      </PassingNote>,
      dialog,
    );
  return (
    <p role="alert" className="notice stray">
      <span>
        Se leyó {code}, y aquí no se vende.{onSell ? "" : " Abra primero el turno y escanéelo otra vez."}
      </span>
      {onSell && (
        <button
          type="button"
          className="primary"
          onClick={() => {
            onSell();
            setTaken(true);
          }}
        >
          Venderlo
        </button>
      )}
      <button type="button" onClick={() => setCode(undefined)}>
        Entendido
      </button>
    </p>
  );
}

/** What was scanned while no screen takes scans, and none came that does. */
export function UntakenScan() {
  const [code, setCode] = useState<string>();
  useEffect(
    () =>
      onUntaken((scanned) => {
        play("unknown");
        setCode(scanned);
      }),
    [],
  );
  if (code === undefined) return null;
  return (
    <p role="alert" className="notice stray">
      <span>Se leyó {code}, y no se usó. Escanéelo otra vez.</span>
      <button type="button" onClick={() => setCode(undefined)}>
        Entendido
      </button>
    </p>
  );
}
