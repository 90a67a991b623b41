import { useState } from 'preact/hooks';
import { percentOf, type RateKind, reviewRates } from '#shared/usage/reputation-limits';
import { bounces } from '../emails/outcomes.ts';
import { dayName } from '../shared/format.ts';
import { type BarPart, barOf, barParts, partWords, scaleOf, shownIn } from './bars.ts';
import { percent } from './figures.tsx';
import { type Bucket, emailsOf, type Metrics, type Range } from './range.ts';
import { countedOf, percentText, rateKinds, rateWords } from './rates.ts';

// Sizes are attributes, as the page's policy allows no inline styles: shares of the width in percent, heights in pixels.

const barsHeight = 132;
const rateHeight = 48;

/** Emails and the two rates that AWS limits, on one axis of time, and as a table. */
export function Plots({ metrics, range }: { metrics: Metrics; range: Range }) {
  const { buckets, totals } = metrics;
  const [at, setAt] = useState<number>();
  const shown = at === undefined ? undefined : buckets[at];
  const unit = range.isByHour ? 'hour' : 'day';
  return (
    <figure class="card plots">
      <figcaption>
        <h2>Emails by {unit}</h2>
        <span class="quiet">{shown ? nameOf(shown) : capital(range.words)}</span>
        <Legend figures={shown ?? totals} />
      </figcaption>
      {/* For sighted users: the table has the same figures and links. */}
      <div class="axes" aria-hidden="true" onPointerLeave={() => setAt(undefined)}>
        <Bars buckets={buckets} />
        {rateKinds.map((kind) => (
          <RatePlot key={kind} kind={kind} buckets={buckets} unit={unit} at={at} />
        ))}
        <Times buckets={buckets} />
        <Cursor buckets={buckets} at={at} onAt={setAt} />
      </div>
      <Numbers buckets={buckets} unit={unit} />
    </figure>
  );
}

const capital = (words: string): string => words.replace(/^the l/, 'L');

/** An hour's time is enough, as the range has just one of it. */
const nameOf = ({ period }: Bucket): string =>
  period.includes('T') ? period.slice('2026-11-21T'.length) : dayName(period);

type Buckets = { buckets: readonly Bucket[] };

/** From 0 to 1: where a bucket begins, or its middle. */
const placeOf = (index: number, { length }: readonly unknown[]): number => index / length;

function Bars({ buckets }: Buckets) {
  const { top, lines } = scaleOf(Math.max(...buckets.map(({ sent }) => sent)));
  const heightOf = (emails: number) => (barsHeight * emails) / top;
  return (
    <>
      <svg class="bars" aria-hidden="true" width="100%" height={barsHeight}>
        <Grid heights={lines.map((line) => barsHeight - heightOf(line))} />
        {buckets.map((bucket, index) => {
          let below = 0;
          return barOf(bucket).map(([part, emails]) => {
            if (emails === 0) return null;
            // A single bounce among thousands can be seen.
            const height = Math.max(heightOf(emails), part === 'delivered' ? 1 : 2);
            below += height;
            return (
              <rect
                key={`${bucket.from} ${part}`}
                class={part}
                x={percent(placeOf(index + 0.15, buckets))}
                width={percent(placeOf(0.7, buckets))}
                y={barsHeight - below}
                height={height}
              />
            );
          });
        })}
      </svg>
      <Labels
        height={barsHeight}
        of={lines.map((line) => [barsHeight - heightOf(line), compact(line)])}
      />
    </>
  );
}

const compact = (emails: number): string =>
  emails.toLocaleString(undefined, { notation: 'compact' });

const Grid = ({ heights }: { heights: readonly number[] }) => (
  <>
    {heights.map((y) => (
      <line key={y} class="grid" x2="100%" y1={y} y2={y} />
    ))}
  </>
);

const Labels = ({
  height,
  of,
}: {
  height: number;
  of: readonly (readonly [y: number, text: string, tone?: 'bad'])[];
}) => (
  <svg class="labels" aria-hidden="true" width="100%" height={height}>
    {of.map(([y, text, tone]) => (
      <text key={text} class={tone} x="8" y={y + 4}>
        {text}
      </text>
    ))}
  </svg>
);

function RatePlot({
  kind,
  buckets,
  unit,
  at,
}: Buckets & { kind: RateKind; unit: string; at: number | undefined }) {
  const { perMille, limit } = reviewRates[kind];
  const rates = buckets.map((bucket) => percentOf(countedOf(kind, bucket), bucket.sent));
  const ofLimit = perMille / 10;
  const top = Math.min(Math.max(ofLimit * 1.4, ...rates), ofLimit * 4);
  const yOf = (rate: number) => rateHeight - (rateHeight * Math.min(rate, top)) / top;
  const x = (index: number) => percent(placeOf(index + 0.5, buckets));
  const shown = at === undefined ? undefined : rates[at];
  return (
    <>
      <p>
        <b>{rateWords[kind].name}</b>{' '}
        <span class="quiet">
          {shown === undefined ? `share of the ${unit}’s emails` : percentText(shown)}
        </span>
      </p>
      <svg class="rate" aria-hidden="true" width="100%" height={rateHeight}>
        <Grid heights={[rateHeight]} />
        <line class="limitline" x2="100%" y1={yOf(ofLimit)} y2={yOf(ofLimit)} />
        {rates.map((rate, index) => {
          const next = rates[index + 1];
          return next === undefined ? (
            <circle key={index} cx={x(index)} cy={yOf(rate)} r="1.5" />
          ) : (
            <line
              key={index}
              class="value"
              x1={x(index)}
              y1={yOf(rate)}
              x2={x(index + 1)}
              y2={yOf(next)}
            />
          );
        })}
      </svg>
      <Labels
        height={rateHeight}
        of={[
          [yOf(ofLimit), limit, 'bad'],
          [rateHeight, '0'],
        ]}
      />
    </>
  );
}

/** As many as a phone has room for. */
const maxNames = 4;

function Times({ buckets }: Buckets) {
  const every = Math.ceil(buckets.length / maxNames);
  const last = buckets.length - 1;
  return (
    <svg class="labels" aria-hidden="true" width="100%" height="20">
      {buckets.map((bucket, index) =>
        (last - index) % every === 0 ? (
          <text
            key={bucket.from}
            x={percent(placeOf(index + 0.5, buckets))}
            y="16"
            text-anchor={index === last ? 'end' : 'middle'}
          >
            {nameOf(bucket)}
          </text>
        ) : null,
      )}
    </svg>
  );
}

/** Over all three plots: shows a bucket's figures, and leads to its emails. */
const Cursor = ({
  buckets,
  at,
  onAt,
}: Buckets & { at: number | undefined; onAt: (index: number) => void }) => (
  <svg class="cursor" aria-hidden="true" width="100%" height="100%">
    {at !== undefined && (
      <line
        x1={percent(placeOf(at + 0.5, buckets))}
        x2={percent(placeOf(at + 0.5, buckets))}
        y2="100%"
      />
    )}
    {buckets.map((bucket, index) => (
      <a key={bucket.from} href={emailsOf(bucket)} tabindex={-1}>
        <rect
          x={percent(placeOf(index, buckets))}
          width={percent(placeOf(1, buckets))}
          height="100%"
          onPointerEnter={() => onAt(index)}
        />
      </a>
    ))}
  </svg>
);

const Legend = ({ figures }: { figures: Metrics['totals'] | Bucket }) => (
  <ul class="legend">
    {barParts.map((part) => (
      <li key={part} class={part}>
        <svg width="8" height="8" aria-hidden="true">
          <rect class={part} width="8" height="8" rx="2" />
        </svg>
        {partWords[part]} <b>{shownIn(figures, part).toLocaleString()}</b>
      </li>
    ))}
  </ul>
);

/** The parts whose emails the list can find by time. */
const listedAs = {
  delivered: undefined,
  pending: undefined,
  soft: 'soft_bounced',
  hard: 'bounced',
} as const satisfies Readonly<Record<BarPart, string | undefined>>;

function PartFigure({ part, bucket }: { part: BarPart; bucket: Bucket }) {
  const outcome = listedAs[part];
  const number = shownIn(bucket, part);
  const figure = number.toLocaleString();
  return (
    <td class="end">
      {outcome && number > 0 ? <a href={emailsOf(bucket, outcome)}>{figure}</a> : figure}
    </td>
  );
}

const Numbers = ({ buckets, unit }: Buckets & { unit: string }) => (
  <details>
    <summary>Show as a table</summary>
    <table class="numbers">
      <caption>
        Emails by {unit}, newest first. Soft bounces include automatic replies to delivered emails.
      </caption>
      <thead>
        <tr>
          <th scope="col">{unit === 'hour' ? 'Hour' : 'Day'}</th>
          <th scope="col">Sent</th>
          {barParts.map((part) => (
            <th scope="col" key={part}>
              {partWords[part]}
            </th>
          ))}
          <th scope="col">Complaints</th>
        </tr>
      </thead>
      <tbody>
        {[...buckets].reverse().map((bucket) => (
          <tr key={bucket.from}>
            <th scope="row">
              <a href={emailsOf(bucket)}>{nameOf(bucket)}</a>
            </th>
            <td class="end">{bucket.sent.toLocaleString()}</td>
            {barParts.map((part) => (
              <PartFigure key={part} part={part} bucket={bucket} />
            ))}
            <td class="end">{bucket.complained.toLocaleString()}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </details>
);

export function NewestBounces({ buckets, isByHour }: Buckets & { isByHour: boolean }) {
  const newest = buckets.at(-1);
  if (newest === undefined || newest.bounced === 0) return null;
  return <a href={emailsOf(newest, ...bounces)}>{isByHour ? 'This hour’s' : 'Today’s'} bounces</a>;
}
