import { escapeHtml } from "../../lib/escape-html.ts";

/** HTML that is already escaped. */
export interface Html {
  html: string;
}

/** A template tag that escapes every value, except those that already are Html. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Html | readonly Html[])[]
): Html {
  const text = (value: (typeof values)[number]): string => {
    if (typeof value !== "object") return escapeHtml(String(value));
    return Array.isArray(value) ? value.map(text).join("\n") : (value as Html).html;
  };
  return { html: parts.reduce((before, part, i) => before + text(values[i - 1]!) + part) };
}

/** Renders `backticks` in a message as code. */
export function prose(text: string): Html {
  return { html: escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>") };
}
