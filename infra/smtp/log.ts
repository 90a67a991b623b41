export type Log = (event: string, facts?: Readonly<Record<string, unknown>>) => void;

/** A line of JSON each, on standard output. */
export const log: Log = (event, facts = {}) =>
  void process.stdout.write(
    `${JSON.stringify({ time: new Date().toISOString(), event, ...facts })}\n`,
  );
