import { structuredPatch } from 'diff';

/** Lines that differ, with some around them. */
type Hunk = {
  /** Counts from 1. */
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  /** Each starts with `-` if it's removed, `+` if it's added, a space if it stays. */
  readonly lines: readonly string[];
};

const linesAround = 3;
/** Texts with nothing in common take quadratic time. */
const maxMs = 500;

/** A unified diff without names. A last line without a line break is followed by `\ No newline at end of file`. */
export function lineDifference(before: string, after: string): readonly Hunk[] {
  if (before === after) return [];
  const options = { context: linesAround, timeout: maxMs };
  const patch = structuredPatch('', '', before, after, '', '', options);
  return patch?.hunks ?? [wholeOf(before, after)];
}

function wholeOf(before: string, after: string): Hunk {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return {
    oldStart: 1,
    oldLines: old.length,
    newStart: 1,
    newLines: now.length,
    lines: [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)],
  };
}

/** As in unified diffs. A hunk without lines has the place of the line before it. */
export const hunkHeading = ({ oldStart, oldLines, newStart, newLines }: Hunk): string =>
  `@@ -${place(oldStart, oldLines)} +${place(newStart, newLines)} @@`;

const place = (start: number, lines: number): string =>
  `${lines === 0 ? start - 1 : start},${lines}`;
