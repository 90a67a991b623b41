import { Glyph } from '../parts/glyph.tsx';
import { Foreign, LongForeign, Moment } from '../parts/text.tsx';
import { dayText, duration } from '../shared/format.ts';
import type { useNames } from '../shared/names.ts';
import { KeyLink } from './key-link.tsx';
import type { Step } from './timeline.ts';

type NameOf = ReturnType<typeof useNames>;

/** More would be too narrow side by side. */
const mostBeside = 5;

/** An email's steps with the time between them: side by side where there's room, else one below the other. */
export const Track = ({ steps, nameOf }: { steps: readonly Step[]; nameOf: NameOf }) => (
  <ol class={`timeline ${steps.length <= mostBeside ? 'beside' : ''}`} aria-label="Steps">
    {steps.map((step, place) => (
      <li key={step.place}>
        <span class={`glyphed ${step.tone}`}>
          <Glyph of={step.glyph} />
        </span>
        <p class="step">
          <b class={step.tone === 'quiet' ? undefined : step.tone}>{step.title}</b>
          {step.gap !== undefined && (
            <span class="gap">{step.gap === 0 ? 'at once' : `+ ${duration(step.gap)}`}</span>
          )}
        </p>
        <p class="quiet">
          {isNewDay(step, steps[place - 1]) && `${dayText(step.at)}, `}
          <Moment at={step.at} toMs />
          {step.from && nameOf(step.from) && (
            <>
              {' '}
              by <KeyLink id={step.from} name={nameOf(step.from)} />
            </>
          )}
        </p>
        {step.meaning && <p class="quiet">{step.meaning}</p>}
        {step.who.map(({ email, reply }) => (
          <div key={email}>
            {step.who.length > 1 && (
              <p class="quiet">
                <Foreign text={email} breaks />
              </p>
            )}
            {reply && <Reply text={reply} />}
          </div>
        ))}
        {step.reply && <Reply text={step.reply} />}
      </li>
    ))}
  </ol>
);

const isNewDay = (step: Step, before: Step | undefined): boolean =>
  before !== undefined && dayText(before.at) !== dayText(step.at);

const Reply = ({ text }: { text: string }) => (
  <p class="said">
    <LongForeign text={text} most={200} />
  </p>
);
