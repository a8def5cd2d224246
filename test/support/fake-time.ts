import { readdirSync } from "node:fs";

/** Where Debian, Fedora and Alpine install libfaketime; some folders are named after the architecture. */
const folders = ["/usr/lib/faketime", "/usr/lib64/faketime", "/usr/local/lib/faketime", "/usr/lib"];
const file = "libfaketime.so.1";

/** The library that gives a single process another time, or undefined where it is not installed. */
export function findFakeTime(): string | undefined {
  if (process.platform !== "linux") return undefined;
  const ofArchitectures = readdirSync("/usr/lib", { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.includes("-linux-"))
    .map(({ name }) => `/usr/lib/${name}/faketime`);
  const folder = [...folders, ...ofArchitectures].find((one) => isIn(one));
  return folder && `${folder}/${file}`;
}

function isIn(folder: string): boolean {
  try {
    return readdirSync(folder).includes(file);
  } catch {
    return false;
  }
}
