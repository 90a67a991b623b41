import type { Suppression } from '../api/send-answers.ts';
import { type Column, foreign, momentOf } from './columns.ts';

/** Why, and whether that is certain. */
export const suppressionReason = ({ reason, possible }: Suppression): string =>
  possible ? `${reason} (possible)` : reason;

/** How a list shows suppressions. */
export const suppressionColumns = [
  ['SINCE', ({ at }) => momentOf(at)],
  ['REASON', suppressionReason],
  ['ADDRESS', ({ email }) => foreign(email ?? '(erased)')],
  ['DIAGNOSTIC', ({ diagnostic }) => foreign(diagnostic)],
] as const satisfies readonly Column<Suppression>[];
