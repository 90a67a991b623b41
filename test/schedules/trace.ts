/** What happened in a schedule, line by line. It contains no random ids, so that a seed repeats it exactly. */
export type Trace = {
  tell(who: string, what: string): void;
  lines(): readonly string[];
};

export function openTrace(now: () => number): Trace {
  const start = now();
  const lines: string[] = [];
  return {
    tell: (who, what) => {
      const seconds = ((now() - start) / 1000).toFixed(3);
      lines.push(`${seconds.padStart(10)}  ${who.padEnd(18)} ${what}`);
    },
    lines: () => lines,
  };
}
