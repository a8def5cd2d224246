import { foldText } from "../../engine/search/search-text.ts";
import { everyError } from "../../lib/errors.ts";
import type { Guide } from "./guides.ts";
import { operationsOf, tagPath } from "./reference-pages.ts";
import { closeness, meaningsOf, wordsOf } from "./search-words.ts";

/** Something that the search can find. */
export interface Place {
  href: string;
  title: string;
  text: string;
}

export interface Found {
  href: string;
  title: string;
  /** The words around the first match. */
  excerpt: string;
}

const maxResults = 20;
const aroundMatch = 90;

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is read as data
export function searchPlaces(guides: readonly Guide[], document: any): Place[] {
  return [
    ...guides.flatMap(({ path, title, sections }) =>
      sections.map((section) => ({
        href: section.id ? `${path}#${section.id}` : path,
        title: section.id ? `${title}: ${section.title}` : title,
        text: section.text,
      })),
    ),
    ...Object.entries(everyError).map(([code, { status, message }]) => ({
      href: `/docs/errores#${code}`,
      title: code,
      text: `HTTP ${status}. ${message}`,
    })),
    ...operationsOf(document).map(({ tag, method, path, id, summary, definition }) => ({
      href: `${tagPath(tag)}#${id}`,
      title: path ? `${summary}: ${method} ${path}` : `Evento ${summary}`,
      text: definition.description ?? "",
    })),
  ];
}

/** The places that match every word, best first; if none does, those that match some. */
export function searchFor(places: readonly Place[], query: string): Found[] {
  const words = wordsOf(query).map(meaningsOf);
  if (words.length === 0) return [];
  const scored = places.map((place) => {
    const [inTitle, inText] = [wordsOf(place.title), wordsOf(place.text)];
    const scores = words.map((meanings) => Math.max(3 * best(meanings, inTitle), best(meanings, inText)));
    return {
      place,
      score: scores.reduce((sum, score) => sum + score, 0),
      matchesAll: scores.every((score) => score > 0),
    };
  });
  const all = scored.filter(({ matchesAll }) => matchesAll);
  return (all.length > 0 ? all : scored.filter(({ score }) => score > 0))
    .sort((a, b) => b.score - a.score)
    .slice(0, maxResults)
    .map(({ place: { href, title, text } }) => ({ href, title, excerpt: excerptOf(text, words.flat()) }));
}

function best(meanings: readonly string[], words: readonly string[]): number {
  let most = 0;
  for (const [i, meaning] of meanings.entries()) {
    // What was typed counts for more than what it may mean.
    const weight = i === 0 ? 1 : 0.6;
    for (const word of words) most = Math.max(most, weight * closeness(meaning, word));
  }
  return most;
}

function excerptOf(text: string, words: readonly string[]): string {
  const flat = text.replace(/\s+/g, " ").trim();
  const folded = foldText(flat);
  const at = Math.max(0, folded.indexOf(words.find((word) => folded.includes(word)) ?? ""));
  const start = Math.max(0, at - aroundMatch);
  const cut = flat.slice(start, at + aroundMatch);
  return `${start > 0 ? "…" : ""}${cut}${at + aroundMatch < flat.length ? "…" : ""}`;
}
