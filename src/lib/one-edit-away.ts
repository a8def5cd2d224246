/** Whether one text becomes the other by a letter more, less or other, or by two neighbours that change places. */
export function isOneEditAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  const restA = a.slice(start);
  const restB = b.slice(start);
  const swapped = restA.length >= 2 && restA[1]! + restA[0]! + restA.slice(2) === restB;
  return swapped || restA.slice(1) === restB || restA === restB.slice(1) || restA.slice(1) === restB.slice(1);
}
