import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hunkHeading, lineDifference } from '#shared/templates/line-difference';
import { computingMs } from '../../support/computing.ts';

const linesOf = (before: string, after: string) =>
  lineDifference(before, after).flatMap(({ lines }) => lines);

describe('lineDifference', () => {
  it.each([
    ['a\nb\nc\n', 'a\nB\nc\n', [' a', '-b', '+B', ' c']],
    ['a\nc\n', 'a\nb\nc\n', [' a', '+b', ' c']],
    ['', 'a\n', ['+a']],
    ['a\n', 'a\n', []],
  ])('of %j and %j', (before, after, lines) => {
    expect(linesOf(before, after)).toEqual(lines);
  });

  it('shows three lines around a change, and omits the others', () => {
    const before = Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join('');
    const hunks = lineDifference(before, before.replace('line 9\n', '').replace('line 25', 'x'));

    expect(hunks.map(hunkHeading)).toEqual(['@@ -7,7 +7,6 @@', '@@ -23,7 +22,7 @@']);
  });

  it('turns one text into the other', () => {
    const anyText = fc
      .array(fc.constantFrom('a', 'b', 'c', '\n', '\r\n', ''))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const hunks = lineDifference(before, after).flatMap((hunk) => [
          hunkHeading(hunk),
          ...hunk.lines,
        ]);
        const patch = ['--- before', '+++ after', ...hunks, ''].join('\n');

        expect(applyPatch(before, patch, { autoConvertLineEndings: false })).toBe(after);
      }),
    );
  });

  it('is quick for long texts with nothing in common', () => {
    const textOf = (word: string) =>
      Array.from({ length: 20_000 }, (_, at) => `${word} ${at}`).join('\n');
    let lines: readonly unknown[] = [];

    const ms = computingMs(() => {
      lines = linesOf(textOf('a'), textOf('b'));
    });

    expect(lines).toHaveLength(40_000);
    expect(ms).toBeLessThan(5_000);
  });
});
