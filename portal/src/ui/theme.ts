import { type CSSVariablesResolver, createTheme } from "@mantine/core";

/**
 * The portal's type scale, and its colours: pine green for what can be done, maize for what is marked, and warm greys for the
 * rest. Every mark in a chart has a contrast of at least 3 : 1.
 */
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
  fontFamily: "var(--typeface)",
  fontFamilyMonospace: "ui-monospace, 'Cascadia Mono', Menlo, Consolas, 'Liberation Mono', monospace",
  fontSizes: { xs: "0.78rem", sm: "0.875rem", md: "0.9688rem", lg: "1.125rem", xl: "1.375rem" },
  headings: {
    fontWeight: "680",
    sizes: {
      h1: { fontSize: "1.75rem", lineHeight: "1.2" },
      h2: { fontSize: "1.0625rem", lineHeight: "1.35" },
      h3: { fontSize: "0.9375rem", lineHeight: "1.4" },
    },
  },
  radius: { xs: "0.25rem", sm: "0.375rem", md: "0.5rem", lg: "0.875rem", xl: "1.25rem" },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    // Its labels would fade from one colour scheme to the other, unreadable for a moment.
    SegmentedControl: { defaultProps: { transitionDuration: 0 } },
    // Fields are required unless their label says otherwise.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    Modal: { defaultProps: { centered: true, closeButtonProps: { "aria-label": "Cerrar" } } },
    Drawer: { defaultProps: { closeButtonProps: { "aria-label": "Cerrar" } } },
    PasswordInput: {
      defaultProps: { visibilityToggleButtonProps: { "aria-label": "Mostrar u ocultar la contraseña" } },
    },
  },
});

/** The library's colours out of the palette, ui/style.css and styles/base.css, which knows both schemes. */
const colors = {
  "--mantine-color-body": "var(--shade)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-dimmed": "var(--dim)",
  "--mantine-color-placeholder": "var(--placeholder)",
  "--mantine-color-anchor": "var(--brand-ink)",
  "--mantine-color-error": "var(--error)",
  "--mantine-color-default-border": "var(--border)",
  "--mantine-color-yellow-light": "var(--yellow-paper)",
  "--mantine-color-red-light": "var(--red-paper)",
};
export const variables: CSSVariablesResolver = () => ({ variables: {}, light: colors, dark: colors });
