import type { Answer } from '../../../api.ts';
import { duration } from '../shared/format.ts';
import type { Usage } from './usage-table.ts';

/** How long emails took to arrive, in a sentence. */
export const DeliverySpeed = ({ total: { timeToDelivery } }: Pick<Usage, 'total'>) =>
  timeToDelivery && (
    <p>
      Half of your emails were delivered within <b>{duration(timeToDelivery.p50Ms)}</b> of Amazon
      SES accepting them, 95 % within <b>{duration(timeToDelivery.p95Ms)}</b>.
    </p>
  );

/** The domains with the most deliveries, and how fast each takes email. */
export function ReceivingDomains({
  month,
  busiest,
  lacking,
}: Answer<'GET /api/v1/usage'>['receivingDomains']) {
  if (busiest.length === 0) return null;
  return (
    <>
      <h2>Time to delivery</h2>
      <table class="figures">
        <caption>The busiest receiving domains, {month} (UTC)</caption>
        <thead>
          <tr>
            <th scope="col">Domain</th>
            <th scope="col">Delivered</th>
            <th scope="col">Half within</th>
            <th scope="col">95 % within</th>
          </tr>
        </thead>
        <tbody>
          {busiest.map(({ domain, deliveries, p50Ms, p95Ms }) => (
            <tr key={domain}>
              <th scope="row">{domain}</th>
              <td data-label="Delivered">{deliveries.toLocaleString()}</td>
              <td data-label="Half within">{duration(p50Ms)}</td>
              <td data-label="95 % within">{duration(p95Ms)}</td>
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
