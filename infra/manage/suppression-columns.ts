import type { Suppression } from './api/send-answers.ts';
import { type Column, foreign, momentOf } from './columns.ts';

/** How a list shows suppressions. */
export const suppressionColumns = [
  ['SINCE', ({ at }) => momentOf(at)],
  ['REASON', ({ reason }) => reason],
  ['ADDRESS', ({ email }) => foreign(email ?? '(erased)')],
  ['DIAGNOSTIC', ({ diagnostic }) => foreign(diagnostic)],
] as const satisfies readonly Column<Suppression>[];
