import { escapeHtml } from "../../lib/escape-html.ts";
import { languageNames } from "./calls.ts";
import type { Html } from "./html.ts";
import { tabs } from "./tabs.ts";

/** A fenced code block. */
export interface Fence {
  language: string;
  /** `archivo=servidor.mjs terminal=1` */
  attributes: Record<string, string>;
  text: string;
}

export interface Section {
  /** The heading's anchor; empty before the first one below the title. */
  id: string;
  title: string;
  /** Plain text, for the search. */
  text: string;
}

export interface Document {
  title: string;
  /** Its first paragraph, as plain text. */
  summary: string;
  html: Html;
  sections: Section[];
  fences: Fence[];
}

/** Supports the Markdown that the guides use: headings, paragraphs, lists, tables, fences, code, bold and links. */
export function renderMarkdown(source: string): Document {
  const blocks = splitBlocks(source);
  const title = blocks.find((block) => block.startsWith("# "))?.slice(2) ?? "";
  const sections: Section[] = [{ id: "", title, text: "" }];
  const fences: Fence[] = [];
  const rendered = blocks.map((block): string | Spoken => {
    const heading = /^(#{1,3}) (.+)$/.exec(block);
    if (heading) {
      const [, marks = "", text = ""] = heading;
      const id = slugOf(text);
      if (marks.length > 1) sections.push({ id, title: plain(text), text: "" });
      return marks.length === 1
        ? `<h1>${inline(text)}</h1>`
        : `<h${marks.length} id="${id}"><a href="#${id}">${inline(text)}</a></h${marks.length}>`;
    }
    sections.at(-1)!.text += `${plain(block)}\n`;
    if (block.startsWith("```")) {
      const fence = readFence(block);
      fences.push(fence);
      const { lenguaje } = fence.attributes;
      return lenguaje ? { language: lenguaje, html: renderFence(fence) } : renderFence(fence);
    }
    return renderBlock(block);
  });
  // A sentence that leads to what follows it says nothing on its own.
  const summary = plain(blocks.find(isParagraph) ?? "")
    .replaceAll("\n", " ")
    .replace(/(?<=\.) [^.]*:$/, "");
  return { title, summary, html: { html: withTabs(rendered).join("\n") }, sections, fences };
}

/** A fence of one language (`lenguaje=python`) among those that say the same in others. */
interface Spoken {
  language: string;
  html: string;
}

/** Fences of several languages that stand together become tabs; one language may have several of them. */
function withTabs(parts: readonly (string | Spoken)[]): string[] {
  const shown: string[] = [];
  let open: Spoken[] = [];
  const close = () => {
    const panels = Array.from(
      Map.groupBy(open, ({ language }) => language),
      ([language, fences]) => ({
        language,
        title: languageNames[language as keyof typeof languageNames] ?? language,
        body: { html: fences.map(({ html }) => html).join("\n") },
      }),
    );
    if (panels.length > 0) shown.push(tabs(panels).html);
    open = [];
  };
  for (const part of parts) {
    if (typeof part !== "string") open.push(part);
    else {
      close();
      shown.push(part);
    }
  }
  close();
  return shown;
}

/** Not a heading, a table, a list or code. */
function isParagraph(block: string): boolean {
  return !/^(#|```|\||- |\d+\. )/.test(block);
}

/** Blank lines separate blocks, except inside a fence; a heading is a block of its own. */
function splitBlocks(source: string): string[] {
  const blocks: string[] = [];
  let open: string[] = [];
  const close = () => {
    if (open.length > 0) blocks.push(open.join("\n"));
    open = [];
  };
  for (const line of source.trimEnd().split("\n")) {
    const isFenced = open[0]?.startsWith("```");
    if (isFenced) {
      open.push(line);
      if (line === "```") close();
    } else if (line === "") close();
    else if (/^(#{1,3} |```)/.test(line)) {
      close();
      open.push(line);
      if (line.startsWith("#")) close();
    } else open.push(line);
  }
  close();
  return blocks;
}

function readFence(block: string): Fence {
  const [first, ...lines] = block.split("\n");
  const [language = "", ...words] = first!.slice(3).split(" ");
  const attributes = Object.fromEntries(words.map((word) => [word.split("=")[0]!, word.split("=")[1] ?? ""]));
  return { language, attributes, text: `${lines.slice(0, -1).join("\n")}\n` };
}

function renderFence({ language, attributes, text }: Fence): string {
  const name = attributes.archivo ? `<figcaption>${escapeHtml(attributes.archivo)}</figcaption>` : "";
  return `<figure>${name}<pre><code class="language-${escapeHtml(language)}">${escapeHtml(text)}</code></pre></figure>`;
}

function renderBlock(block: string): string {
  const lines = block.split("\n");
  const items = (mark: RegExp) => lines.map((line) => `<li>${inline(line.replace(mark, ""))}</li>`).join("");
  if (lines.every((line) => line.startsWith("- "))) return `<ul>${items(/^- /)}</ul>`;
  if (lines.every((line) => /^\d+\. /.test(line))) return `<ol>${items(/^\d+\. /)}</ol>`;
  if (lines[1] && /^\|[-| ]+\|$/.test(lines[1])) return renderTable(lines);
  return `<p>${inline(lines.join(" "))}</p>`;
}

function renderTable([head, , ...rows]: string[]): string {
  const cells = (line: string) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => inline(cell.trim()));
  const row = (line: string, tag: string) =>
    `<tr>${cells(line)
      .map((cell) => `<${tag}>${cell}</${tag}>`)
      .join("")}</tr>`;
  const body = rows.map((line) => row(line, "td")).join("");
  return `<div class="table" role="region" aria-label="Tabla" tabindex="0"><table><thead>${row(head!, "th")}</thead><tbody>${body}</tbody></table></div>`;
}

/** Code comes first: inside it there is no bold text and no link. */
function inline(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => {
      if (part.startsWith("`")) return `<code>${escapeHtml(part.slice(1, -1))}</code>`;
      return escapeHtml(part)
        .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
        .replace(/\[([^\]]+)\]\((\/[^)\s]*)\)/g, '<a href="$2">$1</a>');
    })
    .join("");
}

function plain(block: string): string {
  return block
    .replace(/^```.*$/gm, "")
    .replace(/^\|[-| ]+\|$/gm, "")
    .replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replace(/^(- |\d+\. )/gm, "")
    .replace(/[`*|]/g, "")
    .trim();
}

export function slugOf(heading: string): string {
  return heading
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
