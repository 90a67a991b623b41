import { useEffect, useRef, useState } from 'preact/hooks';
import { dayName } from '../shared/format.ts';
import type { Day, Usage } from './usage-table.ts';

const figures = [
  ['sent', 'Sent'],
  ['delivered', 'Delivered'],
  ['bounced', 'Bounced'],
  ['complained', 'Marked as spam'],
] as const;
type Counts = Pick<Day, 'sends' | 'events'>;

const figureOf = ({ sends, events }: Counts, name: (typeof figures)[number][0]): number =>
  name === 'sent' ? sends : events[name];

/** The days as a chart, whose library loads only with it, and as a table. */
export function UsageChart({ days, total }: { days: readonly Day[]; total: Usage['total'] }) {
  const [at, setAt] = useState<number>();
  const [hasFailed, setFailed] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let erase: (() => void) | 'gone' | undefined;
    import('./usage-plot.ts').then(
      ({ drawUsage }) => {
        if (erase !== 'gone' && place.current) erase = drawUsage(place.current, days, setAt);
      },
      () => setFailed(true),
    );
    return () => {
      if (typeof erase === 'function') erase();
      erase = 'gone';
    };
  }, [days]);
  const day = at === undefined ? undefined : days[at];
  const shown: Counts = day ?? total;
  return (
    <figure class="usage">
      <figcaption>{day ? dayName(day.day) : `All ${days.length} days (UTC)`}</figcaption>
      <dl class="totals">
        {figures.map(([name, text]) => (
          <div key={name} class={name}>
            <dt>{text}</dt>
            <dd>{figureOf(shown, name).toLocaleString()}</dd>
          </div>
        ))}
      </dl>
      {hasFailed ? (
        <p class="quiet">The chart couldn’t be loaded. The table has the same figures.</p>
      ) : (
        <div
          class="plot"
          ref={place}
          role="img"
          aria-label="Chart of the emails of each day. The table below has the same figures."
        />
      )}
      <UsageTable days={days} />
    </figure>
  );
}

const UsageTable = ({ days }: { days: readonly Day[] }) => (
  <details>
    <summary>Show as a table</summary>
    <table class="numbers">
      <caption>Emails by day (UTC), newest first</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          {figures.map(([name, text]) => (
            <th scope="col" key={name}>
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...days].reverse().map((day) => (
          <tr key={day.day}>
            <th scope="row">{dayName(day.day)}</th>
            {figures.map(([name]) => (
              <td key={name}>{figureOf(day, name).toLocaleString()}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </details>
);
