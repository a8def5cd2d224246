import {
  beginsAnew,
  type Ending,
  isCutOff,
  isDoubtful,
  isTypedAtNothing,
  type Meaning,
  type Place,
  scannedTail,
  silenceAfter,
  type TypedKey,
  textOf,
} from "./burst.ts";

/** What takes a scan while it is on the screen. The last one to come gets it, and may pass it on to the one before. */
export interface ScanTaker {
  /** Whether the shop has something with this code. */
  isKnown?(code: string): boolean;
  /** Returns "pass" for the one before. */
  take(code: string): "pass" | undefined;
  /** Asks whether it was a code, instead of whoever asks everywhere; false where that is no question. The field has what it had before. */
  ask?(doubt: Doubt): boolean | undefined;
}

/** What came into a field for numbers too quickly to be surely a person's, and too slowly to be surely a scanner's. */
export interface Doubt {
  code: string;
  /** What numbers in its field are. */
  meaning: Meaning;
  /** Puts it into its field: a person typed it. */
  keep(): void;
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

interface Struck extends TypedKey {
  /** The field as it was before this key. */
  field: Field | undefined;
  before: string;
  /** Nothing that takes text had the focus when these keys began. */
  isNowhere: boolean;
}

/** An Enter this soon after a code belongs to it. */
const lateEndingMs = 500;
/** An Enter this soon after digits that no field took presses no button, whoever typed them. */
const lateAtNothingMs = 1_000;

/** A code that nobody takes waits so long for the screen that is about to come; then it is told. */
const keptMs = 1000;

const takers: ScanTaker[] = [];
const untaken: { code: string; until: number }[] = [];
let asker: ((doubt: Doubt) => void) | undefined;
const tellers = new Set<(code: string) => void>();

let home: (() => HTMLElement | null) | undefined;

/** Where keys go that are typed while no field has the focus: "3*" after a tile was touched is for the box. */
export function setHome(find: typeof home): void {
  home = find;
}

/** The field that takes this key. */
function takerOf(event: KeyboardEvent): Field | undefined {
  const field = fieldOf(event.target);
  // A space presses the button that has the focus.
  if (field || event.key === " ") return field;
  const box = fieldOf(home?.() ?? null);
  box?.focus();
  return document.activeElement === box ? box : undefined;
}

export function addTaker(taker: ScanTaker): () => void {
  takers.push(taker);
  // Once all that come with it are there: the last one is the first to be asked.
  if (untaken.length > 0) queueMicrotask(handOver);
  return () => {
    const at = takers.indexOf(taker);
    if (at >= 0) takers.splice(at, 1);
  };
}

/** Who asks about what came into a field for numbers, where no taker does that itself. */
export function setAsker(ask: typeof asker): void {
  asker = ask;
}

function isQuestion(doubt: Doubt): boolean {
  const own = takers.at(-1)?.ask?.(doubt);
  if (own === undefined) asker?.(doubt);
  return own ?? asker !== undefined;
}

/** Hears of the codes that nobody took in time. */
export function onUntaken(listener: (code: string) => void): () => void {
  tellers.add(listener);
  return () => tellers.delete(listener);
}

export function deliver(code: string, until = performance.now() + keptMs): void {
  for (const taker of takers.toReversed()) if (taker.take(code) !== "pass") return;
  const kept = { code, until };
  untaken.push(kept);
  setTimeout(() => {
    const at = untaken.indexOf(kept);
    if (at < 0) return;
    untaken.splice(at, 1);
    for (const tell of tellers) tell(code);
  }, until - performance.now());
}

function handOver(): void {
  for (const { code, until } of untaken.splice(0)) deliver(code, until);
}

const isKnown = (code: string) => takers.some((taker) => taker.isKnown?.(code) ?? false);

/**
 * The only listener for scanners that type like a keyboard. It tells their keys from a person's by the rhythm, wherever the
 * focus is: a field gets back the text it had, and no key of a code presses a button.
 */
export function listenToScanner(target: Window): () => void {
  let keys: Struck[] = [];
  /** What no field took just before them, and may be of the same code. */
  let cutOff = "";
  let silence: ReturnType<typeof setTimeout> | undefined;
  /** The last key of a code that counted as over before its Enter came. */
  let endedAt = Number.NEGATIVE_INFINITY;

  function strike(event: KeyboardEvent): void {
    const isEnding = event.key === "Enter" || event.key === "Tab";
    const isOther = event.ctrlKey || event.metaKey || event.altKey || event.isComposing;
    if (isOther) forget();
    else if (isEnding) {
      const isNear = keys.length > 0 && !beginsAnew(keys, event.timeStamp);
      const lateMs = event.timeStamp - endedAt;
      if (lateMs >= 0 && lateMs < lateEndingMs) stop(event);
      else if (isNear && end(event.key === "Enter" ? "enter" : "tab")) stop(event);
      else if (isAtNothing(event)) stop(event);
      forget();
    } else if (event.key.length === 1 && !event.repeat) type(event);
    // A person holds a key down, a scanner never does; but it shifts for capital letters.
    else if (event.key !== "Shift") forget();
    // With another key between them, an Enter is a person's.
    if ((isOther || !isEnding) && event.key !== "Shift") endedAt = Number.NEGATIVE_INFINITY;
  }

  function isAtNothing(event: KeyboardEvent): boolean {
    const last = keys.at(-1);
    if (!last || last.field || event.timeStamp - last.at > lateAtNothingMs) return false;
    return isTypedAtNothing(keys);
  }

  function type(event: KeyboardEvent): void {
    if (beginsAnew(keys, event.timeStamp)) {
      // On a busy device the next code may come before the silence after this one was noticed.
      const isTaken = keys.length > 0 && end("silence");
      const isBeginning = !isTaken && keys.every(({ field }) => !field) && isCutOff(keys, event.timeStamp);
      cutOff = isBeginning ? cutOff + textOf(keys) : "";
      keys = [];
    }
    const isNowhere = fieldOf(event.target) === undefined || (keys.at(-1)?.isNowhere ?? false);
    const field = takerOf(event);
    keys.push({ key: event.key, at: event.timeStamp, field, before: field?.value ?? "", isNowhere });
    // On a button a space would press it.
    if (!field && keys.length > 1 && event.key === " ") stop(event);
    awaitSilence(silenceAfter(keys));
  }

  /** By the keys' own clock, and not while more of them wait to be handled: a busy device is slow, not silent. */
  function awaitSilence(ms: number): void {
    clearTimeout(silence);
    silence = setTimeout(() => {
      const last = keys.at(-1)!.at;
      const missingMs = silenceAfter(keys) - (performance.now() - last);
      if (missingMs > 0 || isInputPending()) return awaitSilence(Math.max(20, missingMs));
      // What is no code yet may be the beginning of one: the rest is told by its own time, however late it is handled.
      if (!end("silence")) return;
      endedAt = last;
      forget();
    }, ms);
  }

  /** Whether what was typed is a code; then it is delivered. */
  function end(ending: Ending): boolean {
    const scanned = scannedTail(keys, { place: placeOf(keys), ending, isKnown }) as Struck[];
    if (scanned.length === 0) return isAsked();
    const { field, before } = scanned[0]!;
    // Where nothing takes scans, a field keeps what was scanned into it: the code that links this register.
    if (takers.length === 0 && field) return false;
    if (field) giveBack(field, before);
    const isWhole = !field && scanned.length === keys.length;
    deliver(((isWhole ? cutOff : "") + textOf(scanned)).trim());
    return true;
  }

  /** Whether what was typed is neither code nor number until somebody says which. */
  function isAsked(): boolean {
    const { field, before = "" } = keys[0] ?? {};
    const meaning = field?.dataset.meaning as Meaning | undefined;
    if (!field || !meaning || placeOf(keys) !== "number" || !isDoubtful(keys, meaning, isKnown)) return false;
    const typed = field.value;
    function keep(): void {
      giveBack(field!, typed);
      field!.focus();
    }
    if (!isQuestion({ code: textOf(keys), meaning, keep })) return false;
    giveBack(field, before);
    return true;
  }

  function forget(): void {
    clearTimeout(silence);
    keys = [];
    cutOff = "";
  }

  target.addEventListener("keydown", strike, true);
  return () => {
    forget();
    target.removeEventListener("keydown", strike, true);
  };
}

function isInputPending(): boolean {
  const { scheduling } = navigator as { scheduling?: { isInputPending?: () => boolean } };
  return scheduling?.isInputPending?.() ?? false;
}

function stop(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

function fieldOf(target: EventTarget | null): Field | undefined {
  const isField =
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
  return isField ? target : undefined;
}

function placeOf(keys: readonly Struck[]): Place {
  const { field, isNowhere = true } = keys.at(-1) ?? {};
  if (!field || field instanceof HTMLSelectElement || (isNowhere && /^\d+$/.test(textOf(keys)))) return "nowhere";
  return field.inputMode === "numeric" || field.inputMode === "decimal" ? "number" : "text";
}

/** As if the keys had never been typed; React hears of it like of any other change. */
function giveBack(field: Field, text: string): void {
  if (field.value === text || !field.isConnected) return;
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")!;
  set!.call(field, text);
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }));
}
