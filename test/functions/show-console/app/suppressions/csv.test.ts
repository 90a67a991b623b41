import { expect, it } from 'vitest';
import {
  addReport,
  joinParts,
  nextCursorOf,
} from '../../../../../functions/show-console/app/suppressions/csv.ts';

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

it('doesn’t count rows twice that an earlier request imported', () => {
  const first = addReport(undefined, { imported: 5, unchanged: 1, refused: [], isComplete: false });

  const both = addReport(first, { imported: 3, unchanged: 6, refused: [], isComplete: true });

  expect(both).toEqual({ imported: 8, unchanged: 1, refused: [], isComplete: true });
});
