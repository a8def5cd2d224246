/** Where drafts of forms are kept: in the tab, which survives a reload. A browser without storage keeps nothing. */
export const draftPrefix = "draft ";

export function readDraft<T>(place: string): Partial<T> | undefined {
  try {
    const text = sessionStorage.getItem(place);
    return text === null ? undefined : (JSON.parse(text) as Partial<T>);
  } catch {
    return undefined;
  }
}

/** A form that shows what it started with has nothing to keep. */
export function writeDraft<T>(place: string, value: T, start: T): void {
  try {
    const text = JSON.stringify(value);
    if (text === JSON.stringify(start)) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, text);
  } catch {}
}

export function forgetDraft(place: string): void {
  try {
    sessionStorage.removeItem(place);
  } catch {}
}

export function forgetDrafts(): void {
  try {
    for (const place of Object.keys(sessionStorage)) if (place.startsWith(draftPrefix)) forgetDraft(place);
  } catch {}
}
