/** What an OpenAPI document no longer says of what another one said: additions are no changes. */

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is read as data
type Json = any;

/** What explains, and what shows how a record may look. */
const texts = ["description", "summary", "example", "examples", "info", "tags", "externalDocs", "servers"];

export function contractChanges(former: Json, now: Json): string[] {
  return changesIn(former, now, [], false);
}

const names = ["properties", "schemas", "paths", "parameters", "responses", "headers"];

/** `isNamed`: the keys are names of fields, schemas or paths, and no keywords. */
function changesIn(former: Json, now: Json, path: readonly string[], isNamed: boolean): string[] {
  const at = path.join("/");
  if (now === undefined) return isRequest(path) && narrowing.includes(path.at(-1)!) ? [] : [`${at} is gone`];
  if (Array.isArray(former)) return listChanges(former, now, path);
  if (former === null || typeof former !== "object")
    return former === now ? [] : [`${at}: ${JSON.stringify(former)} became ${JSON.stringify(now)}`];
  const kept = Object.keys(former).flatMap((key) => {
    if (!isNamed && texts.includes(key)) return [];
    return changesIn(former[key], now[key], [...path, key], !isNamed && names.includes(key));
  });
  return [...kept, ...(isRequest(path) ? narrowed(former, now, at, isNamed) : [])];
}

function listChanges(former: Json[], now: Json[], path: readonly string[]): string[] {
  const [at, name] = [path.join("/"), path.at(-1)];
  if (name === "parameters") {
    const keyOf = (one: Json): string => one.$ref ?? `${one.in} ${one.name}`;
    const known = new Map(now.map((one) => [keyOf(one), one]));
    const kept = former.flatMap((one) => changesIn(one, known.get(keyOf(one)), [...path, keyOf(one)], false));
    const added = now.filter((one) => one.required && !former.some((other) => keyOf(other) === keyOf(one)));
    return [...kept, ...added.map((one) => `${at} now needs ${keyOf(one)}`)];
  }
  if (name === "required" && isRequest(path))
    return now.filter((one) => !former.includes(one)).map((one) => `${at} now needs ${one}`);
  const has = (one: Json) => now.some((other) => JSON.stringify(other) === JSON.stringify(one));
  return former.filter((one) => !has(one)).map((one) => `${at} no longer has ${JSON.stringify(one)}`);
}

const narrowing = ["maxLength", "minLength", "maximum", "minimum", "maxItems", "enum", "pattern", "format"];

/** What a request may no longer be. */
function narrowed(former: Json, now: Json, at: string, isNamed: boolean): string[] {
  if (isNamed) return [];
  return narrowing.filter((key) => key in now && !(key in former)).map((key) => `${at} is narrowed by ${key}`);
}

function isRequest(path: readonly string[]): boolean {
  const [first, second, name = ""] = path;
  if (first === "components") return second === "schemas" && /^new_|_changes$/.test(name);
  return path.includes("requestBody") || path.includes("parameters");
}
