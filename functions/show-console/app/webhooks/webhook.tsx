import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { retryScheduleText } from '#shared/webhooks/retry-delay';
import type { Answer } from '../../../api.ts';
import { call } from '../api-client.ts';
import { toast } from '../parts/announce.tsx';
import { ActionButton, ConfirmButton } from '../parts/buttons.tsx';
import { Fact } from '../parts/facts.tsx';
import { More } from '../parts/more.tsx';
import { Card, Page } from '../parts/page.tsx';
import { Shown } from '../parts/states.tsx';
import { Foreign, Moment, ShownOnce, Tag } from '../parts/text.tsx';
import { count, shortTime } from '../shared/format.ts';
import { may } from '../shared/may.ts';
import { addressWith } from '../shared/paging.ts';
import { useCall } from '../shared/use-call.ts';
import { useFresh } from '../shared/use-fresh.ts';
import type { Delivery } from './deliveries.ts';
import { DeliveryLog, useDeliveries } from './delivery-log.tsx';
import { EndpointAnswer } from './endpoint-answer.tsx';
import { EditEndpoint } from './endpoint-form.tsx';
import { HealthBadge } from './health-badge.tsx';
import { VerifyPayload } from './verify-payload.tsx';
import { failuresIn, medianMs } from './waiting-words.ts';

type Endpoint = Answer<'GET /api/v1/webhooks/{id}'>;

export function WebhookPage() {
  const { params } = useRoute();
  const id = params['id'] ?? '';
  const webhook = useCall('GET /api/v1/webhooks/{id}', { path: { id } });
  useFresh(webhook.refresh);
  const log = useDeliveries(id);
  const [secret, setSecret] = useState<string>();
  const { value } = webhook;
  const deliveries = log.value?.data ?? [];
  const reload = () => {
    webhook.reload();
    log.reload();
  };
  return (
    <Page
      title="Webhook endpoint"
      heading={
        value ? <Foreign text={value.description || value.url} breaks /> : 'Webhook endpoint'
      }
      crumb={<a href="/console/webhooks">Webhooks</a>}
      beside={value && <HealthBadge webhook={value} log={log} />}
      answer={
        value && <EndpointAnswer webhook={value} deliveries={deliveries} onChanged={reload} />
      }
      actions={
        value &&
        mayManage() && (
          <Actions
            webhook={value}
            onChanged={webhook.reload}
            onSecret={setSecret}
            onTested={log.reload}
          />
        )
      }
    >
      {secret && <ShownOnce what="the new signing secret" secret={secret} />}
      <Shown of={webhook}>{(found) => <Slow webhook={found} />}</Shown>
      <div class="two">
        <div>
          <Answers deliveries={deliveries} />
          <DeliveryLog webhook={value} webhookId={id} log={log} onRetried={reload} />
        </div>
        {value && (
          <div>
            <About webhook={value} deliveries={deliveries} />
            <Retrying webhook={value} />
          </div>
        )}
      </div>
    </Page>
  );
}

/** All changes of an endpoint need the same scope. */
const mayManage = (): boolean => may('PATCH /api/v1/webhooks/{id}');

type Changes = { webhook: Endpoint; onChanged: () => void };

const Slow = ({ webhook: { slowUntil } }: { webhook: Endpoint }) =>
  slowUntil !== undefined && slowUntil > Date.now() ? (
    <p class="notice warn">
      It answers slowly, so its events are delayed until <Moment at={slowUntil} />. Answer first,
      then do the work.
    </p>
  ) : null;

/** The same answer once, with how often it came. */
function Answers({ deliveries }: { deliveries: readonly Delivery[] }) {
  const { query, path } = useLocation();
  const groups = failuresIn(deliveries);
  if (groups.length === 0) return null;
  return (
    <section class="card">
      <h2>
        What the server answered{' '}
        <span class="quiet">to the {count(deliveries.length, 'delivery', 'deliveries')} below</span>
      </h2>
      <ul class="rows aligned answers">
        {groups.map(({ words, text, times, delivery }) => (
          <li key={delivery.id}>
            <b>
              {times} × {words}
            </b>
            <code class="wide quiet">
              <Foreign text={text} most={100} />
            </code>
            <a href={addressWith(path, { ...query, delivery: delivery.id })}>
              Show<span class="visually-hidden"> the answer {words}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function About({
  webhook: { url, description, eventTypes, tags, templates, format, ...webhook },
  deliveries,
}: {
  webhook: Endpoint;
  deliveries: readonly Delivery[];
}) {
  const half = medianMs(deliveries);
  return (
    <Card title="Endpoint">
      <dl class="facts">
        {description && (
          <Fact name="URL">
            <code>
              <Foreign text={url} breaks />
            </code>
          </Fact>
        )}
        <Fact name="Events">
          {eventTypes.length === 0 ? (
            'All'
          ) : (
            <details>
              <summary>{count(eventTypes.length, 'type')}</summary>
              {eventTypes.map((type) => (
                <div key={type}>
                  <code>{type}</code>
                </div>
              ))}
            </details>
          )}
        </Fact>
        {tags.length > 0 && (
          <Fact name="Only tags">
            {tags.map((tag) => (
              <Tag key={tag}>
                <Foreign text={tag} />
              </Tag>
            ))}
          </Fact>
        )}
        {templates.length > 0 && <Fact name="Only of">{count(templates.length, 'template')}</Fact>}
        <Fact name="Format">{format === undefined ? 'Standard Webhooks' : 'Resend’s'}</Fact>
        {webhook.previousSecretsExpireAt !== undefined && (
          <Fact name="Secret">
            Rotated: the old one signs too, until <Moment at={webhook.previousSecretsExpireAt} />
          </Fact>
        )}
        {half !== undefined && (
          <Fact name="Answers">half of those below within {shortTime(half)}</Fact>
        )}
        <Fact name="Created">
          <Moment at={webhook.createdAt} />
        </Fact>
      </dl>
    </Card>
  );
}

const Retrying = ({ webhook }: { webhook: Endpoint }) => (
  <Card title="How retrying works">
    <p class="quiet">
      {retryScheduleText(webhook)}: {count(webhook.maxAttempts, 'attempt')} in all. “Retry all now”
      begins with 2 at a time and adds one for each quick success. A 410 disables the endpoint.
    </p>
  </Card>
);

function Actions({
  webhook,
  onChanged,
  onSecret,
  onTested,
}: Changes & { onSecret: (secret: string) => void; onTested: () => void }) {
  const { id, enabled, paused, health } = webhook;
  const isFailing = health.failingSince !== undefined || webhook.waiting.count > 0;
  return (
    <>
      <More>
        <VerifyPayload webhookId={id} />
        <Rotate id={id} onChanged={onChanged} onSecret={onSecret} />
        {enabled && !paused && !isFailing && <Pause id={id} onChanged={onChanged} />}
        {enabled && <Disable id={id} onChanged={onChanged} />}
        <Delete webhook={webhook} />
      </More>
      <EditEndpoint webhook={webhook} onChanged={onChanged} />
      {enabled && !paused && (
        <ActionButton
          label="Send test"
          look={isFailing ? 'plain' : 'main'}
          act={async () => {
            await call('POST /api/v1/webhooks/{id}/test', { path: { id } });
            toast('Test sent: it’s at the top of the deliveries');
            onTested();
          }}
        />
      )}
    </>
  );
}

const Pause = ({ id, onChanged }: { id: string; onChanged: () => void }) => (
  <ActionButton
    label="Pause deliveries"
    look="plain"
    act={async () => {
      await call('PATCH /api/v1/webhooks/{id}', { path: { id }, body: { paused: true } });
      toast('Deliveries paused');
      onChanged();
    }}
  />
);

const Rotate = ({
  id,
  onChanged,
  onSecret,
}: {
  id: string;
  onChanged: () => void;
  onSecret: (secret: string) => void;
}) => (
  <ConfirmButton
    label="Rotate secret…"
    question="Rotate the signing secret?"
    yes="Rotate"
    look="plain"
    isHarmless
    act={async () => {
      const path = { id };
      const { secret } = await call('POST /api/v1/webhooks/{id}/rotate-secret', { path });
      onSecret(secret);
      onChanged();
    }}
  >
    <p>The new secret is shown once. Messages are signed with both for 24 hours.</p>
  </ConfirmButton>
);

const Disable = ({ id, onChanged }: { id: string; onChanged: () => void }) => (
  <ConfirmButton
    label="Disable…"
    question="Disable this endpoint?"
    yes="Disable"
    look="plain"
    act={async () => {
      await call('PATCH /api/v1/webhooks/{id}', { path: { id }, body: { enabled: false } });
      toast('Endpoint disabled');
      onChanged();
    }}
  >
    <p>It misses everything that happens until it’s enabled again.</p>
  </ConfirmButton>
);

function Delete({ webhook: { id, url } }: { webhook: Endpoint }) {
  const { route } = useLocation();
  return (
    <ConfirmButton
      label="Delete…"
      question="Delete this endpoint?"
      yes="Delete"
      look="plain"
      act={async () => {
        await call('DELETE /api/v1/webhooks/{id}', { path: { id } });
        toast('Endpoint deleted');
        route('/console/webhooks');
      }}
    >
      <p>
        <Foreign text={url} /> stops getting events, and its log is deleted.
      </p>
    </ConfirmButton>
  );
}
