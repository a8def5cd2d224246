/** What a key of 32 random bytes has at least; a digit of hexadecimal carries 4 bits, any other character at most 6. */
const minBits = 256;
const isHex = (key: string) => /^([0-9a-f]+|[0-9A-F]+)$/.test(key);

/** Long enough that a random key has none of them by chance. `openssl` is a command that nobody ran. */
const words =
  /passwor|contrase|secreto|secret[-_ ]?key|clave|mostrador|changeme|cambie|cambiar|ejemplo|example|produc|openssl|qwerty|asdfgh|mi-?tienda|0123456789|123456789/i;

/**
 * Whether somebody may have thought of this key instead of having it made. It says no to what people type, repeat or copy
 * from a page; what is left was probably made by a generator, which is all that can be said of a text.
 */
export function isGuessable(key: string): boolean {
  if (key.length * (isHex(key) ? 4 : 6) < minBits - 2) return true;
  const few = isHex(key) ? 9 : 18;
  return new Set(key).size < few || repeats(key) || runs(key) || words.test(key) || readsLikeWords(key);
}

/** In a random key hardly any four characters come twice. */
function repeats(key: string): boolean {
  const fours = Array.from({ length: key.length - 3 }, (_, at) => key.slice(at, at + 4));
  return new Set(fours).size < 0.8 * fours.length;
}

/** abcdef, 987654, aaaa: of the steps from one character to the next, half go nowhere or to a neighbour. */
function runs(key: string): boolean {
  const steps = Array.from({ length: key.length - 1 }, (_, at) => key.charCodeAt(at + 1) - key.charCodeAt(at));
  return steps.filter((step) => Math.abs(step) <= 1).length > steps.length / 2;
}

/** A generator that goes beyond hexadecimal mixes capitals and small letters; people capitalize the beginning of a word. */
function readsLikeWords(key: string): boolean {
  const hasOneCase = key === key.toLowerCase() || key === key.toUpperCase();
  const smallPairs = key.match(/[a-z](?=[a-z])/g)?.length ?? 0;
  return (hasOneCase && !isHex(key)) || smallPairs > 0.6 * key.length;
}
