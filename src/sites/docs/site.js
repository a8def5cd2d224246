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
