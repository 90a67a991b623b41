import { useState } from 'preact/hooks';
import type { Answer } from '../../../api.ts';
import { call } from '../api-client.ts';
import { announce, toast } from '../parts/announce.tsx';
import { ConfirmButton, Done } from '../parts/buttons.tsx';
import { Foreign } from '../parts/text.tsx';
import { may } from '../shared/may.ts';
import { reasonText, type SuppressionReason } from './reasons.ts';

type Lifted = Answer<'DELETE /api/v1/suppressions/{email}'>;

/** Shows what was lifted and what remains. */
export function LiftButton({
  email,
  reason,
  because = reason,
  label = 'Lift…',
  isInRow = false,
}: {
  email: string;
  /** By default, all but the person's own unsubscribe. */
  reason?: SuppressionReason | undefined;
  because?: string | undefined;
  label?: string | undefined;
  /** If there's only room for one word, a toast says the rest. */
  isInRow?: boolean;
}) {
  const [lifted, setLifted] = useState<Lifted>();
  if (!may('DELETE /api/v1/suppressions/{email}')) return null;
  if (lifted) return <Done>{isInRow ? 'Lifted' : liftedText(lifted)}</Done>;
  const act = async () => {
    const answer = await call('DELETE /api/v1/suppressions/{email}', {
      path: { email },
      query: { reason },
    });
    setLifted(answer);
    if (isInRow) toast(liftedText(answer));
    else announce(liftedText(answer));
  };
  return (
    <ConfirmButton
      label={label}
      name={`Lift the suppression of ${email}`}
      question="Lift this suppression?"
      yes="Lift it"
      isHarmless
      act={act}
    >
      <p>
        <Foreign text={email} /> gets email again, starting with the next send. {cautionOf(because)}
      </p>
    </ConfirmButton>
  );
}

function cautionOf(because: string | undefined): string {
  switch (because) {
    case 'unsubscribe':
      return 'The person unsubscribed. Lift this only if they asked for email again.';
    case 'complaint':
      return 'If they mark your email as spam again, it’s suppressed again, and each complaint hurts your reputation.';
    case 'manual':
      return 'Your team suppressed it. Lift this only if the reason is gone.';
    default:
      return 'If it bounces again, it’s suppressed again, and each bounce hurts your reputation.';
  }
}

function liftedText({ lifted, remaining, providerList }: Lifted): string {
  const words = (reasons: Lifted['lifted']) => reasons.map(reasonText).join(', ');
  return [
    lifted.length > 0 ? `Lifted: ${words(lifted)}.` : 'Nothing was lifted.',
    ...(remaining.length > 0 ? [`Still suppressed: ${words(remaining)}.`] : []),
    ...(providerList === 'removed' ? ['It’s off the suppression list of Amazon SES, too.'] : []),
  ].join(' ');
}
