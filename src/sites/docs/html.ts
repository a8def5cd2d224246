import { escapeHtml } from "../../lib/escape-html.ts";

/** A piece of HTML that is safe to put into a page. */
export interface Html {
  html: string;
}

/** Everything put into the template is escaped, except what already is HTML. */
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

/** A sentence in which `backticks` mark code, as our messages are written. */
export function prose(text: string): Html {
  return { html: escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>") };
}
