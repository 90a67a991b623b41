import { structuredPatch } from 'diff';

/** Lines that differ, with some around them. */
export type Hunk = {
  /** The first of them, from 1. */
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** Each begins with `-` if it's removed, `+` if it's added, a blank if it stays. */
  readonly lines: readonly string[];
};

const linesAround = 3;
/** Texts that have nothing in common take quadratic time. */
const mostMs = 500;

/**
 * The lines in which two texts differ: a unified diff without its names. A last line that ends without a
 * line break is one like any other, but for the line `\ No newline at end of file` after it.
 */
export function lineDifference(before: string, after: string): readonly Hunk[] {
  if (before === after) return [];
  const options = { context: linesAround, timeout: mostMs };
  const patch = structuredPatch('', '', before, after, '', '', options);
  return patch?.hunks ?? [wholeOf(before, after)];
}

function wholeOf(before: string, after: string): Hunk {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return {
    ...{ oldStart: 1, oldLines: old.length, newStart: 1, newLines: now.length },
    lines: [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)],
  };
}

/** The place of a hunk, as unified diffs write it: of no lines, the one before them. */
export const hunkHeading = ({ oldStart, oldLines, newStart, newLines }: Hunk): string =>
  `@@ -${place(oldStart, oldLines)} +${place(newStart, newLines)} @@`;

const place = (start: number, lines: number): string =>
  `${lines === 0 ? start - 1 : start},${lines}`;
