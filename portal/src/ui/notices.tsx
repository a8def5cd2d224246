import { Notification } from "@mantine/core";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import { Icon } from "./icons.tsx";

const Notify = createContext<(text: string) => void>(() => {});
const shownMs = 6_000;

/** Shows what was just done for a few seconds. Screen readers announce it. */
export function NoticeProvider({ children }: { children: ReactNode }) {
  const [notice, setNotice] = useState<{ text: string; id: number } | undefined>();
  const notify = useCallback((text: string) => setNotice((before) => ({ text, id: (before?.id ?? 0) + 1 })), []);
  useEffect(() => {
    if (!notice) return;
    const timer = setTimeout(() => setNotice(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [notice]);
  return (
    <Notify value={notify}>
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
    </Notify>
  );
}

export const useNotify = () => useContext(Notify);
