// Runs inside a page, evaluated by `layout.ts`: what is wrong with it at its present width, and which controls it has.
(() => {
  const isShown = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  };

  /** Cut off on purpose: what scrolls by itself, ends in an ellipsis, or is for screen readers only. */
  const isCut = (element) => {
    for (let one = element; one && one !== document.body; one = one.parentElement) {
      const { overflowX, clipPath } = getComputedStyle(one);
      if (clipPath !== "none" || (one !== element && /auto|scroll|hidden/.test(overflowX))) return true;
    }
    return false;
  };

  const nameOf = (element) =>
    (
      element.getAttribute("aria-label") ||
      element.labels?.[0]?.textContent ||
      element.textContent ||
      element.title ||
      element.placeholder ||
      ""
    )
      .replaceAll(/\s+/g, " ")
      .trim();
  const describe = (element) => `<${element.localName} ${element.className}> «${nameOf(element).slice(0, 40)}»`;

  /** Outside of the window, of the page's column, or of the card that holds it. */
  const stickingOut = () => {
    const found = [...document.querySelectorAll("#root *")].filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      const frame = element.parentElement.closest(".card, .page")?.getBoundingClientRect();
      const isOutside = right > Math.min(innerWidth, frame?.right ?? innerWidth) + 1 || left < (frame?.left ?? 0) - 1;
      return isOutside && !element.closest("svg") && isShown(element) && !isCut(element);
    });
    return found
      .filter((element) => !found.includes(element.parentElement))
      .map((one) => `sticks out: ${describe(one)}`);
  };

  /** Money, thousands and percentages. */
  const figure = /[-−]?\$\s?\d[\d.,]*|\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+(?:,\d+)?\s?%/g;

  const brokenFigures = () => {
    const texts = document.createTreeWalker(document.querySelector("#root"), NodeFilter.SHOW_TEXT);
    const broken = [];
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      for (const { 0: value, index } of text.data.matchAll(figure)) {
        const range = new Range();
        range.setStart(text, index);
        range.setEnd(text, index + value.length);
        const tops = Array.from(range.getClientRects(), ({ top }) => top);
        if (Math.max(...tops) - Math.min(...tops) > 4 && isShown(text.parentElement)) broken.push(`broken: ${value}`);
      }
    }
    return broken;
  };

  const overlapping = () => {
    const labels = [...document.querySelectorAll(".chart-labels b")].filter(isShown);
    return labels
      .filter((one, i) => one.parentElement.parentElement === labels[i - 1]?.parentElement.parentElement)
      .filter((one) => {
        const before = labels[labels.indexOf(one) - 1].getBoundingClientRect();
        return one.getBoundingClientRect().left < before.right;
      })
      .map((one) => `lies over another: ${describe(one)}`);
  };

  /** Of a table's rows the first is enough. Its extra columns are left out where there is no room: the record's page has them. */
  const all = () =>
    [
      ...document.querySelectorAll(
        "main :is(a[href], button, input:not([type=hidden], [type=file]), select, textarea)",
      ),
    ].filter((one) => !one.closest("tbody tr:nth-child(n + 2), .wide"));
  const keyOf = (element) => `${element.localName} ${nameOf(element)}`;

  /** Under a finger once it is scrolled to. */
  const isReachable = (element) => {
    element.scrollIntoView({ block: "center" });
    const { left, top, width, height } = element.getClientRects()[0];
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit !== null && (element.contains(hit) || hit.closest("label")?.control === element);
  };

  const unreachable = () =>
    all()
      .filter((one) => isShown(one) && !one.disabled && !isReachable(one))
      .map((one) => `out of reach: ${describe(one)}`);

  // A frame that is still moving to its new width would be measured on its way.
  const still = new CSSStyleSheet();
  still.replaceSync("* { transition: none !important; }");
  document.adoptedStyleSheets = [still];

  globalThis.layout = {
    /** The figures of a shop that sells a hundred times as much. */
    enlarge() {
      for (const { firstChild: text } of document.querySelectorAll(".figure-value"))
        if (text?.data?.startsWith("$")) text.data = "$\u00a0888.888.888";
    },
    /** What a page shows and offers only after something is opened is opened. */
    open() {
      for (const one of document.querySelectorAll("main button[aria-expanded=false]:not([aria-haspopup])"))
        if (isShown(one)) one.click();
    },
    controls: () => [...new Set(all().filter(isShown).map(keyOf))],
    faults() {
      const { scrollWidth } = document.documentElement;
      const faults = [
        ...(scrollWidth > innerWidth ? [`scrolls sideways: ${scrollWidth}`] : []),
        ...stickingOut(),
        ...brokenFigures(),
        ...overlapping(),
        ...unreachable(),
      ];
      scrollTo(0, 0);
      return [...new Set(faults)].slice(0, 8);
    },
  };
})();
