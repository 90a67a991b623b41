/** What a child process of the benchmark does once it is open. */
export type ChildService = {
  /** Answered to the message that opened it. */
  readonly ready: unknown;
  readonly run?: (job: unknown) => Promise<unknown>;
};

/** The child's side of `startChild`: its first message opens it, each later one is a job. */
export function serveParent(open: (settings: unknown) => Promise<ChildService>): void {
  let service: ChildService | undefined;

  const answer = async (message: unknown): Promise<unknown> => {
    if (service !== undefined) return service.run?.(message);
    service = await open(message);
    return service.ready;
  };
  process.on('message', (message) => {
    answer(message).then(
      (value) => process.send?.(value ?? null),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  // Nobody is left to answer to; what this process started ends with it.
  process.once('disconnect', () => process.exit());
}
