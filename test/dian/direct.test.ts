import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Submission } from "../../src/fiscal/authority/authority.ts";
import { directAuthority } from "../../src/fiscal/authority/dian/direct-authority.ts";
import type { Issuance } from "../../src/fiscal/authority/dian/document/issuance.ts";
import { kindOfDocument } from "../../src/fiscal/authority/dian/document/kinds.ts";
import { chance } from "../../src/operations/demo/random.ts";
import { randomSamples, type Sample, softwareId, testIssuance } from "../support/dian.ts";
import { type DianService, startDian } from "../support/dian-service.ts";
import { softwarePin, technicalKey } from "../support/fiscal.ts";
import { makeCertificates, testCertificates } from "../support/test-certificates.ts";

/** The day on which the random baskets are sold. */
const saleTime = new Date("2026-11-16T15:04:05.678Z");
let now = saleTime;
let dian: DianService;

beforeAll(async () => {
  dian = await startDian({ softwareId, pin: softwarePin, technicalKey }, () => now);
});
afterAll(() => dian[Symbol.asyncDispose]());
beforeEach(() => {
  now = saleTime;
  dian.known.clear();
  dian.asked.length = 0;
});

interface Changes {
  issuance?: (usual: Issuance) => Issuance;
  signer?: ReturnType<typeof testCertificates>["signer"];
  testSetId?: string;
  timeoutMs?: number;
}

function authority({
  issuance = (usual) => usual,
  signer = testCertificates().signer,
  testSetId,
  timeoutMs = 60_000,
}: Changes = {}) {
  return directAuthority({
    ...{ endpoint: dian.endpoint, dispatcher: dian.dispatcher, clock: { now: () => now }, timeoutMs },
    issuingOf: ({ document }) => {
      const usual = testIssuance(kindOfDocument(document));
      return Promise.resolve({ issuance: issuance(usual), signer, ...(testSetId !== undefined && { testSetId }) });
    },
  });
}

function submissionOf({ document }: Sample, trackId: string | null = null): Submission {
  return { accountId: "acc_1", document, settings: {}, token: null, trackId };
}

const pos = Array.from({ length: 20 }, (_, i) => randomSamples(chance(i + 1), i + 1)[0]!).find(
  ({ kind }) => kind === "pos",
)!;
const send = (changes?: Changes, of = pos) => authority(changes).send(submissionOf(of));

/** LONG=1 takes 3 000 baskets, which are some 9 000 documents. */
const baskets = process.env.LONG ? 3_000 : 12;

test(`${baskets} baskets, their notes and the notes of a part: the authority accepts each, and knows it afterwards`, {
  timeout: 3_600_000,
}, async () => {
  const direct = authority();
  for (let seed = 1; seed <= baskets; seed++)
    // A debit note is of no kind that the service issues yet.
    for (const [i, one] of randomSamples(chance(seed), seed)
      .filter(({ kind }) => kind !== "debit_note")
      .entries()) {
      dian.known.clear();
      const answer = await direct.send(submissionOf(one));
      expect(answer, `basket ${seed}, document ${i}, ${one.kind}`).toMatchObject({
        kind: "accepted",
        cufe: one.document.cufe,
      });
      const signed = Buffer.from((answer as { xml: string }).xml, "base64").toString("utf8");
      expect(signed).toBe(dian.files.at(-1)!.xml);
      dian.files.length = 0;
      expect(await direct.query(submissionOf(one))).toMatchObject({ kind: "accepted" });
    }
});

describe("the authority", () => {
  test("notifies and accepts", async () => {
    dian.turns.push("notify");
    expect(await send()).toMatchObject({ kind: "accepted", code: "00" });
  });

  test("rejects, and takes the same number again when the document is corrected", async () => {
    dian.turns.push("reject");
    expect(await send()).toMatchObject({ kind: "rejected", message: expect.stringContaining("FAK24") });
    expect(await send()).toMatchObject({ kind: "accepted" });
  });

  test("has not decided: a question later tells", async () => {
    dian.turns.push("processing");
    expect(await send()).toMatchObject({ kind: "processing" });
    const { cufe } = pos.document;
    expect(await authority().query(submissionOf(pos))).toMatchObject({ kind: "processing" });
    dian.known.get(cufe)!.isDecided = true;
    expect(await authority().query(submissionOf(pos))).toMatchObject({ kind: "accepted", cufe });
  });

  test.each(["cut after", "silent after"] as const)(
    "processes a document whose answer is lost (%s): asking by its code finds it, and sending it again doubles nothing",
    async (turn) => {
      dian.turns.push(turn);
      const sent = send(turn === "silent after" ? { timeoutMs: 1_500 } : {});
      expect(await sent).toMatchObject({ kind: "unavailable" });
      await expect.poll(() => dian.known.size).toBe(1);
      expect(await authority().query(submissionOf(pos))).toMatchObject({ kind: "accepted" });
      expect(await send()).toMatchObject({ kind: "duplicate" });
      expect(dian.known.size).toBe(1);
    },
  );

  test.each(["cut before", "away"] as const)(
    "is %s: it does not know the document, which is sent again",
    async (turn) => {
      dian.turns.push(turn);
      expect(await send()).toMatchObject({ kind: "unavailable" });
      expect(await authority().query(submissionOf(pos))).toMatchObject({ kind: "unknown" });
      expect(await send()).toMatchObject({ kind: "accepted" });
    },
  );

  test("answers a fault: a setting is wrong, and nothing was processed", async () => {
    dian.turns.push("fault");
    expect(await send()).toMatchObject({ kind: "misconfigured", code: "SOAP" });
    expect(dian.known.size).toBe(0);
  });

  test("gives the ranges that it has", async () => {
    const { signer } = testCertificates();
    expect(await authority().numberingRanges("900373923-8", softwareId, signer)).toMatchObject({
      kind: "found",
      ranges: [{ prefix: "SETP", first: 990000000, validFrom: "2019-01-19", technicalKey }],
    });
  });
});

describe("the test set", () => {
  test("takes a document, and tells its verdict by the key of its archive", async () => {
    const answer = await send({ testSetId: "3f1f-set" });
    expect(answer).toMatchObject({ kind: "processing", trackId: expect.stringMatching(/^zip-/) });
    const { trackId } = answer as { trackId: string };
    expect(await authority().query(submissionOf(pos, trackId))).toMatchObject({ kind: "accepted" });
    expect(dian.asked).toEqual(["SendTestSetAsync", "GetStatusZip"]);
  });

  test("that is closed speaks of itself and of no document", async () => {
    dian.closedTestSet = true;
    expect(await authority().query(submissionOf(pos, "zip-1"))).toMatchObject({
      kind: "misconfigured",
      code: "2",
    });
    dian.closedTestSet = false;
  });
});

describe("the authority finds", () => {
  const wrong = (software: Partial<Issuance["software"]>) => ({
    issuance: (usual: Issuance) => ({ ...usual, software: { ...usual.software, ...software } }),
  });

  test.each([
    ["another PIN in the software's code", wrong({ pin: "54321" }), "FAB27b"],
    ["another software", wrong({ id: "00000000-aaaa" }), "FAB27b"],
  ])("%s", async (_, changes, rule) => {
    expect(await send(changes)).toMatchObject({ kind: "rejected", message: expect.stringContaining(rule) });
  });

  test("a total that its code does not say", async () => {
    const one = pos;
    const document = { ...one.document, total: one.document.total + 1000 };
    const answer = await send({}, { ...one, document });
    expect(answer).toMatchObject({ kind: "rejected", message: expect.stringMatching(/FAD06.*FAU14/) });
  });
});

describe("before a number is spent, without a call", () => {
  const range = (authorization: Partial<NonNullable<Issuance["authorization"]>> | null) => ({
    issuance: (usual: Issuance) => ({
      ...usual,
      authorization: authorization && { ...usual.authorization!, ...authorization },
    }),
  });

  test.each<[string, () => Changes, RegExp]>([
    ["a certificate of another business", () => makeCertificates({ nit: "800197268" }), /no es del NIT 900373923/],
    ["a certificate that ended", () => makeCertificates({ until: new Date("2026-05-01") }), /venció/],
    ["no authorization", () => range(null), /numeración de la DIAN falta/],
    ["the authorization of another prefix", () => range({ prefix: "OTRO" }), /es del prefijo OTRO/],
    ["a number out of it", () => range({ first: 5_000 }), /va de 5000/],
    ["a day out of it", () => range({ validUntil: "2026-11-15" }), /vale de/],
    [
      "no address",
      () => ({
        issuance: (usual) => ({
          ...usual,
          issuer: { ...usual.issuer, address: { ...usual.issuer.address, line: " " } },
        }),
      }),
      /falta la dirección/,
    ],
    [
      "a control character",
      () => ({ issuance: (usual) => ({ ...usual, cash: { ...usual.cash, location: "a\u0001" } }) }),
      /caracteres de control/,
    ],
  ])("%s is told", async (_, changes, message) => {
    const answer = await send(changes());
    expect(answer).toMatchObject({ kind: "misconfigured", message: expect.stringMatching(message) });
    expect(dian.asked).toEqual([]);
  });

  test("a document that waited over midnight in Bogotá is not sent with yesterday's date", async () => {
    now = new Date("2026-11-17T04:59:00Z");
    expect(await send()).toMatchObject({ kind: "accepted" });
    dian.known.clear();
    now = new Date("2026-11-17T05:00:30Z");
    expect(await send()).toMatchObject({ kind: "misconfigured", message: expect.stringContaining("de otro día") });
  });
});
