import { maxPasswordLength, minPasswordLength } from "./password.ts";

/**
 * About 17 000 million guesses. Ten digits, like a telephone or identity number, are just below; ten random letters are well
 * above.
 */
const minBits = 34;

const phrase = "Escriba una frase de tres o cuatro palabras que solo usted juntaría.";
const hints = {
  length: `La contraseña debe tener entre ${minPasswordLength} y ${maxPasswordLength} caracteres. ${phrase}`,
  own: `Esa contraseña se adivina con su correo o el nombre del negocio. ${phrase}`,
  weak: `Esa contraseña se adivina pronto: es muy común, solo números, o repite o sigue una serie. ${phrase}`,
};

/**
 * What is wrong with a new password, as a sentence for the person who chose it; undefined if it is acceptable. Used wherever
 * a password is set: the portal, the reset by mail and the command line.
 *
 * Not a library: the good ones bring dictionaries of a megabyte or more, which every process would keep in memory for a form
 * that is filled in once a year.
 */
export function passwordProblem(
  password: string,
  { email, name }: { email: string; name: string },
): string | undefined {
  if (password.length < minPasswordLength || password.length > maxPasswordLength) return hints.length;
  if (bits(password, []) < minBits) return hints.weak;
  return bits(password, ownWords(email, name)) < minBits ? hints.own : undefined;
}

/** What somebody who knows the owner tries first. */
function ownWords(email: string, name: string): string[] {
  const [local = "", domain = ""] = fold(email).split("@");
  const parts = [local, domain, fold(name)].flatMap((text) => [text, lettersOf(text), ...text.split(/[^a-z0-9]+/)]);
  return [...new Set([fold(email), ...parts])].filter((word) => word.length >= 3);
}

/** The lowest estimate among three readings: as it is, without separators, and reversed. */
function bits(password: string, own: readonly string[]): number {
  const text = fold(password);
  const plain = lettersOf(text);
  return Math.min(
    cheapest(text, own),
    cheapest([...text].reverse().join(""), own) + otherBits,
    plain === text ? Number.POSITIVE_INFINITY : cheapest(plain, own) + otherBits,
  );
}

const [ownBits, wordBits, runBits, yearBits, repeatBits, digitBits, otherBits] = [4, 10, 8, 7, 2, Math.log2(10), 4];

/** The lowest cost of composing the text from known words, runs, years, repetitions and single characters. */
function cheapest(text: string, own: readonly string[]): number {
  const spelt = text.replace(/[@4310$57]/g, (character) => disguises[character]!);
  const costs = Array<number>(text.length + 1).fill(Number.POSITIVE_INFINITY);
  costs[0] = 0;
  for (let at = 0; at < text.length; at++) {
    const reach = (length: number, cost: number) => {
      costs[at + length] = Math.min(costs[at + length]!, costs[at]! + cost);
    };
    reach(1, /\d/.test(text[at]!) ? digitBits : otherBits);
    if (/^(19|20)\d\d/.test(text.slice(at, at + 4))) reach(4, yearBits);
    for (const [words, cost] of [
      [common, wordBits],
      [own, ownBits],
    ] as const)
      for (const word of words) if (text.startsWith(word, at) || spelt.startsWith(word, at)) reach(word.length, cost);
    for (let length = 3; at + length <= text.length && runs.includes(text.slice(at, at + length)); length++)
      reach(length, runBits);
    for (let length = 1; length <= at && at + length <= text.length; length++)
      if (text.startsWith(text.slice(at - length, at), at)) reach(length, repeatBits);
  }
  return costs[text.length]!;
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]/gu, "");
}

const disguises: Record<string, string> = { "@": "a", 4: "a", 3: "e", 1: "i", 0: "o", $: "s", 5: "s", 7: "t" };

const rows = [
  "01234567890",
  "abcdefghijklmnopqrstuvwxyz",
  "qwertyuiop",
  "asdfghjklñ",
  "asdfghjkl",
  "zxcvbnm",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
  "qazwsxedcrfvtgbyhnujm",
  "1q2w3e4r5t6y7u8i9o0p",
];
const runs = [...rows, ...rows.map((row) => [...row].reverse().join(""))].join("\n");

/** Common words in passwords, worldwide and in Colombia. */
const common = `
  password passwd pass admin administrator root user login welcome letmein master dragon monkey football superman batman
  iloveyou sunshine princess shadow hello freedom secret test guest changeme default access temporal
  contrasena clave secreto secreta usuario administrador bienvenido hola amor teamo tequiero mivida corazon bonita hermosa
  princesa estrella angel cielo familia mama papa hijo hija bebe amigo amiga dios jesus cristo bendicion feliz navidad
  futbol colombia bogota medellin cali barranquilla cartagena bucaramanga pereira manizales cucuta ibague antioquia
  nacional millonarios america junior santafe atletico seleccion campeon caribe cafe
  mostrador tienda negocio ventas venta caja factura facturacion empresa restaurante panaderia drogueria ferreteria
  papeleria supermercado almacen minimercado dian pos punto local cliente producto inventario
  carlos juan jose luis maria ana andres camilo daniel daniela david diego alejandro alejandra santiago sebastian valentina
  sofia laura natalia paula carolina catalina felipe jorge miguel pedro pablo fernando ricardo mauricio oscar sandra diana
  claudia patricia martha gloria rosa isabella mariana gabriela samuel mateo nicolas
  gomez rodriguez martinez garcia gonzalez lopez perez sanchez ramirez torres
  enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
  lunes martes miercoles jueves viernes sabado domingo rojo azul verde negro blanco amarillo
  gmail hotmail outlook yahoo facebook google whatsapp instagram samsung iphone`
  .trim()
  .split(/\s+/);
