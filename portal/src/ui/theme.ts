import { type CSSVariablesResolver, createTheme } from "@mantine/core";

/** The green of the developer site. Calm: one colour of our own, the rest greys and the colours of states. */
export const theme = createTheme({
  primaryColor: "verde",
  primaryShade: { light: 8, dark: 8 },
  colors: {
    verde: [
      "#e8f6f2",
      "#d3ebe4",
      "#a6d8ca",
      "#76c4ae",
      "#5fd0b3",
      "#37a98c",
      "#1f9377",
      "#117d64",
      "#0b6b57",
      "#075343",
    ],
  },
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'Cascadia Mono', Menlo, Consolas, 'Liberation Mono', monospace",
  headings: { fontWeight: "650", sizes: { h1: { fontSize: "1.6rem" }, h2: { fontSize: "1.15rem" } } },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    // Every field that is asked for is needed, except where it says so.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    Modal: { defaultProps: { centered: true, closeButtonProps: { "aria-label": "Cerrar" } } },
    Drawer: { defaultProps: { closeButtonProps: { "aria-label": "Cerrar" } } },
    PasswordInput: {
      defaultProps: { visibilityToggleButtonProps: { "aria-label": "Mostrar u ocultar la contraseña" } },
    },
  },
});

/** The library's greys for quiet text miss 4.5 : 1 on our papers; these do not. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#56616b",
    "--mantine-color-placeholder": "#68737d",
    "--mantine-color-anchor": "#0b6b57",
    "--mantine-color-error": "#c22525",
    "--paper": "#ffffff",
    "--shade": "#f5f7f8",
    "--line": "#dfe4e8",
    "--tint": "#e3f3ee",
    "--hover": "#f8faf9",
    "--green-paper": "#dcf2e4",
    "--green-ink": "#14532d",
    "--yellow-paper": "#fdf0cf",
    "--yellow-ink": "#6b4400",
    "--red-paper": "#fde4e4",
    "--red-ink": "#8f1d1d",
    "--gray-paper": "#e9edf0",
    "--gray-ink": "#3d4750",
  },
  dark: {
    "--mantine-color-dimmed": "#a7b0b8",
    "--mantine-color-placeholder": "#98a2ab",
    "--mantine-color-anchor": "#5fd0b3",
    "--mantine-color-error": "#ff8787",
    "--mantine-color-body": "#14171a",
    "--mantine-color-text": "#e3e7ea",
    "--paper": "#1b1f23",
    "--shade": "#14171a",
    "--line": "#30363c",
    "--tint": "#16342c",
    "--hover": "#1f2429",
    "--green-paper": "#173a28",
    "--green-ink": "#9be3b8",
    "--yellow-paper": "#41310f",
    "--yellow-ink": "#f3d48a",
    "--red-paper": "#4a1f20",
    "--red-ink": "#ffb9b9",
    "--gray-paper": "#2a3036",
    "--gray-ink": "#c6ced5",
  },
});
