// Adds a button that copies to every block of code.
for (const block of document.querySelectorAll("main pre")) {
  const frame = document.createElement("div");
  frame.className = "copyable";
  block.replaceWith(frame);
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copiar";
  button.addEventListener("click", () => {
    void copy(block.textContent).then((isDone) => {
      button.textContent = isDone ? "Copiado" : "Seleccione y copie";
      setTimeout(() => {
        button.textContent = "Copiar";
      }, 2000);
    });
  });
  frame.append(block, button);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

// Makes tabs of what is said in several languages; all of the page follow the one that was chosen.
const root = document.documentElement;
for (const [place, group] of document.querySelectorAll(".tabs").entries()) {
  const panels = [...group.querySelectorAll(":scope > .panel")];
  const list = document.createElement("div");
  list.className = "tab-list";
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", "Lenguaje");
  for (const [i, panel] of panels.entries()) {
    const { language, title } = panel.dataset;
    panel.id = `${language}-${place}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-label", title);
    const tab = document.createElement("button");
    tab.type = "button";
    tab.textContent = title;
    tab.dataset.language = language;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", panel.id);
    tab.addEventListener("click", () => choose(language, tab));
    tab.addEventListener("keydown", ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (step === undefined) return;
      const next = list.children[(i + step + panels.length) % panels.length];
      choose(next.dataset.language, next);
      next.focus();
    });
    list.append(tab);
  }
  group.prepend(list);
}
show(root.dataset.language);

/** What stays where it is on the screen is the tab that was pressed. */
function choose(language, tab) {
  const before = tab.getBoundingClientRect().top;
  show(language);
  window.scrollBy(0, tab.getBoundingClientRect().top - before);
  try {
    localStorage.setItem("mostrador-language", language);
  } catch {
    // Not remembered where nothing may be kept.
  }
}

/** A group that lacks the language shows its first. */
function show(language) {
  root.dataset.language = language;
  for (const group of document.querySelectorAll(".tabs")) {
    const all = [...group.querySelectorAll("[role=tab]")];
    const chosen = all.find((tab) => tab.dataset.language === language) ?? all[0];
    for (const tab of all) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
    }
  }
}

// Where one is: the page in the sidebar, and on wide screens the section that is being read.
const here = document.querySelector(".sidebar [aria-current]");
const sidebar = document.querySelector(".sidebar");
if (here && here.offsetTop + here.offsetHeight > sidebar.clientHeight)
  sidebar.scrollTop = here.offsetTop - sidebar.clientHeight / 2;
const links = new Map([...document.querySelectorAll(".outline a")].map((link) => [link.hash.slice(1), link]));
const sections = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
function markSection() {
  // The last heading that has passed under the bar; at the end of the page, whatever is last.
  const isAtEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2;
  const passed = sections.filter((section) => section.getBoundingClientRect().top < 120);
  const current = isAtEnd ? sections.at(-1) : (passed.at(-1) ?? sections[0]);
  for (const [id, link] of links) {
    if (id === current?.id) link.setAttribute("aria-current", "location");
    else link.removeAttribute("aria-current");
  }
}
if (sections.length > 0) {
  markSection();
  addEventListener("scroll", () => requestAnimationFrame(markSection), { passive: true });
}
