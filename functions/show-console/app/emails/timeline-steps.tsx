import { duration } from '../shared/format.ts';
import { Foreign, LongForeign, Moment } from '../shared/text.tsx';
import { gapSize, type Step } from './timeline.ts';

/** The steps of an email's story, with the time between them. */
export const Timeline = ({ steps }: { steps: readonly Step[] }) => (
  <ol class="timeline">
    {steps.map((step) => (
      <li
        key={step.place}
        class={`${step.tone} ${step.gap === undefined ? '' : gapSize(step.gap)}`}
      >
        {step.gap !== undefined && (
          <p class="gap">{step.gap === 0 ? 'at the same time' : `${duration(step.gap)} later`}</p>
        )}
        <p class="step">
          <b>{step.title}</b> <Moment at={step.at} />
        </p>
        {step.meaning && <p>{step.meaning}</p>}
        {step.who.map(({ email, meaning, reply }) => (
          <div key={email}>
            <p>
              <Foreign text={email} />
              {meaning && `: ${meaning}`}
            </p>
            {reply && (
              <p class="reply">
                <LongForeign text={reply} />
              </p>
            )}
          </div>
        ))}
        {step.reply && (
          <p class="reply">
            <LongForeign text={step.reply} />
          </p>
        )}
      </li>
    ))}
  </ol>
);
