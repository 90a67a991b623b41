import { capitalized, shortTime } from '../shared/format.ts';
import { percent } from './figures.tsx';
import type { Metrics } from './range.ts';
import { percentText } from './rates.ts';

/** How fast the largest receivers take email. */
export const Receivers = ({ receivers }: Pick<Metrics, 'receivers'>) =>
  receivers.length === 0 ? null : (
    <section class="card flush">
      <header>
        <h2>Time to delivered, by receiver</h2>
        <span class="quiet">● half within — 95% within</span>
      </header>
      <table class="numbers">
        <thead>
          <tr>
            <th scope="col">Receiver</th>
            <th scope="col" class="roomy">
              Share
            </th>
            <th scope="col">Delivered</th>
            <th scope="col" class="scale">
              0.1 s – 10 min
            </th>
            <th scope="col">Half</th>
            <th scope="col">95%</th>
          </tr>
        </thead>
        <tbody>
          {receivers.map(({ domain, share, delivery_rate: deliveryRate, p50Ms, p95Ms }) => (
            <tr key={domain}>
              <th scope="row">{domain}</th>
              <td class="end roomy quiet">{percentText(share)}</td>
              <td class={`end ${isLow(deliveryRate) ? 'warn' : ''}`}>
                {deliveryRate === null ? '–' : percentText(Math.min(100, deliveryRate))}
              </td>
              <td class="scale">
                <Scale from={p50Ms} to={p95Ms} />
              </td>
              <td class="end quiet">{shortTime(p50Ms)}</td>
              <td class="end quiet">{shortTime(p95Ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );

/** Below it, look into what this receiver refuses. */
const lowRate = 98.5;
const isLow = (rate: number | null): boolean => rate !== null && rate < lowRate;

const shortest = 100;
const longest = 600_000;
/** A share of the scale, on which each tenfold is as long. */
const placeOf = (ms: number): string =>
  percent(Math.min(1, Math.max(0, Math.log(ms / shortest) / Math.log(longest / shortest))));

const Scale = ({ from, to }: { from: number; to: number }) => (
  <svg class="times" width="100%" height="12" aria-hidden="true">
    <line class="grid" x2="100%" y1="6" y2="6" />
    <line class="span" x1={placeOf(from)} x2={placeOf(to)} y1="6" y2="6" />
    <circle cx={placeOf(from)} cy="6" r="3.5" />
  </svg>
);

const maxReasons = 6;

/** The most frequent reasons, each with its share of the first. */
export function Reasons({ reasons }: Pick<Metrics, 'reasons'>) {
  const [first] = reasons;
  if (first === undefined) return null;
  const all = reasons.reduce((sum, { emails }) => sum + emails, 0);
  return (
    <section class="card flush">
      <header>
        <h2>Why emails didn’t arrive</h2>
        <span class="quiet">{all.toLocaleString()}</span>
      </header>
      <ul class="reasons">
        {reasons.slice(0, maxReasons).map(({ reason, why, emails }) => (
          <li key={reason}>
            <svg width="100%" height="26" aria-hidden="true">
              <rect width={percent(emails / first.emails)} height="26" rx="4" />
            </svg>
            <span>{capitalized(why)}</span>
            <b>{emails.toLocaleString()}</b>
          </li>
        ))}
      </ul>
    </section>
  );
}
