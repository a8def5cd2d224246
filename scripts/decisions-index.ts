import { readdir, readFile } from "node:fs/promises";

const folder = new URL("../docs/decisions/", import.meta.url);
const introduction = `# Decisions

Written by \`npm run generate\` from the decisions themselves. One that is **replaced** says so under its title and is kept for its reasons; the others hold, with what the third column names.
`;

/** The index of all decisions. Throws if one links to a decision that does not exist, or if a number is taken twice. */
export async function decisionsIndex(): Promise<string> {
  const files = (await readdir(folder)).filter((name) => /^\d{4}-/.test(name)).sort();
  const rows = await Promise.all(files.map(async (file) => rowOf(file, await readFile(new URL(file, folder), "utf8"))));
  const numbers = files.map((file) => file.slice(0, 4));
  const twice = numbers.find((number, i) => numbers.indexOf(number) !== i);
  if (twice) throw new Error(`Two decisions have the number ${twice}.`);
  for (const { file, links } of rows) {
    const missing = links.find((link) => !files.includes(link));
    if (missing) throw new Error(`docs/decisions/${file} links to ${missing}, which does not exist.`);
  }
  return [
    introduction,
    "| | Decision | State |",
    "|---|---|---|",
    ...rows.map(({ number, file, title, state }) => `| ${number} | [${title}](${file}) | ${state} |`),
    "",
  ].join("\n");
}

function rowOf(file: string, text: string) {
  const [heading = "", , first = ""] = text.split("\n");
  const [, number, title] = /^# 0*(\d+)[.:] (.+)$/.exec(heading) ?? [];
  if (!number || !title) throw new Error(`docs/decisions/${file} must begin with "# <number>. <title>".`);
  const links = [...text.matchAll(/\]\((\d{4}-[a-z0-9-]+\.md)/g)].map(([, link]) => link!);
  return { file, number, title, links, state: stateOf(first) };
}

/** What the first paragraph says of other decisions, as far as it is about which one holds. */
function stateOf(first: string): string {
  if (/^(\*\*No longer true\*\*|Replaced by)/.test(first)) {
    const by = /decision (\d+)/.exec(first)?.[1];
    return by ? `**replaced** by ${by}` : "**replaced**";
  }
  const sentence = /^(Replaces|Changes|Adds to) (the .+? of )?\[?decision (\d+)\]?/.exec(first);
  return sentence ? `${sentence[1]!.toLowerCase()} ${sentence[2] ?? ""}${sentence[3]}` : "";
}
