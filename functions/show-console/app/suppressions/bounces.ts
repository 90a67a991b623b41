import { isHardBounce, providerReasonOf } from '#shared/suppressions/bounce-kinds';
import type { Tone } from '../shared/words.ts';

/** Whether SES dropped the email itself, without asking the recipient's server. */
export const isDrop = ({ reason = '' }: { readonly reason?: string | undefined }): boolean =>
  providerReasonOf(reason) !== undefined;

/** The name of a bounce. Red means that it suppresses the address. */
export function bounceTitle({ reason = '' }: { readonly reason?: string | undefined }): {
  readonly title: string;
  readonly tone: Tone;
} {
  if (isDrop({ reason })) return { title: 'Dropped by Amazon SES', tone: 'warn' };
  return isHardBounce(reason)
    ? { title: 'Hard bounce', tone: 'bad' }
    : { title: reason.startsWith('Transient') ? 'Soft bounce' : 'Bounced', tone: 'warn' };
}
