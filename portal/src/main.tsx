import "../../src/sites/typeface/typeface.css";
import "./ui/mantine-styles.ts";
import "../../ui/style.css";
import "./style.css";
import "./ui/workbench.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { keepFocus } from "./lib/keep-focus.ts";
import { ownValidity } from "./lib/own-validity.ts";
import { client } from "./lib/queries.ts";
import { Boundary } from "./ui/boundary.tsx";
import { ConnectionNotice } from "./ui/connection-notice.tsx";
import { NoticeProvider } from "./ui/notices.tsx";
import { OtherBusinessNotice } from "./ui/other-business-notice.tsx";
import { ShownOnceProvider } from "./ui/shown-once.tsx";
import { theme, variables } from "./ui/theme.ts";

keepFocus(document);
ownValidity(document);
createRoot(document.getElementById("root")!).render(
  <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
    <QueryClientProvider client={client}>
      <NoticeProvider>
        <Boundary>
          <ShownOnceProvider>
            <App />
          </ShownOnceProvider>
        </Boundary>
        <ConnectionNotice />
        <OtherBusinessNotice />
      </NoticeProvider>
    </QueryClientProvider>
  </MantineProvider>,
);
