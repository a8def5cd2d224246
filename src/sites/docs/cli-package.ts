import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { downloadsPath } from "./downloads-path.ts";
import { npmPackage } from "./npm-package.ts";

export const cliPath = `${downloadsPath}/mostrador-cli.tgz`;

const read = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), "utf8");

/**
 * `@mostrador/cli`: the service's own commands for integrators, as plain JavaScript. It knows from which installation it comes, and speaks
 * with that one unless told otherwise.
 */
export async function cliPackage(publicUrl: string): Promise<Buffer> {
  const manifest = {
    ...JSON.parse(read("cli/package.json")),
    mostrador: { url: publicUrl, package: publicUrl + cliPath },
  };
  const own: [string, string][] = [
    ["package.json", `${JSON.stringify(manifest, null, 2)}\n`],
    ["README.md", read("cli/README.md").replaceAll("http://127.0.0.1:3000", publicUrl)],
    ["bin.mjs", read("cli/bin.mjs")],
    ["end-with-starter.mjs", read("bin/end-with-starter.mjs")],
  ];
  return npmPackage(new Map([...own, ...(await sources())]));
}

/** In a thread, because the compiler would stay in memory. */
async function sources(): Promise<[string, string][]> {
  const worker = new Worker(new URL("./cli-package-worker.ts", import.meta.url), {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  try {
    const [files] = await once(worker, "message");
    return files;
  } finally {
    await worker.terminate();
  }
}
