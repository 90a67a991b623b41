import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { call } from '../api-client.ts';
import { announce } from '../shared/announce.tsx';
import { ActionButton, ConfirmButton } from '../shared/buttons.tsx';
import { ChangeForm, Field } from '../shared/form.tsx';
import { Page } from '../shared/page.tsx';
import { Shown } from '../shared/states.tsx';
import { Foreign, Moment, ShownOnce } from '../shared/text.tsx';
import { useCall } from '../shared/use-call.ts';
import type { Webhook } from '../shared/words.ts';
import { DeliveryLog } from './deliveries.tsx';
import { EventTypes, HealthBadge, typedEvents } from './endpoint.tsx';
import { VerifyPayload } from './verify-payload.tsx';

/** One endpoint: how it is doing, and each delivery to it. */
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

/** Since when deliveries may be missing, as far as its health tells. */
const missedSince = ({ disabled, health: { failingSince } }: Webhook): number | undefined =>
  failingSince ?? disabled?.at;

type Changes = { webhook: Webhook; onChanged: () => void };

function Health({ webhook, onChanged }: Changes) {
  const { id, health, disabled, description, previousSecretsExpireAt, slowUntil } = webhook;
  const enable = async () => {
    await call('PATCH /api/v1/webhooks/{id}', { path: { id }, body: { enabled: true } });
    announce('The endpoint is enabled');
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
            <b>It hears nothing</b> since <Moment at={disabled.at} />:{' '}
            {
              {
                by_owner: 'your team disabled it.',
                gone: 'it answered 410 Gone.',
                failing: 'it failed for too long. Mend it first, then redeliver what it missed.',
              }[disabled.reason]
            }
          </p>
          <ActionButton label="Enable it" act={enable} />
        </div>
      )}
      {slowUntil !== undefined && slowUntil > Date.now() && (
        <p class="notice warn">
          It answers slowly, so it is told with delay until <Moment at={slowUntil} />. Answer first,
          and work after.
        </p>
      )}
      {previousSecretsExpireAt !== undefined && (
        <p class="quiet">
          The secret before signs too until <Moment at={previousSecretsExpireAt} />.
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
              announce('A test is on its way: look at the deliveries');
            }}
          />
        )}
        <ConfirmButton
          label="Rotate the secret…"
          question="Rotate the secret?"
          yes="Rotate it"
          act={async () => {
            const { secret } = await call('POST /api/v1/webhooks/{id}/rotate-secret', {
              path: { id },
            });
            onSecret(secret);
            onChanged();
          }}
        >
          <p>The new one is shown once. The old one signs too for 24 hours.</p>
        </ConfirmButton>
        {enabled && (
          <ConfirmButton
            label="Disable…"
            question="Disable this endpoint?"
            yes="Disable it"
            act={async () => {
              await call('PATCH /api/v1/webhooks/{id}', { path: { id }, body: { enabled: false } });
              onChanged();
            }}
          >
            <p>It hears nothing of what happens until it is enabled again.</p>
          </ConfirmButton>
        )}
        <ConfirmButton
          label="Delete…"
          question="Delete this endpoint?"
          yes="Delete it"
          act={async () => {
            await call('DELETE /api/v1/webhooks/{id}', { path: { id } });
            announce('The endpoint is deleted');
            route('/console/webhooks');
          }}
        >
          <p>
            <Foreign text={url} /> hears nothing any more.
          </p>
        </ConfirmButton>
      </div>
      <Change webhook={webhook} onChanged={onChanged} />
    </>
  );
}

const Change = ({ webhook, onChanged }: Changes) => (
  <details>
    <summary>Change it</summary>
    <ChangeForm
      key={webhook.updatedAt}
      submit="Change it"
      act={async (typed, form) => {
        const body = {
          url: typed('url'),
          description: typed('description') ?? '',
          eventTypes: typedEvents(form),
        };
        await call('PATCH /api/v1/webhooks/{id}', { path: { id: webhook.id }, body });
        announce('The endpoint is changed');
        onChanged();
      }}
    >
      <Field label="URL" name="url" type="url" value={webhook.url} required />
      <Field label="Description" name="description" value={webhook.description} />
      <EventTypes chosen={webhook.eventTypes} />
    </ChangeForm>
  </details>
);
