import { useState } from "react";
import { useScan } from "../scan/use-scan.ts";
import { PassingNote } from "./passing-note.tsx";
import { play } from "./sounds.ts";

interface Props {
  /** What did not happen to it. */
  what?: "no se usó" | "no se agregó";
  /** What comes first. */
  first?: string;
}

/** Where a scan is of no use: what is done there stays as it is, and the scan is not swallowed without a word. */
export function UnusedScan({ what = "no se usó", first = "Termine aquí primero" }: Props) {
  const [isTold, setTold] = useState(false);
  useScan({
    take() {
      play("unknown");
      setTold(true);
      return undefined;
    },
  });
  if (!isTold) return null;
  return (
    <PassingNote className="problem" onGone={() => setTold(false)}>
      Lo que escaneó {what}. {first} y escanéelo otra vez.
    </PassingNote>
  );
}
