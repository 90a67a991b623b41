import { type ComponentChildren, Fragment, toChildArray } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  clockText,
  duration,
  exactTime,
  minuteText,
  secondText,
  shorten,
  timeText,
  zoneText,
} from '../shared/format.ts';
import { type GlyphName, glyphOfTone } from '../shared/glyphs.ts';
import type { Tone } from '../shared/words.ts';
import { announce } from './announce.tsx';
import { Glyph } from './glyph.tsx';

/** Untrusted text: it can't change the direction of the text around it, and is cut after `most` characters. */
export const Foreign = ({
  text,
  most = 200,
  breaks = false,
}: {
  text: string;
  most?: number;
  /** Lets long addresses wrap. Not for cells that cut their line: Chromium breaks it there too. */
  breaks?: boolean;
}) => (
  <bdi class="foreign">
    {breaks ? <Breakable text={shorten(text, most)} /> : shorten(text, most)}
  </bdi>
);

/** Long addresses break after punctuation, and inside a word only if that doesn't fit a line. */
export function Breakable({ text }: { text: string }) {
  if (text.length > 2000 || !/\S{20}/.test(text)) return <>{text}</>;
  const parts = text.split(/(?<=[/@?&=.])(?![/@?&=._])/);
  return (
    <>{parts.flatMap((part, place) => (place === 0 ? [part] : [<wbr key={place} />, part]))}</>
  );
}

/** What there is to say, with dots between. Texts that are absent leave no dot. */
export const Dotted = ({ children }: { children: ComponentChildren }) => (
  <>
    {toChildArray(children).map((part, place) => (
      <Fragment key={place}>
        {place > 0 && ' · '}
        {part}
      </Fragment>
    ))}
  </>
);

/** With a button that shows all of it. */
export function LongForeign({ text, most = 300 }: { text: string; most?: number }) {
  const [isWhole, setWhole] = useState(false);
  if (text.length <= most) return <Foreign text={text} most={most} breaks />;
  return (
    <>
      <Foreign text={text} most={isWhole ? text.length : most} breaks />{' '}
      <button type="button" class="link" onClick={() => setWhole(!isWhole)}>
        {isWhole ? 'Show less' : `Show all ${text.length.toLocaleString()} characters`}
      </button>
    </>
  );
}

/** In the reader's zone. `Tip` shows the exact time on hover, focus and touch. */
export const Moment = ({
  at,
  inRow = false,
  toMs = false,
  ofDay = false,
  within,
}: {
  at: number;
  /** It may have been later by up to this many milliseconds. */
  within?: number;
  /** In a list: the column's head names the zone, and the row takes the focus. */
  inRow?: boolean;
  /** The time of day to the second, in a list that is divided by days. */
  ofDay?: boolean;
  /** The time of day with milliseconds, below a heading that names the day and zone. */
  toMs?: boolean;
}) => (
  <time
    dateTime={new Date(at).toISOString()}
    data-exact={within ? `${exactTime(at)}, or up to ${duration(within)} later` : exactTime(at)}
    tabIndex={inRow || toMs || ofDay ? -1 : 0}
  >
    {within
      ? `about ${minuteText(at, Date.now())}`
      : toMs
        ? clockText(at)
        : ofDay
          ? secondText(at)
          : timeText(at, Date.now())}
    {!(inRow || toMs || ofDay) && ` ${zoneText(at)}`}
  </time>
);

/** A column head for moments. */
export const zoned = (head: string): string => `${head} (${zoneText(Date.now())})`;

/** What became of something: a glyph and a word, without a ground. Never for what is true of every row. */
export const Badge = ({
  tone,
  glyph = glyphOfTone[tone],
  children,
}: {
  tone: Tone;
  glyph?: GlyphName | undefined;
  children: ComponentChildren;
}) => (
  <span class={`badge ${tone}`}>
    <Glyph of={glyph} />
    <bdi>{children}</bdi>
  </span>
);

/** For anything but a state. */
export const Tag = ({ children }: { children: ComponentChildren }) => (
  <span class="tag">{children}</span>
);

export const StateBadge = ({
  of: [text, tone],
  glyph,
}: {
  of: readonly [text: string, tone: Tone];
  glyph?: GlyphName | undefined;
}) => (
  <Badge tone={tone} glyph={glyph}>
    {text}
  </Badge>
);

/** From the service, with its times in the reader's zone. */
export const Sentence = ({ text }: { text: string }) => (
  <bdi class="foreign">
    {shorten(text, 1000)
      .split(/(\d{4}-\d\d-\d\dT[\d:.]+Z)/)
      .map((part) => {
        const at = /^\d{4}-.*Z$/.test(part) ? Date.parse(part) : Number.NaN;
        return Number.isNaN(at) ? part : <Moment key={part} at={at} />;
      })}
  </bdi>
);

export function CopyButton({
  text,
  what,
  label = 'Copy',
  look = 'small',
}: {
  text: string;
  what: string;
  label?: string;
  /** `plain` at the top of a page, `copy` for a glyph beside an id. */
  look?: 'small' | 'plain' | 'copy';
}) {
  const [state, setState] = useState<'ready' | 'copied' | 'refused'>('ready');
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => {
        setState('copied');
        announce(`Copied ${what}`);
      },
      () => setState('refused'),
    );
  };
  const words = { ready: label, copied: 'Copied', refused: 'Select it and copy' };
  return (
    <button type="button" class={look} aria-label={`Copy ${what}`} onClick={copy}>
      {look !== 'copy' || state === 'refused' ? (
        words[state]
      ) : (
        <Glyph of={state === 'ready' ? 'copy' : 'ok'} />
      )}
    </button>
  );
}

/** A secret that the service shows only once. It takes the focus: nothing on the page matters more. */
export function ShownOnce({ what, secret }: { what: string; secret: string }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.focus(), [secret]);
  return (
    <div class="notice warn" tabIndex={-1} ref={element}>
      <p>
        <b>Copy {what} now.</b> It can’t be shown again once you leave this page.
      </p>
      <p class="copyable">
        <code>{secret}</code> <CopyButton text={secret} what={what} />
      </p>
    </div>
  );
}
