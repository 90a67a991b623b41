import { useState } from 'preact/hooks';
import { type Answer, call } from '../api-client.ts';
import { announce } from '../shared/announce.tsx';
import { ConfirmButton, Done } from '../shared/buttons.tsx';
import { Foreign } from '../shared/text.tsx';
import { reasonText, type SuppressionReason } from '../shared/words.ts';

type Lifted = Answer<'DELETE /api/v1/suppressions/{email}'>;

/** Lifts the suppression of one address, and says what was lifted and what remains. */
export function LiftButton({
  email,
  reason,
}: {
  email: string;
  /** All but the person's own unsubscription unless told. */
  reason?: SuppressionReason | undefined;
}) {
  const [lifted, setLifted] = useState<Lifted>();
  if (lifted) return <Done>{liftedText(lifted)}</Done>;
  const act = async () => {
    const answer = await call('DELETE /api/v1/suppressions/{email}', {
      path: { email },
      query: { reason },
    });
    setLifted(answer);
    announce(liftedText(answer));
  };
  return (
    <ConfirmButton
      label="Lift…"
      name={`Lift the suppression of ${email}`}
      question="Lift this suppression?"
      yes="Lift it"
      isHarmless
      act={act}
    >
      <p>
        <Foreign text={email} /> gets email again from the next send on.{' '}
        {reason === 'unsubscribe'
          ? 'The person asked for no more email: lift this only if they asked for it again.'
          : 'If the address bounces again, it is suppressed again, and each bounce counts against your sending.'}
      </p>
    </ConfirmButton>
  );
}

function liftedText({ lifted, remaining, providerList }: Lifted): string {
  const words = (reasons: Lifted['lifted']) => reasons.map(reasonText).join(', ');
  return [
    lifted.length > 0 ? `Lifted: ${words(lifted)}.` : 'Nothing was lifted.',
    ...(remaining.length > 0 ? [`Still suppressed: ${words(remaining)}.`] : []),
    ...(providerList === 'removed' ? ['It is off the list of Amazon SES too.'] : []),
  ].join(' ');
}
