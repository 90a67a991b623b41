import type { Answer } from '../../../api.ts';
import { every, type Tone } from '../shared/words.ts';

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
  complaint: 'Complained',
  manual: 'Blocked by your team',
  unsubscribe: 'Unsubscribed',
};

export const reasonTones: Readonly<Record<SuppressionReason, Tone>> = {
  bounce: 'bad',
  complaint: 'bad',
  manual: 'quiet',
  unsubscribe: 'quiet',
};

export const reasonOptions = suppressionReasons.map(
  (reason) => [reason, reasonWords[reason]] as const,
);

export const suppressionText = ({
  reason,
  possible,
}: Pick<Suppression, 'reason' | 'possible'>): string =>
  possible ? 'May have complained' : reasonWords[reason];

/** Reasons that this page doesn't know yet are shown unchanged. */
export const reasonText = (reason: string): string => {
  const known = suppressionReasons.find((one) => one === reason);
  return known ? reasonWords[known] : reason;
};
