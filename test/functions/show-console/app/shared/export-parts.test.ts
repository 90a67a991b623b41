import { expect, it } from 'vitest';
import {
  joinParts,
  nextCursorOf,
  rowsIn,
} from '../../../../../functions/show-console/app/shared/export-parts.ts';

it('reads the cursor of an export’s next part', () => {
  const link = '</api/v1/suppressions/export?reason=bounce&cursor=a%2Bb>; rel="next"';

  expect(nextCursorOf(link)).toBe('a+b');
});

it.each([null, '', '</x>; rel="prev"', '</x>; rel="next"'])(
  'sees the end of an export in Link: %s',
  (link) => {
    expect(nextCursorOf(link)).toBeUndefined();
  },
);

it('joins the parts of an export under one header', () => {
  expect(joinParts(['email,reason\na,bounce\n', 'email,reason\nb,manual\n'])).toBe(
    'email,reason\na,bounce\nb,manual\n',
  );
});

it('counts the rows of a part without its header, and a line break in a cell starts no row', () => {
  expect(['', 'id\r\n', 'id\r\n"a\r\nb"\r\nc\r\n'].map(rowsIn)).toEqual([0, 0, 2]);
});
