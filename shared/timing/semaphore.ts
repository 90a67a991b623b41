export type Semaphore = {
  /** Runs work once it fits, in the order of the calls. Work larger than the whole runs alone. */
  readonly run: <Result>(size: number, work: () => Promise<Result>) => Promise<Result>;
};

type Waiting = { readonly size: number; readonly start: () => void };

export function createSemaphore(most: number): Semaphore {
  let taken = 0;
  const waiting: Waiting[] = [];

  const fits = (size: number): boolean => taken === 0 || taken + size <= most;

  function startNext(): void {
    for (let next = waiting[0]; next !== undefined && fits(next.size); next = waiting[0]) {
      waiting.shift();
      taken += next.size;
      next.start();
    }
  }

  async function run<Result>(size: number, work: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((start) => {
      waiting.push({ size, start });
      startNext();
    });
    try {
      return await work();
    } finally {
      taken -= size;
      startNext();
    }
  }

  return { run };
}
