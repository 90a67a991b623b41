import { periodName, shortTime } from '../shared/format.ts';
import type { Usage } from './usage-table.ts';

/** The domains with the most deliveries, and how fast each takes email. */
export function ReceivingDomains({ month, busiest, lacking }: Usage['receivingDomains']) {
  if (busiest.length === 0) return null;
  return (
    <>
      <h2>Time to delivery</h2>
      <table class="figures">
        <caption>
          From Amazon SES accepting an email, by receiving domain, {periodName(month)} (UTC)
        </caption>
        <thead>
          <tr>
            <th scope="col">Domain</th>
            <th scope="col">Delivered</th>
            <th scope="col">Median</th>
            <th scope="col">95th percentile</th>
          </tr>
        </thead>
        <tbody>
          {busiest.map(({ domain, deliveries, p50Ms, p95Ms }) => (
            <tr key={domain}>
              <th scope="row">{domain}</th>
              <td data-label="Delivered">{deliveries.toLocaleString()}</td>
              <td data-label="Median">{shortTime(p50Ms)}</td>
              <td data-label="p95">{shortTime(p95Ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {lacking > 0 && (
        <p class="quiet">
          You write to many different domains, so each figure may lack up to{' '}
          {lacking.toLocaleString()} deliveries.
        </p>
      )}
    </>
  );
}
