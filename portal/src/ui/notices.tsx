import { Notification } from "@mantine/core";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import { Icon } from "./icons.tsx";

const Tell = createContext<(text: string) => void>(() => {});
const shownMs = 6_000;

/** A line that says what was just done, seen and read aloud, gone after a while. */
export function NoticeProvider({ children }: { children: ReactNode }) {
  const [notice, setNotice] = useState<{ text: string; id: number } | undefined>();
  const tell = useCallback((text: string) => setNotice((before) => ({ text, id: (before?.id ?? 0) + 1 })), []);
  useEffect(() => {
    if (!notice) return;
    const timer = setTimeout(() => setNotice(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <Tell value={tell}>
      {children}
      <div
        role="status"
        aria-live="polite"
        style={{ position: "fixed", right: 16, bottom: 16, left: 16, zIndex: 500, maxWidth: 400, marginLeft: "auto" }}
      >
        {notice && (
          <Notification
            key={notice.id}
            icon={<Icon name="check" />}
            withBorder
            onClose={() => setNotice(undefined)}
            closeButtonProps={{ "aria-label": "Cerrar el aviso" }}
          >
            {notice.text}
          </Notification>
        )}
      </div>
    </Tell>
  );
}

export const useNotice = () => useContext(Tell);
