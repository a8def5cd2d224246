import { basename } from "node:path";
import { type SiteFile, siteFiles } from "../../src/sites/built/files.ts";

export interface SecondVersion extends Disposable {
  /** The address of its script. */
  script: string;
}

/**
 * What a deploy leaves for a browser that has the version before: a script of another name, the former one gone, and a service
 * worker that lists it. The first version is served again once it is disposed of.
 */
export function deploySecondVersion(): SecondVersion {
  const served = siteFiles("caja") as Map<string, SiteFile>;
  const before = new Map(served);
  const page = before.get("/index.html")!.plain.toString();
  const former = basename(/src="([^"]+\.js)"/.exec(page)![1]!);
  const script = `second-${former}`;
  served.clear();
  for (const [path, file] of before) {
    const isText = /\.(js|html)$/.test(path);
    const plain = isText ? Buffer.from(file.plain.toString().replaceAll(former, script)) : file.plain;
    served.set(path.replace(former, script), {
      ...file,
      plain,
      tag: `"second ${path}"`,
      br: undefined,
      gzip: undefined,
    });
  }
  const worker = served.get("/sw.js")!;
  worker.plain = Buffer.from(worker.plain.toString().replace(/const version = "[^"]*"/, 'const version = "second"'));
  return {
    script: `/caja/assets/${script}`,
    [Symbol.dispose]() {
      served.clear();
      for (const [path, file] of before) served.set(path, file);
    },
  };
}
