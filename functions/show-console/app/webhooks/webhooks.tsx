import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { call } from '../api-client.ts';
import { toast } from '../parts/announce.tsx';
import { ActionButton, ConfirmButton } from '../parts/buttons.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import {
  ChangeForm,
  Checks,
  Choice,
  checkedIn,
  Field,
  listIn,
  type Typed,
} from '../parts/form.tsx';
import { May } from '../parts/may.tsx';
import { More } from '../parts/more.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Foreign, Moment, Sentence, ShownOnce, StateBadge } from '../parts/text.tsx';
import { webhookPage } from '../shared/addresses.ts';
import { changedNames } from '../shared/changes.ts';
import { count } from '../shared/format.ts';
import { may } from '../shared/may.ts';
import { namesOf } from '../shared/names.ts';
import { useCall } from '../shared/use-call.ts';
import { useFresh } from '../shared/use-fresh.ts';
import type { Tone } from '../shared/words.ts';
import { eventTypes, type Webhook } from './deliveries.ts';
import { DeliveryLog, useDeliveries } from './delivery-log.tsx';
import { changesOf, type TypedEndpoint } from './endpoint-changes.ts';
import { VerifyPayload } from './verify-payload.tsx';

export function Webhooks() {
  const webhooks = useCall('GET /api/v1/webhooks', {});
  namesOf(webhooks.value?.data);
  const [secret, setSecret] = useState<string>();
  const add = (
    <May ask="POST /api/v1/webhooks">
      <AddEndpoint
        onCreated={(created) => {
          setSecret(created);
          webhooks.reload();
        }}
      />
    </May>
  );
  return (
    <Page
      title="Webhooks"
      beside="Notify your servers of deliveries, bounces and opens"
      actions={add}
    >
      {secret && <ShownOnce what="the new endpoint’s signing secret" secret={secret} />}
      <Shown of={webhooks}>
        {({ data }) =>
          data.length === 0 ? (
            <NoEndpoints />
          ) : (
            // Newest first, so that a new one is in view.
            <Table
              label="Webhook endpoints"
              columns={columns}
              rows={[...data].reverse()}
              keyOf={({ id }) => id}
              hrefOf={({ id }) => webhookPage(id)}
            />
          )
        }
      </Shown>
    </Page>
  );
}

const columns: readonly Column<Webhook>[] = [
  {
    head: 'Endpoint',
    cell: ({ url }) => <Foreign text={url} />,
    look: 'strong',
    isLink: true,
    width: 4,
  },
  { head: 'Description', cell: ({ description }) => <Foreign text={description} />, look: 'roomy' },
  {
    head: 'Events',
    cell: ({ eventTypes: { length } }) => (length === 0 ? 'All' : length),
    look: 'roomy',
    width: 1,
  },
  {
    head: 'Format',
    cell: ({ format }) => (format === undefined ? 'Standard' : 'Resend’s'),
    look: 'roomy',
    width: 1,
  },
  {
    head: 'Health',
    cell: (webhook) => (
      <>
        <HealthBadge webhook={webhook} />
        {webhook.health.failingSince !== undefined && (
          <>
            {' '}
            since <Moment at={webhook.health.failingSince} inRow />
          </>
        )}
      </>
    ),
    width: 3,
  },
];

const NoEndpoints = () => (
  <Empty title="No webhook endpoints">
    <p>
      Add the URL of your server, and it gets a signed request for each delivery, bounce, complaint,
      open and click, within seconds. Failed requests are retried for hours.
    </p>
    <p>
      <a href="/docs/webhooks">How to receive webhooks</a>
    </p>
  </Empty>
);

const AddEndpoint = ({ onCreated }: { onCreated: (secret: string) => void }) => (
  <DialogButton label="Add endpoint" title="Add a webhook endpoint" look="main" opensBy="add">
    <ChangeForm
      submit="Add endpoint"
      act={async (typed, form) => {
        const body = endpointIn(typed, form);
        const { secret } = await call('POST /api/v1/webhooks', { body });
        toast('Endpoint added');
        onCreated(secret);
      }}
    >
      <Field label="URL" name="url" type="url" hint="https://…" required />
      <Field label="Description" name="description" hint="Optional: what receives the events" />
      <Format />
      <EventTypes chosen={[]} />
      <Filters />
    </ChangeForm>
  </DialogButton>
);

export function WebhookPage() {
  const { params } = useRoute();
  const id = params['id'] ?? '';
  const webhook = useCall('GET /api/v1/webhooks/{id}', { path: { id } });
  useFresh(webhook.refresh);
  const log = useDeliveries(id);
  const [secret, setSecret] = useState<string>();
  const { value } = webhook;
  return (
    <Page
      title="Webhook endpoint"
      heading={value ? <Foreign text={value.url} breaks /> : 'Webhook endpoint'}
      beside={value && <HealthBadge webhook={value} log={log} />}
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
      <Shown of={webhook}>{(found) => <Health webhook={found} onChanged={webhook.reload} />}</Shown>
      <DeliveryLog webhookId={id} failingSince={value && missedSince(value)} log={log} />
    </Page>
  );
}

/** The start of the time in which deliveries may have been missed. */
const missedSince = ({ disabled, health: { failingSince } }: Webhook): number | undefined =>
  failingSince ?? disabled?.at;

/** All changes of an endpoint need the same scope. */
const mayManage = (): boolean => may('PATCH /api/v1/webhooks/{id}');

type Changes = { webhook: Webhook; onChanged: () => void };

function Health({ webhook, onChanged }: Changes) {
  const { id, health, disabled, description, previousSecretsExpireAt, slowUntil } = webhook;
  const enable = async () => {
    await call('PATCH /api/v1/webhooks/{id}', { path: { id }, body: { enabled: true } });
    toast('Endpoint enabled');
    onChanged();
  };
  return (
    <>
      <p class="quiet">
        {description && (
          <>
            <Foreign text={description} /> ·{' '}
          </>
        )}
        {eventTypesText(webhook)}
        {webhook.format && ' in Resend’s format'}
        <FiltersText of={webhook} />
      </p>
      {(health.status === 'failing' || health.status === 'retrying') && (
        <p class="notice warn">
          {health.failingSince !== undefined && (
            <>
              <b>
                {healthWords[health.status][0]} since <Moment at={health.failingSince} />.
              </b>{' '}
            </>
          )}
          <Sentence text={health.outlook} />
        </p>
      )}
      {disabled && (
        <div class="notice callout bad">
          <p>
            <b>It has received no events</b> since <Moment at={disabled.at} />:{' '}
            {
              {
                by_owner: 'your team disabled it.',
                gone: 'it answered 410 Gone.',
                failing:
                  'it failed for too long. Fix it, enable it, then redeliver what it missed.',
              }[disabled.reason]
            }
          </p>
          {mayManage() && <ActionButton label="Enable" act={enable} />}
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
  onTested,
}: Changes & { onSecret: (secret: string) => void; onTested: () => void }) {
  const { id, enabled } = webhook;
  return (
    <>
      <More>
        <VerifyPayload webhookId={id} />
        <Rotate id={id} onChanged={onChanged} onSecret={onSecret} />
        {enabled && <Disable id={id} onChanged={onChanged} />}
        <Delete webhook={webhook} />
      </More>
      <Edit webhook={webhook} onChanged={onChanged} />
      {enabled && (
        <ActionButton
          label="Send test"
          look="main"
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

function Delete({ webhook: { id, url } }: { webhook: Webhook }) {
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

const Edit = ({ webhook, onChanged }: Changes) => (
  <DialogButton label="Edit…" title="Edit this endpoint">
    <ChangeForm
      submit="Save"
      act={async (typed, form) => {
        const body = changesOf(webhook, endpointIn(typed, form));
        if (changedNames(body).length === 0) return toast('Nothing to save');
        await call('PATCH /api/v1/webhooks/{id}', { path: { id: webhook.id }, body });
        toast('Endpoint saved');
        onChanged();
      }}
    >
      <Field label="URL" name="url" type="url" value={webhook.url} required />
      <Field label="Description" name="description" value={webhook.description} />
      <Format chosen={webhook.format} />
      <EventTypes chosen={webhook.eventTypes} />
      <Filters chosen={webhook} />
    </ChangeForm>
  </DialogButton>
);

const eventTypesText = ({ eventTypes: { length } }: Webhook): string =>
  length === 0 ? 'All events' : count(length, 'event type');

const FiltersText = ({ of: { tags, templates } }: { of: Webhook }) => (
  <>
    {tags.length > 0 && ` · only emails tagged ${tags.join(' or ')}`}
    {templates.length > 0 && ` · only emails of ${count(templates.length, 'template')}`}
  </>
);

const healthWords = {
  // Also without any delivery yet: the service counts only failures.
  well: ['No failures', 'good'],
  retrying: ['Retrying', 'warn'],
  failing: ['Failing', 'warn'],
  disabled: ['Disabled', 'bad'],
} as const satisfies Record<Webhook['health']['status'], readonly [string, Tone]>;

/** @param log says more than a health that counts only failures. */
const HealthBadge = ({
  webhook: { health },
  log,
}: {
  webhook: Webhook;
  log?: ReturnType<typeof useDeliveries>;
}) => {
  const isWell = health.status === 'well';
  if (isWell && log?.isEmpty) return <StateBadge of={['No deliveries yet', 'quiet']} />;
  return <StateBadge of={healthWords[isWell && log?.hasRetries ? 'retrying' : health.status]} />;
};

const EventTypes = ({ chosen }: { chosen: readonly string[] }) => (
  <Checks
    legend="Events"
    hint="Leave all unchecked for all events but email.queued and audit.recorded, including those added later"
    name="event"
    options={eventTypes.map((type) => [type, <code key={type}>{type}</code>])}
    chosen={chosen}
  />
);

const resendFormat = 'resend' as const;

const Format = ({ chosen }: { chosen?: Webhook['format'] }) => (
  <Choice
    label="Format"
    name="format"
    value={chosen}
    options={[
      ['', 'Standard Webhooks'],
      [resendFormat, 'As Resend sends them'],
    ]}
    hint="Resend’s are for a server written for Resend. They leave out contact and identity events."
  />
);

const endpointIn = (typed: Typed, form: FormData): TypedEndpoint => ({
  url: typed('url') ?? '',
  description: typed('description'),
  eventTypes: checkedIn(form, 'event', eventTypes),
  tags: listIn(typed('tags')) ?? [],
  templates: listIn(typed('templates')) ?? [],
  ...(typed('format') && { format: resendFormat }),
});

const Filters = ({ chosen }: { chosen?: Pick<Webhook, 'tags' | 'templates'> }) => (
  <>
    <Field
      label="Only emails with one of these tags"
      name="tags"
      value={chosen?.tags.join(', ')}
      hint="Such as kind:reset, separated by commas. Leave empty for any."
    />
    <Field
      label="Only emails of one of these templates"
      name="templates"
      value={chosen?.templates.join(', ')}
      hint="Template IDs, separated by commas. Leave empty for any. With a filter, the endpoint gets only email events."
    />
  </>
);
