import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { type Fence, renderMarkdown } from "../../src/sites/docs/markdown.ts";
import { signatureHeader } from "../../src/webhooks/endpoints/signature.ts";
import { shared } from "../support/fixtures.ts";
import { hasComposer, hasPip, withoutComposer, withoutPip } from "../support/languages.ts";
import { freePort } from "../support/process.ts";
import { startService } from "../support/service.ts";

const run = promisify(execFile);

/** At the address that it says it has, because what it serves leads back to it. */
const service = shared(async () => {
  const PORT = String(await freePort());
  return startService({ PORT, PUBLIC_URL: `http://127.0.0.1:${PORT}` });
});

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const languages = [
  { name: "javascript", isHere: true, lacks: "", says: "true Ana\nplaced 2000\n" },
  { name: "python", isHere: hasPip, lacks: withoutPip, says: "True Ana\nplaced 2000\n" },
  { name: "php", isHere: hasComposer, lacks: withoutComposer, says: "true Ana\nplaced 2000\n" },
];

describe("a stranger without a clone follows the page of downloads, word for word, with", () => {
  test.for(languages)("$name", async ({ name, isHere, lacks, says }, context) => {
    if (!isHere) return context.skip(lacks);
    const page = await (await fetch(`${service.baseUrl}/docs/descargas.md`)).text();
    const shop = await service.business();
    const port = String(await freePort());
    const folder = await mkdtemp(join(tmpdir(), `mostrador-${name}-`));
    undo.push(() => rm(folder, { recursive: true, force: true }));
    const secret = "whsec_de_un_extrano";
    const { PATH } = process.env;
    const env = {
      PATH,
      HOME: folder,
      MOSTRADOR_API_KEY: shop.key,
      MOSTRADOR_WEBHOOK_SECRET: secret,
      COMPOSER_ALLOW_SUPERUSER: "1",
    };
    const fences = renderMarkdown(page.replaceAll("4242", port)).fences.filter(
      ({ attributes }) => attributes.carpeta === name,
    );
    expect(fences.length).toBeGreaterThan(4);
    const startedAt = performance.now();
    let said = "";
    let receiver: ChildProcess | undefined;
    for (const fence of fences) {
      if (fence.attributes.archivo) await writeFile(join(folder, fence.attributes.archivo), fence.text);
      else if (fence.attributes.terminal) receiver = open(fence, folder, env);
      else said += (await run("sh", ["-ec", withoutOthers(fence.text)], { cwd: folder, env })).stdout;
    }
    expect(said.slice(-says.length), said).toBe(says);

    let heard = "";
    for (const stream of [receiver!.stdout!, receiver!.stderr!]) stream.on("data", (chunk) => (heard += chunk));
    await shop.api.post("/customers", { name: `Evento para ${name}` });
    const [event] = (await shop.api.get("/events?limit=1")).body.data;
    const body = JSON.stringify({ ...event, api_version: "2026-09-28" });
    const send = (header: string) =>
      fetch(`http://127.0.0.1:${port}/`, {
        method: "POST",
        headers: { "content-type": "application/json", "service-signature": header },
        body,
      }).then(
        ({ status }) => status,
        () => 0,
      );
    const now = Math.floor(Date.now() / 1000);
    await expect.poll(() => send(signatureHeader(body, ["whsec_nuevo", secret], now))).toBe(204);
    expect(await send(signatureHeader(body, ["whsec_ajeno"], now))).toBe(400);
    await expect.poll(() => heard).toContain("Verificado: customer.created");
    // For whoever reads the log: two minutes is what a stranger has patience for.
    console.log(
      `${name}: de la instalación al webhook verificado, ${Math.round((performance.now() - startedAt) / 100) / 10} s`,
    );
  });
});

/** What the page uses, and nothing else: no Node, no Python, no PHP. */
const ofTheSystem = "sh curl openssl sed grep tr cut head cat date mktemp rm".split(" ");

test("a stranger with curl and openssl alone follows the page of downloads, word for word", async () => {
  const page = await (await fetch(`${service.baseUrl}/docs/descargas.md`)).text();
  const shop = await service.business();
  const folder = await mkdtemp(join(tmpdir(), "mostrador-curl-"));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const secret = "whsec_de_un_extrano";
  const PATH = join(folder, "bin");
  await mkdir(PATH);
  for (const tool of ofTheSystem) await symlink((await run("which", [tool])).stdout.trim(), join(PATH, tool));
  const env = { PATH, MOSTRADOR_API_KEY: shop.key, MOSTRADOR_WEBHOOK_SECRET: secret };
  const fences = renderMarkdown(page).fences.filter(({ attributes }) => attributes.carpeta === "curl");
  const said: string[] = [];
  for (const { attributes, text } of fences) {
    if (attributes.archivo) await writeFile(join(folder, attributes.archivo), text);
    else {
      const { stdout, stderr } = await run(join(PATH, "sh"), ["-ec", text], { cwd: folder, env });
      said.push(stdout + stderr);
    }
  }
  expect(said).toEqual([
    expect.stringMatching(/"name":"Ana".*"object":"list".*"name":"Ana"/s),
    expect.stringMatching(/"object":"order".*"status":"placed".*"total":2000/s),
    expect.stringMatching(/^Status: 204\r\n\r\nVerificado: order\.placed\n$/),
  ]);

  const [event] = (await shop.api.get("/events?limit=1")).body.data;
  const body = JSON.stringify({ ...event, api_version: "2026-09-28" });
  const now = Math.floor(Date.now() / 1000);
  const receive = async (header: string, received = body) => {
    const receiving = run(join(PATH, "sh"), ["receptor.sh"], {
      cwd: folder,
      env: { ...env, HTTP_SERVICE_SIGNATURE: header },
    });
    receiving.child.stdin!.end(received);
    const { stdout, stderr } = await receiving;
    return `${stdout.trim()} ${stderr.trim()}`.trim();
  };
  const signed = signatureHeader(body, ["whsec_nuevo", secret], now);
  expect(await receive(signed)).toBe(`Status: 204 Verificado: ${event.type}`);
  expect(await receive(signed, `${body} `)).toBe("Status: 400");
  expect(await receive(signatureHeader(body, ["whsec_ajeno"], now))).toBe("Status: 400");
  expect(await receive(signatureHeader(body, [secret], now - 301))).toBe("Status: 400");
  // The time is read before anything is calculated with it: shells run what stands between brackets.
  for (const header of ["", "v1=", "t=,v1=", "t=a[$(rm producto.txt)],v1=0", `t=${now},v1=.*`, `t=${now}\nt=1,v1=0`])
    expect(await receive(header)).toBe("Status: 400");
  expect(await readdir(folder)).toContain("producto.txt");
});

function open({ text }: Fence, cwd: string, env: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn("sh", ["-c", `exec ${text}`], { cwd, env, detached: true });
  undo.push(() => child.exitCode === null && process.kill(-child.pid!, "SIGKILL"));
  return child;
}

/** Where there is no network, Composer must not look for its public register; the package needs nothing of it. */
function withoutOthers(text: string): string {
  return text.replace("composer require", "composer config repo.packagist false\ncomposer require");
}

describe("what is served", () => {
  const read = async (path: string) => Buffer.from(await (await fetch(service.baseUrl + path)).arrayBuffer());

  test("every link of the page leads to a file, the same each time", async () => {
    const page = await (await fetch(`${service.baseUrl}/docs/descargas`)).text();
    const links = [...page.matchAll(/href="(\/docs\/[^"]+\.(?:tgz|whl|zip))"/g)].map(([, link]) => link!);
    expect(new Set(links).size).toBe(10);
    for (const link of links) {
      const answer = await fetch(service.baseUrl + link);
      expect([link, answer.status]).toEqual([link, 200]);
      expect(Buffer.from(await answer.arrayBuffer()).equals(await read(link))).toBe(true);
    }
  });

  test("the wheel says what it holds, file by file", async (context) => {
    if (!hasPip) return context.skip(withoutPip);
    const folder = await mkdtemp(join(tmpdir(), "mostrador-rueda-"));
    undo.push(() => rm(folder, { recursive: true, force: true }));
    await writeFile(
      join(folder, "mostrador-1.0.0-py3-none-any.whl"),
      await read("/docs/descargas/mostrador-1.0.0-py3-none-any.whl"),
    );
    const check = `
import base64, hashlib, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    assert wheel.testzip() is None
    rows = [line.rsplit(",", 2) for line in wheel.read("mostrador-1.0.0.dist-info/RECORD").decode().splitlines()]
    assert sorted(name for name, _, _ in rows) == sorted(wheel.namelist())
    for name, digest, size in rows[:-1]:
        data = wheel.read(name)
        assert digest == "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode(), name
        assert int(size) == len(data), name
    assert "mostrador/py.typed" in wheel.namelist()
    print(len(rows))
`;
    const { stdout } = await run("python3", ["-c", check, "mostrador-1.0.0-py3-none-any.whl"], { cwd: folder });
    expect(Number(stdout)).toBeGreaterThan(10);
  });
});
