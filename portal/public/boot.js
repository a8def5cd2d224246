// Runs before the portal. If one of its files cannot be loaded, because the service is away or was just replaced, says so and loads the
// page again as soon as the service answers.
addEventListener(
  "error",
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement || target instanceof HTMLLinkElement)) return;
    // The portal works without its typeface.
    if (target.as === "font") return;
    const notice = document.querySelector(".booting");
    if (!notice) return;
    notice.textContent = "El servicio no responde. Esta página se carga sola apenas vuelva.";
    setInterval(async () => {
      const answer = await fetch("/icon.svg", { cache: "no-store" }).catch(() => undefined);
      if (answer?.ok) location.reload();
    }, 3000);
  },
  true,
);
