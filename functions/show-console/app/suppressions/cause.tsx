import { LongForeign } from '../parts/text.tsx';
import { complaintWords, replyWords } from './bounces.ts';
import type { SuppressionReason } from './reasons.ts';

type Caused = {
  reason: SuppressionReason;
  diagnostic?: string | undefined;
  possible?: true | undefined;
};

/** In one line. */
export function causeText({ reason, diagnostic, possible }: Caused): string | undefined {
  if (!diagnostic) return undefined;
  if (reason === 'complaint') return complaintWords(diagnostic, possible);
  return (reason === 'bounce' && replyWords(diagnostic)) || diagnostic;
}

/** In plain English, and in the words of the server or the team that blocked the address. */
export function Cause({ reason, diagnostic, possible }: Caused) {
  if (!diagnostic) return null;
  if (reason === 'complaint')
    return <p class="cause quiet">{complaintWords(diagnostic, possible)}</p>;
  const meaning = reason === 'bounce' ? replyWords(diagnostic) : undefined;
  return (
    <>
      {meaning && <p class="cause quiet">{meaning}</p>}
      <span class="reply">
        <LongForeign text={diagnostic} most={160} />
      </span>
    </>
  );
}
