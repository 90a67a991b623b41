import { LongForeign } from '../parts/text.tsx';
import { capitalized } from '../shared/format.ts';
import type { Suppression } from './reasons.ts';

type Caused = Pick<Suppression, 'reason' | 'diagnostic' | 'verdict'>;

/** In one line: why, and what the team noted. */
export const causeText = ({ diagnostic, verdict: { why } }: Caused): string | undefined =>
  why === undefined ? diagnostic : capitalized(why);

/** In plain English, and in the words of the server or the team that blocked the address. */
export const Cause = ({ reason, diagnostic, verdict: { why } }: Caused) => (
  <>
    {why !== undefined && <p class="cause quiet">{capitalized(why)}</p>}
    {diagnostic && reason !== 'complaint' && (
      <span class="reply">
        <LongForeign text={diagnostic} most={160} />
      </span>
    )}
  </>
);
