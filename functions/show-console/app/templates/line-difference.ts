/** The lines in which two texts differ, from the first such line to the last. */
export type LineDifference = {
  /** Where they begin, counted from 1. */
  readonly line: number;
  readonly one: string;
  readonly other: string;
};

/** Leaves out the lines with which both begin, and those with which both end. */
export function differenceOf(one: string, other: string): LineDifference {
  const [lines, others] = [one.split('\n'), other.split('\n')];
  const shorter = Math.min(lines.length, others.length);
  let start = 0;
  while (start < shorter && lines[start] === others[start]) start += 1;
  let end = 0;
  while (end < shorter - start && lines.at(-1 - end) === others.at(-1 - end)) end += 1;
  const between = (all: readonly string[]) => all.slice(start, all.length - end).join('\n');
  return { line: start + 1, one: between(lines), other: between(others) };
}
