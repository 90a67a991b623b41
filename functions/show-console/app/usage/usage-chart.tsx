import { useState } from 'preact/hooks';
import { bounces, type Send } from '../emails/outcomes.ts';
import { dayName } from '../shared/format.ts';
import { addressWith } from '../shared/paging.ts';
import { type BarPart, barOf, barParts, partWords, scaleOf, shownIn } from './bars.ts';
import type { Day, Figures } from './usage-table.ts';

/** Links to the emails of a UTC day, or to those with one of these outcomes on it. */
const emailsOf = (day: string, ...outcomes: Send['outcome'][]): string =>
  addressWith('/console/emails', {
    outcome: outcomes.join(),
    from: `${day}T00:00:00.000Z`,
    until: new Date(Date.parse(day) + 86_400_000).toISOString(),
  });

/** The days as stacked bars, and as a table. */
export function UsageChart({ days, total }: { days: readonly Day[]; total: Figures }) {
  const [at, setAt] = useState<number>();
  const day = at === undefined ? undefined : days[at];
  const { top, lines } = scaleOf(Math.max(...days.map(({ sends }) => sends)));
  const labelEvery = Math.ceil(days.length / maxLabels);
  return (
    <figure class="card usage">
      <figcaption>
        <h2>Emails by day</h2>
        <span class="quiet">{day ? dayName(day.day) : `All ${days.length} days`}</span>
        <BouncesOfToday days={days} />
        <Legend figures={day ?? total} />
      </figcaption>
      {/* For sighted users: the table has the same figures and links. */}
      <div class="plot" aria-hidden="true" onPointerLeave={() => setAt(undefined)}>
        {lines.map((line) => (
          <div key={line} class="line" style={{ bottom: `${(100 * line) / top}%` }}>
            <span>{line.toLocaleString()}</span>
          </div>
        ))}
        <div class="bars">
          {days.map((one, place) => (
            <div
              key={one.day}
              class={place === at ? 'day at' : 'day'}
              onPointerEnter={() => setAt(place)}
            >
              <a class="whole" href={emailsOf(one.day)} tabIndex={-1}>
                {(days.length - 1 - place) % labelEvery === 0 && <small>{dayName(one.day)}</small>}
              </a>
              <div class="stack" style={{ height: `${(100 * one.sends) / top}%` }}>
                {barOf(one).map(([part, number]) => (
                  <Part key={part} part={part} number={number} day={one.day} />
                ))}
              </div>
            </div>
          ))}
        </div>
      </div>
      <UsageTable days={days} />
    </figure>
  );
}

/** The parts whose emails the list can find by day. */
const listedAs: Readonly<Partial<Record<BarPart, Send['outcome']>>> = {
  soft: 'soft_bounced',
  hard: 'bounced',
};

type DayPart = { part: BarPart; number: number; day: string };

function Part({ part, number, day }: DayPart) {
  const outcome = listedAs[part];
  const look = { class: part, style: { flexGrow: number } };
  return outcome ? <a href={emailsOf(day, outcome)} tabIndex={-1} {...look} /> : <div {...look} />;
}

/** As many as fit on a tablet. Phones have room for half of them. */
const maxLabels = 10;

/** The newest day is today, in UTC. */
function BouncesOfToday({ days }: { days: readonly Day[] }) {
  const today = days.at(-1);
  if (!today || today.events.bounced === 0) return null;
  return <a href={emailsOf(today.day, ...bounces)}>Today’s bounces</a>;
}

const Legend = ({ figures }: { figures: Figures }) => (
  <ul class="legend">
    {barParts.map((part) => (
      <li key={part} class={part}>
        {partWords[part]} <b>{shownIn(figures, part).toLocaleString()}</b>
      </li>
    ))}
  </ul>
);

function PartFigure({ part, number, day }: DayPart) {
  const outcome = listedAs[part];
  const figure = number.toLocaleString();
  return <td>{outcome && number > 0 ? <a href={emailsOf(day, outcome)}>{figure}</a> : figure}</td>;
}

const UsageTable = ({ days }: { days: readonly Day[] }) => (
  <details>
    <summary>Show as a table</summary>
    <table class="numbers">
      <caption>
        Emails by day (UTC), newest first. Soft bounces include automatic replies to delivered
        emails.
      </caption>
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
              <PartFigure key={part} part={part} number={shownIn(day, part)} day={day.day} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </details>
);
