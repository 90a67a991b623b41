import { useEffect, useState } from 'preact/hooks';
import { Fact } from '../parts/facts.tsx';
import { Glyph } from '../parts/glyph.tsx';
import { May } from '../parts/may.tsx';
import { Shown } from '../parts/states.tsx';
import { CopyButton, Foreign, LongForeign, Tag } from '../parts/text.tsx';
import { emailPage, recipientPage } from '../shared/addresses.ts';
import { clockText, shortTime } from '../shared/format.ts';
import { glyphOfTone } from '../shared/glyphs.ts';
import { useCall } from '../shared/use-call.ts';
import { isKept, SendAgain } from './content.tsx';
import { type EmailStory, othersIn } from './outcomes.ts';
import { type Step, timelineOf } from './timeline.ts';

export type PeekProps = {
  id: string;
  /** Such as `3 of 20`. */
  place: string;
  onClose: () => void;
};

/** Somebody who walks down the list asks for the row where they stop. */
const restMs = 120;

/** The chosen email beside the list: the answer, its steps, and what it was sent with. */
export function Peek({ id, place, onClose }: PeekProps) {
  const shown = useRested(id);
  const story = useCall('GET /api/v1/sends/{id}', { path: { id: shown } });
  return (
    <aside class="peek" aria-label="The chosen email">
      <div class="stay">
        <header>
          <span class="quiet">{place}</span>
          <kbd>J</kbd>
          <kbd>K</kbd>
          <a class="button ghost" href={emailPage(id)}>
            Open <kbd>↵</kbd>
          </a>
          <button type="button" class="ghost square" aria-label="Close" onClick={onClose}>
            <Glyph of="cross" />
          </button>
        </header>
        <Shown of={story}>{(value) => <Story story={value} />}</Shown>
      </div>
    </aside>
  );
}

function useRested(id: string): string {
  const [rested, setRested] = useState(id);
  useEffect(() => {
    const timer = setTimeout(() => setRested(id), restMs);
    return () => clearTimeout(timer);
  }, [id]);
  return rested;
}

function Story({ story }: { story: EmailStory }) {
  const { send, verdict, webhooks } = story;
  const others = othersIn(send);
  const delivered = webhooks.filter(({ status }) => status === 'delivered').length;
  return (
    <>
      <h2>
        <LongForeign text={verdict.sentence} most={200} />
      </h2>
      {verdict.next && <p class="quiet">{verdict.next}</p>}
      <ol class="steps-taken">
        {timelineOf(story).map((step) => (
          <Taken key={step.place} step={step} />
        ))}
      </ol>
      <dl class="facts">
        <Fact name="Subject">
          <Foreign text={send.subject || '(no subject)'} most={120} breaks />
        </Fact>
        <Fact name="To">
          <a href={recipientPage(send.toEmail)}>
            <Foreign text={send.toEmail} breaks />
          </a>
          {others > 0 && ` and ${others} more`}
        </Fact>
        {Object.keys(send.tags ?? {}).length > 0 && (
          <Fact name="Tags">
            {Object.entries(send.tags ?? {}).map(([name, value]) => (
              <Tag key={name}>
                {name}:{value}
              </Tag>
            ))}
          </Fact>
        )}
        {send.idempotencyKey && (
          <Fact name="Key">
            <code>
              <Foreign text={send.idempotencyKey} breaks />
            </code>
          </Fact>
        )}
        {webhooks.length > 0 && (
          <Fact name="Webhooks">
            {delivered} of {webhooks.length} delivered
          </Fact>
        )}
      </dl>
      <p class="buttons">
        {isKept(send) && (
          <May ask="POST /api/v1/sends/{id}/resend">
            <SendAgain send={send} />
          </May>
        )}
        <CopyButton
          text={new URL(emailPage(send._id), location.href).href}
          what="link to this email"
          label="Copy link"
          look="plain"
        />
      </p>
    </>
  );
}

/** Durations beat clocks: only the first step says when it was. */
const Taken = ({ step: { at, title, tone, gap, reply, who } }: { step: Step }) => (
  <li class={tone === 'quiet' ? undefined : tone}>
    <Glyph of={tone === 'quiet' ? 'sent' : glyphOfTone[tone]} />
    <span>{title}</span>
    <time dateTime={new Date(at).toISOString()}>
      {gap === undefined ? clockText(at) : `+ ${shortTime(gap)}`}
    </time>
    {[reply, ...who.map((one) => one.reply)].map(
      (said) =>
        said && (
          <code key={said}>
            <Foreign text={said} most={160} breaks />
          </code>
        ),
    )}
  </li>
);
