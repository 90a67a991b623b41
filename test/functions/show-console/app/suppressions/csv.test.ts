import { expect, it } from 'vitest';
import { addReport } from '../../../../../functions/show-console/app/suppressions/csv.ts';

it('doesn’t count rows twice that an earlier request imported', () => {
  const first = addReport(undefined, { imported: 5, unchanged: 1, refused: [], isComplete: false });

  const both = addReport(first, { imported: 3, unchanged: 6, refused: [], isComplete: true });

  expect(both).toEqual({ imported: 8, unchanged: 1, refused: [], isComplete: true });
});
