import type { ComponentChildren } from 'preact';
import { percentOf, type RateKind, rateOf, reviewRates } from '#shared/usage/reputation-limits';
import { PageLink } from '../parts/page-link.tsx';
import { count, shortTime } from '../shared/format.ts';
import type { Tone } from '../shared/words.ts';
import { partIn } from './bars.ts';
import { emailsIn, type Figures, type Metrics, type Range } from './range.ts';
import { changeOf, countedOf, percentText, pointsOf, rateWords } from './rates.ts';
import type { Overview } from './troubles.ts';

type Shown = { readonly metrics: Metrics; readonly range: Range };

/** Five figures of the range, with their limits, or their change from the time before. */
export function FiveFigures({
  metrics,
  range,
  dailyLimit,
}: Shown & { dailyLimit: Overview['organization']['dailyLimit'] | undefined }) {
  const { totals, previous, receivers } = metrics;
  const before = previous && previous.sent > 0 ? previous : undefined;
  const pending = partIn(totals, 'pending');
  const { timeToDelivery: time } = totals;
  const slowest = [...receivers].sort((one, other) => other.p95Ms - one.p95Ms)[0];
  return (
    <dl class="five">
      <Figure name="Sent" figure={totals.sent.toLocaleString()} href={emailsIn(range)}>
        {dailyLimit && !range.isByHour && <OfDay metrics={metrics} limit={dailyLimit} />}
        {before && <Change text={changeOf(totals.sent, before.sent)} range={range} />}
      </Figure>
      <Figure
        name="Delivered"
        figure={percentText(delivered(totals))}
        href={emailsIn(range, 'delivered', 'opened', 'clicked')}
      >
        {before && (
          <Change
            text={pointsOf(delivered(totals), delivered(before)) ?? 'unchanged'}
            range={range}
          />
        )}
        {pending > 0 && <span>{count(pending, 'email')} still on the way</span>}
      </Figure>
      <RateFigure kind="bounced" totals={totals} range={range} />
      <RateFigure kind="complained" totals={totals} range={range} />
      <Figure name="Time to delivered" figure={time ? shortTime(time.p50Ms) : '–'}>
        {time && <span>95% within {shortTime(time.p95Ms)}</span>}
        {slowest && receivers.length > 1 && <span>Slowest: {slowest.domain}</span>}
      </Figure>
    </dl>
  );
}

const Change = ({ text, range }: { text: string | undefined; range: Range }) =>
  text === undefined ? null : (
    <span>
      {text} from {range.before}
    </span>
  );

const delivered = (figures: Figures): number =>
  percentOf(partIn(figures, 'delivered'), figures.sent);

/** Today's emails; the limit is on recipients, of whom most emails have one. */
function OfDay({
  metrics: { buckets },
  limit: { recipients, setBy },
}: {
  metrics: Metrics;
  limit: NonNullable<Overview['organization']['dailyLimit']>;
}) {
  const today = buckets.at(-1)?.sent ?? 0;
  return (
    <>
      <Limit share={today / recipients} />
      <span>
        {today.toLocaleString()} of {setBy === 'ses' ? 'SES’s' : 'your'}{' '}
        {recipients.toLocaleString()} today
      </span>
    </>
  );
}

/** A share of 0 to 1 of a limit, which is at the end, or at a mark with room behind it. */
const Limit = ({ share, mark }: { share: number; mark?: number }) => (
  <svg class="limit" width="100%" height="10" aria-hidden="true">
    <rect y="3" width="100%" height="4" rx="2" />
    <rect class="value" y="3" width={percent(Math.min(1, share))} height="4" rx="2" />
    {mark && <line x1={percent(mark)} x2={percent(mark)} y2="10" />}
  </svg>
);

export const percent = (share: number): string => `${Math.round(share * 10_000) / 100}%`;

/** Where the limit is on its line: there's room for what is over it. */
const limitAt = 0.72;

function RateFigure({ kind, totals, range }: { kind: RateKind; totals: Figures; range: Range }) {
  const counted = countedOf(kind, totals);
  const rate = rateOf(kind, totals.sent, counted);
  const { perMille, limit } = reviewRates[kind];
  const { name, outcome } = rateWords[kind];
  return (
    <Figure
      name={name}
      figure={percentText(rate.percent)}
      href={emailsIn(range, outcome)}
      tone={tones[rate.state]}
    >
      <Limit share={(limitAt * rate.percent * 10) / perMille} mark={limitAt} />
      <span>
        {rate.state === 'too_few' && counted > 0
          ? `${counted} of ${count(totals.sent, 'email')}`
          : `AWS reviews at ${limit}`}
      </span>
    </Figure>
  );
}

const tones: Readonly<Record<ReturnType<typeof rateOf>['state'], Tone | undefined>> = {
  reached: 'bad',
  near: 'warn',
  early: 'warn',
  below: undefined,
  too_few: undefined,
};

const Figure = ({
  name,
  figure,
  href,
  tone,
  children,
}: {
  name: string;
  figure: string;
  href?: string;
  tone?: Tone | undefined;
  children: ComponentChildren;
}) => (
  <div>
    <dt>{name}</dt>
    <dd class={tone}>
      {href ? (
        <PageLink href={href} aria-label={`${name}: ${figure}`}>
          {figure}
        </PageLink>
      ) : (
        figure
      )}
    </dd>
    <dd class="note">{children}</dd>
  </div>
);
