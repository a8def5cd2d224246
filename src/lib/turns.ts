/** Lets at most so many works run at once; the others wait for their turn in the order they came. */
export function turns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // The turn is handed on as it is: nobody can slip in between.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
