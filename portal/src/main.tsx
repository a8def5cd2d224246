import "./ui/mantine-styles.ts";
import "./style.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { client } from "./lib/queries.ts";
import { NoticeProvider } from "./ui/notices.tsx";
import { theme, variables } from "./ui/theme.ts";

createRoot(document.getElementById("root")!).render(
  <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
    <QueryClientProvider client={client}>
      <NoticeProvider>
        <App />
      </NoticeProvider>
    </QueryClientProvider>
  </MantineProvider>,
);
