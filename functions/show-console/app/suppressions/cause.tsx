import { LongForeign } from '../shared/text.tsx';
import { complaintWords, replyWords } from './bounces.ts';
import type { SuppressionReason } from './reasons.ts';

/** What caused a suppression: in plain English, and in the words of the server or of the team that blocked it. */
export function Cause({
  reason,
  diagnostic,
  possible,
}: {
  reason: SuppressionReason;
  diagnostic: string | undefined;
  possible: true | undefined;
}) {
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
