import type { ComponentChildren } from 'preact';
import { percentOf, type RateKind, rateOf, reviewRates } from '#shared/usage/reputation-limits';
import { count, shortTime } from '../shared/format.ts';
import { addressWith } from '../shared/paging.ts';
import type { Tone } from '../shared/words.ts';
import { partIn } from '../usage/bars.ts';
import type { Figures, Usage } from '../usage/usage-table.ts';
import { changeOf, countedOf, emailsThat, percentText, pointsOf, rateWords } from './rates.ts';

/** The figures of the last 30 days, each with its change from the 30 before. */
export function Tiles({ total, previous }: Pick<Usage, 'total' | 'previous'>) {
  const { sends, events, timeToDelivery: time } = total;
  const before = previous && previous.total.sends > 0 ? previous.total : undefined;
  return (
    <dl class="tiles">
      <Tile
        name="Sent"
        figure={sends.toLocaleString()}
        href={addressWith('/console/emails', { period: '30d' })}
        note={(before && changeOf(sends, before.sends)) ?? count(total.recipients, 'recipient')}
      />
      <Tile
        name="Delivered"
        figure={percentText(delivered(total))}
        href={emailsThat('delivered', 'opened', 'clicked')}
        note={pointsText(delivered, total, before) ?? count(partIn(total, 'delivered'), 'email')}
      />
      <RateTile kind="bounced" total={total} before={before} />
      <RateTile kind="complained" total={total} before={before} />
      <Tile
        name="Opened"
        figure={percentText(opened(total))}
        href={emailsThat('opened', 'clicked')}
        note={`${pointsText(opened, total, before) ?? count(events.opened, 'email')} · ${machinesToo}`}
      />
      <Tile
        name="Links clicked"
        figure={events.clicked.toLocaleString()}
        href={emailsThat('clicked')}
        note={`${(before && changeOf(events.clicked, before.events.clicked)) ?? 'unique clicks'} · ${machinesToo}`}
      />
      <Tile
        name="Time to delivery"
        figure={time ? shortTime(time.p50Ms) : '–'}
        href="/console/usage"
        note={time ? `p95 ${shortTime(time.p95Ms)}` : 'none yet'}
      />
    </dl>
  );
}

/** The lists of emails count opens and clicks by people only. */
const machinesToo = 'incl. machines';

function pointsText(
  share: (figures: Figures) => number,
  total: Figures,
  before: Figures | undefined,
): string | undefined {
  if (before === undefined) return undefined;
  const change = pointsOf(share(total), share(before));
  return change === undefined ? 'unchanged' : `${change} points`;
}

const delivered = (figures: Figures): number =>
  percentOf(partIn(figures, 'delivered'), figures.sends);

/** Capped, as opens of emails sent before these days count too. */
const opened = ({ events }: Figures): number =>
  Math.min(100, percentOf(events.opened, events.delivered));

function RateTile({
  kind,
  total,
  before,
}: {
  kind: RateKind;
  total: Figures;
  before: Figures | undefined;
}) {
  const counted = countedOf(kind, total);
  const { state, percent } = rateOf(kind, total.sends, counted);
  const change = before && pointsOf(percent, percentOf(countedOf(kind, before), before.sends));
  return (
    <Tile
      name={rateWords[kind].name}
      figure={percentText(percent)}
      href={emailsThat(kind)}
      tone={tones[state]}
      note={
        state === 'too_few' && counted > 0 ? (
          `${counted} of ${count(total.sends, 'email')}`
        ) : (
          <>
            limit {reviewRates[kind].limit}
            {change && ` · ${change}`}
          </>
        )
      }
    />
  );
}

const tones: Readonly<Record<ReturnType<typeof rateOf>['state'], Tone | undefined>> = {
  reached: 'bad',
  near: 'warn',
  early: 'warn',
  below: undefined,
  too_few: undefined,
};

const Tile = ({
  name,
  figure,
  href,
  tone,
  note,
}: {
  name: string;
  figure: string;
  href: string;
  tone?: Tone | undefined;
  note: ComponentChildren;
}) => (
  <div class={`tile ${tone ? `over ${tone}` : ''}`}>
    <dt>{name}</dt>
    <dd>
      <a href={href} aria-label={`${name}: ${figure}`}>
        {figure}
      </a>
    </dd>
    <dd class="note">{note}</dd>
  </div>
);
