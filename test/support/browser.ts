import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";

const run = promisify(execFile);
const projectDir = fileURLToPath(new URL("../..", import.meta.url));
const manifest = readFileSync(join(projectDir, "node_modules/@sparticuz/chromium/package.json"), "utf8");
const { version } = JSON.parse(manifest) as { version: string };

/**
 * A real Chromium from an npm package: it needs nothing from the system, not even NSS or fonts, and works for root and
 * for anyone else. Unpacking takes 8 s, once, into a folder of the user's own.
 */
export async function launchBrowser({
  fonts = givenFonts,
  handleSIGTERM = true,
}: {
  fonts?: string;
  /** Whether it is closed when this process is told to end. */
  handleSIGTERM?: boolean;
} = {}): Promise<Browser> {
  const { executablePath, env } = await unpackedBrowser(fonts);
  return chromium.launch({ executablePath, args, env, handleSIGTERM });
}

const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--font-render-hinting=none", "--lang=es-CO"];

/**
 * Folders of fonts: the machine's, and those of the package. With BROWSER_FONTS only those of another folder are there. Pages
 * bring their own typeface, and must fit with any of these where it does not arrive.
 */
const givenFonts = process.env.BROWSER_FONTS;

async function unpackedBrowser(fonts = givenFonts): Promise<{ executablePath: string; env: Record<string, string> }> {
  const home = await unpacked();
  const libraries = [join(home, "al2023/lib"), process.env.LD_LIBRARY_PATH].filter(Boolean).join(":");
  const env = { ...withoutOurs(), LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: await fontConfig(home, fonts) };
  return { executablePath: join(home, "chromium"), env };
}

/** A browser with a profile on disk, which a test may kill as a dead battery does. */
export interface MortalBrowser {
  browser: Browser;
  kill(): Promise<void>;
}

export async function startMortalBrowser(profile: string): Promise<MortalBrowser> {
  const { executablePath, env } = await unpackedBrowser();
  const own = [
    "--headless",
    "--remote-debugging-port=0",
    "--no-first-run",
    `--user-data-dir=${profile}`,
    "about:blank",
  ];
  // A group of its own: its renderers die with it.
  const child = spawn(executablePath, [...args, ...own], { env, detached: true, stdio: ["ignore", "ignore", "pipe"] });
  const address = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stderr.on("data", (chunk) => {
      said += chunk;
      const found = /DevTools listening on (ws:\S+)/.exec(said);
      if (found) resolve(found[1]!);
    });
    child.once("exit", () => reject(new Error(`the browser ended: ${said.slice(-500)}`)));
  });
  const browser = await chromium.connectOverCDP(address);
  return {
    browser,
    async kill() {
      const ended = child.exitCode === null ? once(child, "exit") : undefined;
      process.kill(-child.pid!, "SIGKILL");
      await ended;
    },
  };
}

function withoutOurs(): Record<string, string> {
  const kept = ["PATH", "HOME", "TMPDIR", "LANG"];
  return Object.fromEntries(kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]!]] : [])));
}

async function unpacked(): Promise<string> {
  const parent = join(tmpdir(), `mostrador-browser-${userInfo().username}`);
  const home = join(parent, `${version}-${process.arch}`);
  if (existsSync(join(home, "chromium"))) return home;
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const fresh = await mkdtemp(join(parent, "unpacking-"));
  // The package unpacks into the temporary folder, and its NSS only if it believes it runs on Amazon Linux.
  const unpack = `import chromium from "@sparticuz/chromium"; await chromium.executablePath();`;
  await run(process.execPath, ["--input-type=module", "-e", unpack], {
    cwd: projectDir,
    env: { ...withoutOurs(), TMPDIR: fresh, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs22.x" },
  });
  try {
    await rename(fresh, home);
  } catch {
    // Another test file unpacked it first.
    await rm(fresh, { recursive: true, force: true });
  }
  return home;
}

async function fontConfig(home: string, fonts: string | undefined): Promise<string> {
  const folders = fonts === undefined ? ["/usr/share/fonts", join(home, "fonts")] : [fonts];
  const name = createHash("sha256").update(folders.join()).digest("hex").slice(0, 16);
  const path = join(home, `fonts-${name}.conf`);
  if (existsSync(path)) return path;
  const listed = folders.map((folder) => `<dir>${folder}</dir>`).join("");
  const fresh = `${path}-${process.pid}`;
  await writeFile(
    fresh,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${listed}<cachedir>${home}/fonts-cache-${name}</cachedir></fontconfig>`,
  );
  await rename(fresh, path);
  return path;
}
