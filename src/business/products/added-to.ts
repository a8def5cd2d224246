/** What stands in the list more often than before. */
export function addedTo(before: readonly string[], list: readonly string[]): string[] {
  const left = [...before];
  return list.filter((one) => {
    const place = left.indexOf(one);
    if (place !== -1) left.splice(place, 1);
    return place === -1;
  });
}
