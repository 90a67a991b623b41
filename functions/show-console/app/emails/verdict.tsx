import type { ComponentChildren } from 'preact';
import { LongForeign } from '../parts/text.tsx';
import { type EmailStory, outcomeTone, type Send } from './outcomes.ts';

type Verdict = {
  readonly verdict: EmailStory['verdict'];
  readonly outcome: Send['outcome'];
  readonly children?: ComponentChildren;
};

/** The answer: the server's sentence, and what to do. */
export function Verdict({ verdict: { sentence, next, receiver }, outcome, children }: Verdict) {
  const tone = outcomeTone(outcome);
  return (
    <div class={`notice callout ${tone === 'bad' || tone === 'warn' ? tone : ''}`}>
      <p>
        <b>
          <LongForeign text={sentence} most={200} />
        </b>{' '}
        {next}
        {receiver && (
          <>
            {' '}
            <a href={receiver.page} target="_blank" rel="noreferrer">
              What {receiver.name} says about it
            </a>
          </>
        )}
      </p>
      {children}
    </div>
  );
}
