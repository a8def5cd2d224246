import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { servedParts } from "../../src/app.ts";
import { parts } from "../../src/operations/start/start.ts";

const compose = readFileSync(new URL("../../compose.yaml", import.meta.url), "utf8");

test("compose.yaml publishes its ports on loopback only: the operator's TLS proxy faces the network", () => {
  const published = [...compose.matchAll(/^\s*- "([\d.:]+:\d+)"$/gm)].map(([, port]) => port);
  expect(published).toEqual(["127.0.0.1:8080:80"]);
});

test("compose.yaml trusts one proxy, not every private address", () => {
  expect(compose).toMatch(/^ {4}TRUST_PROXY: \$\{TRUST_PROXY:-1\}$/m);
  expect(compose).toContain("X-Forwarded-For $$proxy_add_x_forwarded_for");
});

test("compose.yaml and the systemd unit serve every part that there is", () => {
  const unit = readFileSync(new URL("../../ops/systemd/mostrador@.service", import.meta.url), "utf8");
  expect(compose).toContain(`["start", "--only", "${servedParts.join(",")}"]`);
  expect(unit).toContain(`PARTS=${parts.join(",")}\n`);
});

test("the image is built with what names its commit, and leaves nothing else of .git in it", () => {
  const [ignored, dockerfile] = [".dockerignore", "Dockerfile"].map((name) =>
    readFileSync(new URL(`../../${name}`, import.meta.url), "utf8"),
  );
  const ofGit = ignored!.split("\n").filter((line) => line.includes(".git"));
  expect(ofGit).toEqual([".git/*", "!.git/HEAD", "!.git/refs", "!.git/packed-refs"]);
  expect(dockerfile).toContain('RUN node scripts/note-commit.ts "$COMMIT" && rm -rf .git\n');
});
