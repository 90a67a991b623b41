import { useState } from 'preact/hooks';
import { dayName } from '../shared/format.ts';
import { addressWith } from '../shared/paging.ts';
import { barOf, barParts, partIn, partWords, scaleOf } from './bars.ts';
import type { Day, Figures } from './usage-table.ts';

/** The emails of a UTC day. */
const emailsOf = (day: string): string =>
  addressWith('/console/emails', {
    from: `${day}T00:00:00.000Z`,
    until: new Date(Date.parse(day) + 86_400_000).toISOString(),
  });

/** The days as stacked bars, and as a table. */
export function UsageChart({ days, total }: { days: readonly Day[]; total: Figures }) {
  const [at, setAt] = useState<number>();
  const day = at === undefined ? undefined : days[at];
  const { top, lines } = scaleOf(Math.max(...days.map(({ sends }) => sends)));
  const labelEvery = Math.ceil(days.length / mostLabels);
  return (
    <figure class="card usage">
      <figcaption>
        <h2>Emails by day</h2>
        <span class="quiet">{day ? dayName(day.day) : `All ${days.length} days`}</span>
        <Legend figures={day ?? total} />
      </figcaption>
      {/* For the eyes: the table has the same figures and links. */}
      <div class="plot" aria-hidden="true" onPointerLeave={() => setAt(undefined)}>
        {lines.map((line) => (
          <div key={line} class="line" style={{ bottom: `${(100 * line) / top}%` }}>
            <span>{line.toLocaleString()}</span>
          </div>
        ))}
        <div class="bars">
          {days.map((one, place) => (
            <a
              key={one.day}
              href={emailsOf(one.day)}
              tabIndex={-1}
              class={place === at ? 'day at' : 'day'}
              onPointerEnter={() => setAt(place)}
            >
              <div class="stack" style={{ height: `${(100 * one.sends) / top}%` }}>
                {barOf(one).map(([part, number]) => (
                  <div key={part} class={part} style={{ flexGrow: number }} />
                ))}
              </div>
              {(days.length - 1 - place) % labelEvery === 0 && <small>{dayName(one.day)}</small>}
            </a>
          ))}
        </div>
      </div>
      <UsageTable days={days} />
    </figure>
  );
}

/** As many as fit on a tablet. Phones have room for half of them. */
const mostLabels = 10;

const Legend = ({ figures }: { figures: Figures }) => (
  <ul class="legend">
    {barParts.map((part) => (
      <li key={part} class={part}>
        {partWords[part]} <b>{partIn(figures, part).toLocaleString()}</b>
      </li>
    ))}
  </ul>
);

const UsageTable = ({ days }: { days: readonly Day[] }) => (
  <details>
    <summary>Show as a table</summary>
    <table class="numbers">
      <caption>Emails by day (UTC), newest first</caption>
      <thead>
        <tr>
          <th scope="col">Day</th>
          <th scope="col">Sent</th>
          {barParts.map((part) => (
            <th scope="col" key={part}>
              {partWords[part]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...days].reverse().map((day) => (
          <tr key={day.day}>
            <th scope="row">
              <a href={emailsOf(day.day)}>{dayName(day.day)}</a>
            </th>
            <td>{day.sends.toLocaleString()}</td>
            {barParts.map((part) => (
              <td key={part}>{partIn(day, part).toLocaleString()}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </details>
);
