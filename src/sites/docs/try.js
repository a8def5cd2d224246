// «Probar»: sends one request with the reader's key, which stays in this tab, and shows what came back.
const storedKey = "mostrador-clave";

for (const details of document.querySelectorAll(".try")) {
  details.hidden = false;
  const form = details.querySelector("form");
  const { clave } = form.elements;
  details.addEventListener("toggle", () => {
    if (details.open && clave.value === "") clave.value = sessionStorage.getItem(storedKey) ?? "";
  });
  clave.addEventListener("change", () => sessionStorage.setItem(storedKey, clave.value.trim()));
  const ask = form.querySelector(".ask");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!isComplete(form)) return;
    if (form.dataset.method === "GET") return void send(form);
    ask.hidden = false;
    ask.querySelector("[data-answer=no]").focus();
  });
  ask.addEventListener("click", ({ target }) => {
    if (!target.dataset.answer) return;
    ask.hidden = true;
    form.querySelector("button").focus();
    if (target.dataset.answer === "yes") void send(form);
  });
}

/** What must be filled in is the key and what stands in the path. */
function isComplete(form) {
  const lacking = [form.elements.clave, ...form.querySelectorAll("[data-place=path]")].find(
    ({ value }) => value.trim() === "",
  );
  if (!lacking) return true;
  show(form, lacking.name === "clave" ? "Escriba su clave de API." : `Escriba ${lacking.name}.`);
  lacking.focus();
  return false;
}

async function send(form) {
  const { method, path } = form.dataset;
  const query = new URLSearchParams();
  let address = path;
  for (const { name, value, dataset } of form.querySelectorAll("[data-place]")) {
    if (dataset.place === "path") address = address.replace(`{${name}}`, encodeURIComponent(value.trim()));
    else if (value.trim() !== "") query.set(name, value.trim());
  }
  const text = query.toString();
  const body = form.elements.cuerpo?.value;
  show(form, "Enviando…");
  try {
    const answer = await fetch("/docs/probar", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${form.elements.clave.value.trim()}`,
        ...(method === "POST" && {
          "idempotency-key": crypto.randomUUID?.() ?? `probar-${Date.now()}-${Math.random()}`,
        }),
      },
      body: JSON.stringify({
        method,
        path: text ? `${address}?${text}` : address,
        ...(body !== undefined && { body }),
      }),
    });
    const said = await answer.json();
    if (answer.ok) showAnswer(form, said);
    else show(form, said.error.message);
  } catch {
    show(form, "No hubo respuesta. Revise la conexión y envíe de nuevo.");
  }
}

function show(form, text) {
  const place = form.querySelector(".answer");
  place.replaceChildren(paragraph(text));
}

function showAnswer(form, { status, ms, headers, body, is_cut }) {
  const place = form.querySelector(".answer");
  const head = paragraph(`${status} · ${ms} ms`);
  head.className = status < 400 ? "good" : "bad";
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  place.replaceChildren(head, block(lines.join("\n"), "Cabeceras"), block(pretty(body), "Cuerpo"));
  if (is_cut) place.append(paragraph("La respuesta es más larga: aquí está su comienzo."));
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function paragraph(text) {
  const made = document.createElement("p");
  made.textContent = text;
  return made;
}

function block(text, label) {
  const made = document.createElement("pre");
  made.tabIndex = 0;
  made.setAttribute("role", "region");
  made.setAttribute("aria-label", label);
  made.textContent = text;
  return made;
}
