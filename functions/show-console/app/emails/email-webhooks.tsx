import { count } from '../shared/format.ts';
import { addressWith } from '../shared/paging.ts';
import { Badge, Foreign } from '../shared/text.tsx';
import { useCall } from '../shared/use-call.ts';
import { deliveryWords, type EmailStory } from '../shared/words.ts';

/** Which endpoints were told of an email, and how that went. */
export function EmailWebhooks({ story: { send, webhooks } }: { story: EmailStory }) {
  // Names for the ids; without them the ids stand there.
  const endpoints = useCall('GET /api/v1/webhooks', {});
  const nameOf = (id: string) =>
    endpoints.value?.data.find((endpoint) => endpoint.id === id)?.url ?? id;
  if (webhooks.length === 0) {
    return (
      <p class="quiet">
        Nobody was told. <a href="/console/webhooks">Register an endpoint</a> to hear of bounces as
        they happen.
      </p>
    );
  }
  // One endpoint may have been told of several opens: a row has no name but its place.
  const rows = webhooks.map((told, place) => ({ ...told, place }));
  return (
    <ul class="rows">
      {rows.map(({ place, endpointId, type, status, attempts, lastStatusCode }) => (
        <li key={place}>
          <a href={logOf(endpointId, send._id)}>{type}</a>
          <span class="wide quiet">
            <Foreign text={nameOf(endpointId)} most={100} />
          </span>
          <Badge tone={deliveryWords[status][1]}>{deliveryWords[status][0]}</Badge>
          <span>
            {count(attempts, 'attempt')}
            {lastStatusCode !== undefined && `, the last answered ${lastStatusCode}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The log of the endpoint, with each attempt at telling it of this email, and what it answered. */
const logOf = (endpointId: string, send: string): string =>
  addressWith(`/console/webhooks/${encodeURIComponent(endpointId)}`, { send });
