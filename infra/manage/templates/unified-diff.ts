import { hunkHeading, lineDifference } from '#shared/templates/line-difference';
import { type Paint, printable } from '../terminal.ts';
import type { Files } from './files.ts';

/** In the service and in the folder; `undefined` if the template isn't there. */
export type Sides = {
  readonly there: Files | undefined;
  readonly here: Files | undefined;
};

const nowhere = '/dev/null';

/** Like `diff -u`. */
export function unifiedDiff({ there = new Map(), here = new Map() }: Sides): readonly string[] {
  const names = [...new Set([...there.keys(), ...here.keys()])].toSorted();
  return names.flatMap((name) => {
    const [old, now] = [there.get(name), here.get(name)];
    if (old === now) return [];
    const heading = [
      `--- ${old === undefined ? nowhere : `service/${name}`}`,
      `+++ ${now === undefined ? nowhere : `folder/${name}`}`,
    ];
    const hunks = lineDifference(old ?? '', now ?? '');
    return [...heading, ...hunks.flatMap((hunk) => [hunkHeading(hunk), ...hunk.lines])];
  });
}

export const drawDiff = (lines: readonly string[], paint: Paint): string =>
  lines.map((line) => drawLine(printable(line), paint)).join('\n');

function drawLine(line: string, paint: Paint): string {
  if (/^(?:---|\+\+\+) /.test(line)) return paint('bold', line);
  if (line.startsWith('@@')) return paint('cyan', line);
  if (line.startsWith('+')) return paint('green', line);
  return line.startsWith('-') ? paint('red', line) : line;
}
