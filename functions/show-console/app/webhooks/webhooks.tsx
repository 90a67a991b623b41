import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { call } from '../api-client.ts';
import { announce } from '../shared/announce.tsx';
import { ActionButton, ConfirmButton } from '../shared/buttons.tsx';
import { ChangeForm, Checks, checkedIn, Field, type Typed } from '../shared/form.tsx';
import { Page } from '../shared/page.tsx';
import { Empty, Shown } from '../shared/states.tsx';
import { Foreign, Moment, ShownOnce, StateBadge } from '../shared/text.tsx';
import { useCall } from '../shared/use-call.ts';
import type { Tone } from '../shared/words.ts';
import { eventTypes, type Webhook } from './deliveries.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { VerifyPayload } from './verify-payload.tsx';

/** The endpoints that get events. */
export function Webhooks() {
  const webhooks = useCall('GET /api/v1/webhooks', {});
  const [secret, setSecret] = useState<string>();
  return (
    <Page
      title="Webhooks"
      lead="Get an event at your own endpoint for everything that happens to your emails."
    >
      {secret && <ShownOnce what="the new endpoint’s secret" secret={secret} />}
      <AddEndpoint
        onCreated={(made) => {
          setSecret(made);
          webhooks.reload();
        }}
      />
      <Shown of={webhooks}>
        {({ data }) => (
          <>
            {data.length === 0 && <Empty>None yet. Add one above.</Empty>}
            <ul class="rows">
              {data.map((webhook) => (
                <li key={webhook.id}>
                  <span class="wide">
                    <a href={`/console/webhooks/${encodeURIComponent(webhook.id)}`}>
                      <Foreign text={webhook.url} />
                    </a>
                    <br />
                    <Foreign text={webhook.description} />{' '}
                    <span class="quiet">{!webhook.disabled && webhook.health.outlook}</span>
                  </span>
                  <HealthBadge webhook={webhook} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Shown>
    </Page>
  );
}

const AddEndpoint = ({ onCreated }: { onCreated: (secret: string) => void }) => (
  <details>
    <summary>Add an endpoint</summary>
    <ChangeForm
      submit="Add endpoint"
      act={async (typed, form) => {
        const body = {
          url: typed('url') ?? '',
          description: typed('description'),
          eventTypes: checkedIn(form, 'event', eventTypes),
          ...filtersIn(typed),
        };
        const { secret } = await call('POST /api/v1/webhooks', { body });
        onCreated(secret);
      }}
    >
      <Field label="URL" name="url" type="url" hint="https://…" required />
      <Field label="Description" name="description" hint="Optional: what receives the events" />
      <EventTypes chosen={[]} />
      <Filters />
    </ChangeForm>
  </details>
);

/** One endpoint: its health and its deliveries. */
export function WebhookPage() {
  const { params } = useRoute();
  const id = params['id'] ?? '';
  const webhook = useCall('GET /api/v1/webhooks/{id}', { path: { id } });
  const [secret, setSecret] = useState<string>();
  return (
    <Page
      title="Webhook endpoint"
      heading={webhook.value ? <Foreign text={webhook.value.url} /> : 'Webhook endpoint'}
    >
      {secret && <ShownOnce what="the new secret" secret={secret} />}
      <Shown of={webhook}>
        {(value) => (
          <>
            <Health webhook={value} onChanged={webhook.reload} />
            <Actions webhook={value} onChanged={webhook.reload} onSecret={setSecret} />
          </>
        )}
      </Shown>
      <VerifyPayload webhookId={id} />
      <h2>Deliveries</h2>
      <DeliveryLog webhookId={id} failingSince={webhook.value && missedSince(webhook.value)} />
    </Page>
  );
}

/** Since when it may have missed deliveries. */
const missedSince = ({ disabled, health: { failingSince } }: Webhook): number | undefined =>
  failingSince ?? disabled?.at;

type Changes = { webhook: Webhook; onChanged: () => void };

function Health({ webhook, onChanged }: Changes) {
  const { id, health, disabled, description, previousSecretsExpireAt, slowUntil } = webhook;
  const enable = async () => {
    await call('PATCH /api/v1/webhooks/{id}', { path: { id }, body: { enabled: true } });
    announce('Endpoint enabled');
    onChanged();
  };
  return (
    <>
      <p>
        <HealthBadge webhook={webhook} /> {!disabled && health.outlook}
      </p>
      {description && (
        <p>
          <Foreign text={description} />
        </p>
      )}
      {disabled && (
        <div class="notice bad">
          <p>
            <b>It gets no events</b> since <Moment at={disabled.at} />:{' '}
            {
              {
                by_owner: 'your team disabled it.',
                gone: 'it answered 410 Gone.',
                failing:
                  'it failed for too long. Fix it, enable it, then redeliver what it missed.',
              }[disabled.reason]
            }
          </p>
          <ActionButton label="Enable" act={enable} />
        </div>
      )}
      {slowUntil !== undefined && slowUntil > Date.now() && (
        <p class="notice warn">
          It answers slowly, so its events are delayed until <Moment at={slowUntil} />. Answer
          first, then do the work.
        </p>
      )}
      {previousSecretsExpireAt !== undefined && (
        <p class="quiet">
          Messages are also signed with the previous secret until{' '}
          <Moment at={previousSecretsExpireAt} />.
        </p>
      )}
    </>
  );
}

function Actions({
  webhook,
  onChanged,
  onSecret,
}: Changes & { onSecret: (secret: string) => void }) {
  const { route } = useLocation();
  const { id, url, enabled } = webhook;
  return (
    <>
      <div class="buttons">
        {enabled && (
          <ActionButton
            label="Send a test"
            act={async () => {
              await call('POST /api/v1/webhooks/{id}/test', { path: { id } });
              announce('Test sent: see the deliveries');
            }}
          />
        )}
        <ConfirmButton
          label="Rotate the secret…"
          question="Rotate the secret?"
          yes="Rotate"
          act={async () => {
            const { secret } = await call('POST /api/v1/webhooks/{id}/rotate-secret', {
              path: { id },
            });
            onSecret(secret);
            onChanged();
          }}
        >
          <p>The new secret is shown once. Messages are signed with both for 24 hours.</p>
        </ConfirmButton>
        {enabled && (
          <ConfirmButton
            label="Disable…"
            question="Disable this endpoint?"
            yes="Disable"
            act={async () => {
              await call('PATCH /api/v1/webhooks/{id}', { path: { id }, body: { enabled: false } });
              onChanged();
            }}
          >
            <p>It misses everything that happens until it’s enabled again.</p>
          </ConfirmButton>
        )}
        <ConfirmButton
          label="Delete…"
          question="Delete this endpoint?"
          yes="Delete"
          act={async () => {
            await call('DELETE /api/v1/webhooks/{id}', { path: { id } });
            announce('Endpoint deleted');
            route('/console/webhooks');
          }}
        >
          <p>
            <Foreign text={url} /> gets no more events.
          </p>
        </ConfirmButton>
      </div>
      <Change webhook={webhook} onChanged={onChanged} />
    </>
  );
}

const Change = ({ webhook, onChanged }: Changes) => (
  <details>
    <summary>Edit</summary>
    <ChangeForm
      key={webhook.updatedAt}
      submit="Save"
      act={async (typed, form) => {
        const body = {
          url: typed('url'),
          description: typed('description') ?? '',
          eventTypes: checkedIn(form, 'event', eventTypes),
          ...filtersIn(typed),
        };
        await call('PATCH /api/v1/webhooks/{id}', { path: { id: webhook.id }, body });
        announce('Endpoint saved');
        onChanged();
      }}
    >
      <Field label="URL" name="url" type="url" value={webhook.url} required />
      <Field label="Description" name="description" value={webhook.description} />
      <EventTypes chosen={webhook.eventTypes} />
      <Filters chosen={webhook} />
    </ChangeForm>
  </details>
);

const healthWords = {
  well: ['Healthy', 'good'],
  failing: ['Failing', 'warn'],
  disabled: ['Disabled', 'bad'],
} as const satisfies Record<Webhook['health']['status'], readonly [string, Tone]>;

const HealthBadge = ({ webhook: { health } }: { webhook: Webhook }) => (
  <StateBadge of={healthWords[health.status]} />
);

const EventTypes = ({ chosen }: { chosen: readonly string[] }) => (
  <Checks
    legend="Events"
    hint="None checked: all events, including those added later."
    name="event"
    options={eventTypes.map((type) => [type, <code key={type}>{type}</code>])}
    chosen={chosen}
  />
);

const listIn = (text = ''): string[] => text.split(/[\s,]+/).filter((part) => part !== '');
const filtersIn = (typed: Typed) => ({
  tags: listIn(typed('tags')),
  templates: listIn(typed('templates')),
});

const Filters = ({ chosen }: { chosen?: Pick<Webhook, 'tags' | 'templates'> }) => (
  <>
    <Field
      label="Only emails with one of these tags"
      name="tags"
      value={chosen?.tags.join(', ')}
      hint="As kind:reset, separated by commas. Empty: any"
    />
    <Field
      label="Only emails of one of these templates"
      name="templates"
      value={chosen?.templates.join(', ')}
      hint="Their ids, separated by commas. Empty: any. With a filter, the endpoint gets events of emails only"
    />
  </>
);
