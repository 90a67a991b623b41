import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differenceOf } from '../../../../../functions/show-console/app/templates/line-difference.ts';

describe('differenceOf', () => {
  it.each([
    ['a\nb\nc', 'a\nB\nc', { line: 2, one: 'b', other: 'B' }],
    ['a\nc', 'a\nb\nc', { line: 2, one: '', other: 'b' }],
    ['a', 'b', { line: 1, one: 'a', other: 'b' }],
    ['a\na', 'a', { line: 2, one: 'a', other: '' }],
    ['', 'a\nb', { line: 1, one: '', other: 'a\nb' }],
  ])('of %j and %j', (one, other, difference) => {
    expect(differenceOf(one, other)).toEqual(difference);
  });

  it('leaves out no line in which they differ', () => {
    const anyText = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1 });
    fc.assert(
      fc.property(anyText, anyText, (lines, others) => {
        const [text, otherText] = [lines.join('\n'), others.join('\n')];
        const { line, one, other } = differenceOf(text, otherText);
        const before = lines.slice(0, line - 1);

        expect(others.slice(0, line - 1)).toEqual(before);
        expect(
          lines
            .slice(line - 1)
            .join('\n')
            .startsWith(one),
        ).toBe(true);
        expect(
          others
            .slice(line - 1)
            .join('\n')
            .startsWith(other),
        ).toBe(true);
        const rest = (all: string[], part: string) =>
          all
            .slice(line - 1)
            .join('\n')
            .slice(part.length)
            .replace(/^\n/, '');
        expect(rest(lines, one)).toBe(rest(others, other));
      }),
    );
  });
});
