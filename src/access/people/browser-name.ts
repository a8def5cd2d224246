/** The most specific first: each of these calls itself by the names of those after it. */
const browsers = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\//, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/(Firefox|FxiOS)\//, "Firefox"],
  [/(Chrome|CriOS)\//, "Chrome"],
  [/Safari\//, "Safari"],
] as const;
const systems = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
] as const;

/** The browser and the system, precise enough for owners to recognize their own sessions. */
export function browserName(agent: string | null): string {
  const nameIn = (names: typeof browsers | typeof systems) => names.find(([pattern]) => pattern.test(agent ?? ""))?.[1];
  const [browser = "Programa", system] = [nameIn(browsers), nameIn(systems)];
  return system ? `${browser} en ${system}` : browser;
}
