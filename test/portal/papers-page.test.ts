import { expect, test } from "vitest";
import { faults, settled } from "../support/axe.ts";
import { sharedService } from "../support/fixtures.ts";
import { openAccount, sharedBrowser, visit } from "../support/visitor.ts";

const service = sharedService();
const browser = sharedBrowser();

test("an owner sets the look of the papers and an account, and a wrong account says what is wrong", async () => {
  const { email } = await openAccount(service);
  const owner = await visit(browser, service);
  await owner.signIn(email);
  await owner.goto("/ajustes/papeles");
  await owner.sees("Aspecto de los documentos");
  await owner.field("Nombre o razón social").fill("Doña Rosa S.A.S.");
  await owner.field("Color").fill("#aa0000");
  await owner.button("Guardar el aspecto").click();
  await owner.sees("Aspecto guardado.");
  await owner.field("Nequi").fill("=1");
  await owner.button("Guardar las cuentas").click();
  await owner.sees("Una cuenta tiene hasta 20 números");
  await owner.field("Nequi").fill("11100599");
  await owner.button("Guardar las cuentas").click();
  await owner.sees("Cuentas guardadas.");
  await owner.page.reload();
  await expect.poll(() => owner.field("Nequi").inputValue()).toBe("11100599");
  expect(await owner.field("Nombre o razón social").inputValue()).toBe("Doña Rosa S.A.S.");
  const link = owner.page.getByRole("link", { name: "Informe Z en PDF" });
  expect(await link.getAttribute("href")).toMatch(
    /^\/portal\/api\/days\/\d{4}-\d\d-\d\d\/z\.pdf\?business=[0-9a-f-]{36}$/,
  );

  const { page } = owner;
  await settled(page);
  expect(await faults(page, "light")).toEqual([]);
  expect(await faults(page, "dark")).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 375, height: 812 });
  await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(375);
});
