import type { ComponentChildren } from 'preact';
import { Say } from '../parts/states.tsx';
import { LongForeign } from '../parts/text.tsx';
import { glyphOfTone } from '../shared/glyphs.ts';
import { type EmailStory, glyphOf, outcomeTone, type Send } from './outcomes.ts';

type Answer = {
  readonly verdict: Omit<EmailStory['verdict'], 'code'>;
  readonly outcome: Send['outcome'];
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
};

/** What became of an email, in the service's sentence, and what to do. */
export function VerdictSay({ verdict, outcome, actions, children }: Answer) {
  const { sentence, next, receiver } = verdict;
  const tone = outcomeTone(outcome);
  const isTinted = tone === 'bad' || tone === 'warn';
  return (
    <Say
      {...(isTinted && { tone })}
      glyph={glyphOf({ outcome }) ?? glyphOfTone[tone]}
      title={<LongForeign text={sentence} most={200} />}
      actions={actions}
    >
      {next && <p>{next}</p>}
      {receiver && (
        <p>
          <a href={receiver.page} target="_blank" rel="noreferrer">
            What {receiver.name} says about it
          </a>
        </p>
      )}
      {children}
    </Say>
  );
}
