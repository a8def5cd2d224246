/** Runs what it is given one after the other, each once the one before has ended, however it ended. */
export function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let before: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = before.then(work);
    before = result.catch(() => {});
    return result;
  };
}
