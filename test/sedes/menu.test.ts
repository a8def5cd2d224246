import { expect, test } from "vitest";
import { settled } from "../support/axe.ts";
import { sharedService } from "../support/fixtures.ts";
import { addMember } from "../support/people.ts";
import { password } from "../support/portal.ts";
import { openTwoSedes } from "../support/two-sedes.ts";
import { sharedBrowser, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();

test("no entry of the menu of whoever has one sede leads to something she may not read, and nothing there is of the other", {
  timeout: 300_000,
}, async () => {
  const { owner, sedes } = await openTwoSedes(service);
  for (const role of ["manager", "administrator", "accountant"] as const) {
    const { email } = await addMember(service, owner.accountId, role, { locationIds: [sedes[1].locations] });
    const visitor = await visit(browser, service, { width: 1440 });
    const { page } = visitor;
    const refused: string[] = [];
    page.on("response", (response) => {
      if (response.status() === 403) refused.push(`${role} ${new URL(page.url()).pathname}: ${response.url()}`);
    });
    await visitor.goto("/ingreso");
    await visitor.field("Correo").fill(email);
    await visitor.field("Contraseña").fill(password);
    await visitor.button("Entrar").click();
    const menu = page.getByRole("navigation", { name: "Secciones" });
    await menu.waitFor();
    const paths = await menu.getByRole("link").evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
    expect(paths.length).toBeGreaterThan(9);
    for (const path of paths) {
      await menu.locator(`a[href="${path}"]`).click();
      await page.getByRole("heading", { level: 1 }).waitFor();
      await settled(page);
      expect(await page.getByRole("heading", { name: "Esta página no es de su rol" }).count(), path).toBe(0);
      expect(await page.locator("body").textContent(), `${role} ${path}`).not.toContain("Zafiro");
    }
    expect(refused).toEqual([]);
    expect(visitor.complaints).toEqual([]);
    await visitor.context.close();
  }
});
