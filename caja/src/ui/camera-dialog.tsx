import { useEffect, useRef, useState } from "react";
import { Dialog } from "./dialog.tsx";

/** What of the browser's own reader of codes is used here; not every browser has one. */
interface Detector {
  detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}
type DetectorClass = new () => Detector;

const everyMs = 150;

/** Reads one code with the camera. Loaded when somebody asks for it. */
export default function CameraDialog({ onCode, onClose }: { onCode: (code: string) => void; onClose: () => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const latest = useRef(onCode);
  latest.current = onCode;
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let isOpen = true;
    let stream: MediaStream | undefined;
    async function read(): Promise<void> {
      const Reader = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector;
      if (!Reader)
        return setProblem(
          "Este navegador no lee códigos con la cámara; Chrome en Android sí. Use un lector o escriba el código.",
        );
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      const reader = new Reader();
      if (!isOpen || !video.current) return stop(stream);
      video.current.srcObject = stream;
      await video.current.play();
      while (isOpen) {
        const [found] = await reader.detect(video.current!).catch(() => []);
        if (found?.rawValue && isOpen) return latest.current(found.rawValue);
        await new Promise((resolve) => setTimeout(resolve, everyMs));
      }
    }
    void read().catch((error: unknown) => isOpen && setProblem(cameraProblem(error)));
    return () => {
      isOpen = false;
      stop(stream);
    };
  }, []);
  return (
    <Dialog title="Leer con la cámara" onClose={onClose}>
      {problem ? (
        <p role="alert" className="problem">
          {problem}
        </p>
      ) : (
        <>
          <video ref={video} className="camera" muted playsInline aria-label="Lo que ve la cámara" />
          <p>Ponga el código frente a la cámara.</p>
        </>
      )}
    </Dialog>
  );
}

function stop(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

function cameraProblem(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  if (name === "NotAllowedError")
    return "El navegador no tiene permiso para usar la cámara. Déselo junto a la dirección y pruebe de nuevo.";
  if (name === "NotReadableError") return "Otro programa está usando la cámara. Ciérrelo y pruebe de nuevo.";
  return "Este equipo no tiene una cámara que se pueda usar. Use un lector o escriba el código.";
}
