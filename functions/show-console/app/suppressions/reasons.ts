import type { Answer } from '../../../api.ts';
import { every } from '../shared/words.ts';

export type Suppression = Answer<'GET /api/v1/suppressions'>['data'][number];
export type SuppressionReason = Suppression['reason'];

export const suppressionReasons = every<SuppressionReason>()([
  'bounce',
  'complaint',
  'manual',
  'unsubscribe',
]);

export const reasonWords: Readonly<Record<SuppressionReason, string>> = {
  bounce: 'Hard bounce',
  complaint: 'Marked an email as spam',
  manual: 'Blocked by your team',
  unsubscribe: 'Unsubscribed',
};

export const reasonOptions = suppressionReasons.map(
  (reason) => [reason, reasonWords[reason]] as const,
);

export const suppressionText = ({
  reason,
  possible,
}: Pick<Suppression, 'reason' | 'possible'>): string =>
  possible ? 'May have marked an email as spam' : reasonWords[reason];

/** A reason in words; one that this page doesn't know yet stays as it is. */
export const reasonText = (reason: string): string => {
  const known = suppressionReasons.find((one) => one === reason);
  return known ? reasonWords[known] : reason;
};
