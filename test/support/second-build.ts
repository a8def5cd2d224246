import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { type SiteFile, siteFiles } from "../../src/sites/built/files.ts";

export interface SecondBuild extends Disposable {
  /** The path of its script. */
  script: string;
}

/** Builds Caja once more, with a mark in it, and serves that instead of the first until it is disposed of. */
export async function serveSecondBuild(): Promise<SecondBuild> {
  const result = await inProduction(() =>
    build({
      configFile: fileURLToPath(new URL("../../caja/vite.config.ts", import.meta.url)),
      logLevel: "error",
      build: { write: false },
      plugins: [{ name: "second-build", transform: marked }],
    }),
  );
  if (!("output" in result)) throw new Error("the bundler watches instead of building");
  const served = siteFiles("caja") as Map<string, SiteFile>;
  const before = new Map(served);
  const typeOf = (name: string) => [...before].find(([path]) => extname(path) === extname(name))![1].type;
  for (const file of result.output) {
    const plain = Buffer.from(file.type === "chunk" ? file.code : file.source);
    const { fileName } = file;
    served.set(`/${fileName}`, {
      type: typeOf(fileName),
      tag: `"second ${fileName}"`,
      plain,
      br: undefined,
      gzip: undefined,
    });
  }
  const entry = result.output.find((file) => file.type === "chunk" && file.isEntry)!;
  return {
    script: `/caja/${entry.fileName}`,
    [Symbol.dispose]() {
      served.clear();
      for (const [path, file] of before) served.set(path, file);
    },
  };
}

function marked(code: string, id: string): string | undefined {
  return id.endsWith("/caja/src/main.tsx") ? `${code}\ndocument.documentElement.dataset.build = "second";` : undefined;
}

/** In a test's own environment React's two halves would not fit together. */
async function inProduction<T>(work: () => Promise<T>): Promise<T> {
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = "production";
  try {
    return await work();
  } finally {
    process.env.NODE_ENV = before;
  }
}
