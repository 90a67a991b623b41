import { mostOwnAttempts } from '#shared/webhooks/retry-delay';
import { call } from '../api-client.ts';
import { toast } from '../parts/announce.tsx';
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
import { changedNames } from '../shared/changes.ts';
import { eventTypes, type Webhook } from './deliveries.ts';
import { changesOf, type TypedEndpoint } from './endpoint-changes.ts';

export const AddEndpoint = ({ onCreated }: { onCreated: (secret: string) => void }) => (
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
      <MaxAttempts />
    </ChangeForm>
  </DialogButton>
);

export const EditEndpoint = ({
  webhook,
  onChanged,
}: {
  webhook: Webhook;
  onChanged: () => void;
}) => (
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
      <MaxAttempts value={webhook.maxAttempts} />
    </ChangeForm>
  </DialogButton>
);

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
  ...(typed('maxAttempts') && { maxAttempts: Number(typed('maxAttempts')) }),
});

const MaxAttempts = ({ value }: { value?: number }) => (
  <Field
    label="Attempts per delivery"
    name="maxAttempts"
    type="number"
    value={value === undefined ? undefined : `${value}`}
    hint={`1 to ${mostOwnAttempts}. Leave empty for the default.`}
  />
);

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
