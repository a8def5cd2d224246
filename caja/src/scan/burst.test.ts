import { expect, test } from "vitest";
import { type Ending, isCutOff, isDoubtful, type Place, scannedTail, type TypedKey, textOf } from "./burst.ts";

/** Keys at these gaps, the last of which is repeated. */
function typed(text: string, ...gaps: number[]): TypedKey[] {
  let at = 1_000;
  return [...text].map((key, i) => {
    if (i > 0) at += gaps[(i - 1) % gaps.length]!;
    return { key, at };
  });
}

const read = (keys: TypedKey[], place: Place = "text", ending: Ending = "enter", known = ["7701234567"]) =>
  textOf(scannedTail(keys, { place, ending, isKnown: (code) => known.includes(code) }));

test("nobody types four keys this fast: a scanner did, whatever it read and wherever", () => {
  for (const place of ["nowhere", "text", "number"] as const)
    for (const gap of [0, 2, 20, 45])
      for (const code of ["7701234567", "AB-12", "9999", "12 34"]) expect(read(typed(code, gap), place)).toBe(code);
});

test("of a code behind what a person typed only the code counts", () => {
  const keys = [...typed("5*", 180), ...typed("7701234567", 10).map(({ key, at }) => ({ key, at: at + 340 }))];
  expect(read(keys)).toBe("7701234567");
});

test("a radio passes keys on unevenly, and the code is whole all the same", () => {
  const code = "7709999000031";
  for (const gaps of [
    [30, 60],
    [60, 49, 79, 57, 49, 41, 45, 29, 29, 30, 63, 37],
    [20, 40],
    [10, 110],
    [70, 30, 70, 90],
  ])
    for (const place of ["nowhere", "text", "number"] as const)
      expect(read(typed(code, ...gaps), place), `${gaps}`).toBe(code);
  expect(read(typed("5350", 60, 49, 79), "number")).toBe("5350");
  expect(read(typed(code, 40, 190, 80, 150, 60), "nowhere")).toBe(code);
  expect(read(typed(code, 40, 190, 80, 150, 60), "number")).toBe(code);
});

test("what comes after a pause inside a code is no code of its own", () => {
  const paused = (code: string, gap: number, at: number, pause: number) =>
    typed(code, ...Array.from({ length: code.length - 1 }, (_, i) => (i === at - 1 ? pause : gap)));
  for (const [gap, pause] of [
    [8, 60],
    [8, 150],
    [20, 100],
    [30, 70],
    [4, 190],
  ] as const)
    for (const at of [1, 4, 9]) {
      if (at === 1 && pause > 120) continue;
      expect(read(paused("7700000002101", gap, at, pause), "nowhere"), `${gap}, ${pause}`).toBe("7700000002101");
      expect(read(paused("AB-00002101", gap, at, pause), "text"), `${gap}, ${pause}`).toBe("AB-00002101");
    }
});

test("a digit that a person typed just before a whole code is hers", () => {
  for (const pause of [125, 135, 150, 190])
    for (const gap of [2, 10, 20, 45])
      for (const code of ["77012345", "7701234567890"]) {
        const keys = [{ key: "5", at: 1_000 }, ...typed(code, gap).map(({ key, at }) => ({ key, at: at + pause }))];
        for (const place of ["text", "number", "nowhere"] as const)
          expect(read(keys, place), `${pause} ${gap}`).toBe(code);
      }
});

test("keys of a register that type 00 or 000 at once are a person's", () => {
  const zeros = (...keys: [string, number][]) => {
    let at = 1_000;
    return keys.flatMap(([text, gap]) => {
      at += gap;
      return [...text].map((key) => ({ key, at }));
    });
  };
  expect(read(zeros(["2", 0], ["000", 150]), "number")).toBe("");
  expect(read(zeros(["2", 0], ["0", 150], ["000", 150]), "number")).toBe("");
  expect(read(zeros(["1", 0], ["000", 150], ["00", 150]), "number")).toBe("");
});

test("a slow and steady one is believed if the shop knows the code, or it is as long as codes are", () => {
  expect(read(typed("7701234567", 120), "number")).toBe("7701234567");
  expect(read(typed("7709999999999", 120), "number")).toBe("7709999999999");
  expect(read(typed("7701234567", 110, 130, 120), "text", "silence")).toBe("7701234567");
});

test("three keys at a scanner's pace are a code if the shop knows it, and are never the end of something longer", () => {
  for (const place of ["nowhere", "text", "number"] as const)
    for (const gap of [0, 2, 20, 30])
      for (const ending of ["enter", "tab", "silence"] as const) {
        expect(read(typed("123", gap), place, ending, ["123"]), `${place} ${gap} ${ending}`).toBe("123");
        expect(read(typed("124", gap), place, ending, ["123"])).toBe("");
        expect(read(typed("12", gap), place, ending, ["12"])).toBe("");
      }
  expect(read(typed("pan", 45), "text", "enter", ["pan"])).toBe("");
  expect(read(typed("000", 0), "number", "enter", ["000"])).toBe("");
  expect(read(typed("99123", 5, 150, 5, 5), "number", "enter", ["123"])).toBe("");
  expect(read(typed("123", 120), "nowhere", "enter", ["123"])).toBe("123");
  expect(read(typed("123", 120), "nowhere", "silence", ["123"])).toBe("");
});

test("a short code that a slow scanner may have typed is in doubt; what a hand types, or the shop does not know, is not", () => {
  const doubt = (keys: TypedKey[], known = ["5350", "500"]) =>
    isDoubtful(keys, "money", (code) => known.includes(code));
  for (const gaps of [[80], [120], [149], [40, 190, 80], [51, 51]]) {
    expect(doubt(typed("5350", ...gaps)), `${gaps}`).toBe(true);
    expect(read(typed("5350", ...gaps), "number", "enter", ["5350"]), `${gaps}`).toBe(gaps[0] === 51 ? "5350" : "");
  }
  expect(doubt(typed("500", 120))).toBe(true);
  expect(doubt(typed("5350", 150))).toBe(false);
  expect(doubt(typed("5351", 120))).toBe(false);
  expect(doubt(typed("50", 120), ["50"])).toBe(false);
  expect(doubt(typed("pan", 120), ["pan"])).toBe(false);
  // How many of something comes quicker to a hand than a sum.
  for (const [gaps, isAsked] of [
    [[40], true],
    [[75], true],
    [[30, 80], true],
    [[119], true],
    [[120], false],
  ] as const)
    expect(
      isDoubtful(typed("123", ...gaps), "quantity", () => true),
      `${gaps}`,
    ).toBe(isAsked);
});

test("digits that came too quickly for a hand, a moment before a code, are of the same code", () => {
  for (const [keys, pauseMs, isPart] of [
    [typed("77", 10), 300, true],
    [typed("770", 50), 600, true],
    [typed("77", 10), 601, false],
    [typed("77", 51), 300, false],
    [typed("7", 10), 300, false],
    [typed("pa", 10), 300, false],
    [[], 300, false],
  ] as const)
    expect(isCutOff(keys, (keys.at(-1)?.at ?? 0) + pauseMs), `${textOf(keys)} ${pauseMs}`).toBe(isPart);
});

test("a person's sums, documents and words are left alone", () => {
  expect(read(typed("50000", 120), "number")).toBe("");
  expect(read(typed("1020304050", 130), "text")).toBe("");
  expect(read(typed("chocolate", 110), "text")).toBe("");
  expect(read(typed("7701234567", 60, 190, 80, 150), "text")).toBe("");
});

test("where nothing can be typed a steady row of keys with a digit is a code", () => {
  expect(read(typed("8841", 120), "nowhere")).toBe("8841");
  expect(read(typed("88412233", 120), "nowhere", "silence")).toBe("88412233");
  expect(read(typed("8841", 120), "nowhere", "silence")).toBe("");
  expect(read(typed("++++++++", 120), "nowhere")).toBe("");
});

test("where nothing can be typed a code that stumbles is a code all the same", () => {
  const stumbling = typed("7701234567", 60, 190, 15, 150);
  expect(read(stumbling, "nowhere")).toBe("7701234567");
  expect(read(stumbling, "nowhere", "tab", [])).toBe("7701234567");
  expect(read(stumbling, "nowhere", "silence")).toBe("7701234567");
  expect(read(stumbling, "text")).toBe("");
  expect(read(typed("8841", 60, 190, 15), "nowhere")).toBe("8841");
  expect(read(typed("8841", 60, 190, 15), "nowhere", "silence")).toBe("");
});
