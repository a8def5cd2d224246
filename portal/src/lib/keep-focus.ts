/**
 * A button that shows it is loading is disabled, and a disabled button loses the keyboard's focus. Gives it back as soon as the
 * button works again, unless the owner has moved on.
 */
export function keepFocus(root: Document): void {
  let focused: Element | null = null;
  root.addEventListener("focusin", ({ target }) => {
    focused = target instanceof Element ? target : null;
  });
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      if (target !== focused || !(target instanceof HTMLButtonElement) || target.disabled) continue;
      if (root.activeElement === root.body || root.activeElement === null) target.focus({ preventScroll: true });
    }
  }).observe(root.documentElement, { subtree: true, attributeFilter: ["disabled"] });
}
