import { useContext } from 'preact/hooks';
import type { Input } from '../../../api.ts';
import { Choice, Field } from '../shared/form.tsx';
import { count } from '../shared/format.ts';
import { Page } from '../shared/page.tsx';
import { SessionContext } from '../shared/session.ts';
import { Shown } from '../shared/states.tsx';
import { CopyButton, Moment } from '../shared/text.tsx';
import { useCall } from '../shared/use-call.ts';
import { every } from '../shared/words.ts';
import type { Policy } from './policy.ts';
import { changeOf, requiredChangeOf } from './settings-changes.ts';
import { type Settings, SettingsForm, useSettings } from './settings-form.tsx';
import { TrackingFields, trackingChange } from './tracking.tsx';

/** Settings of the organization and everything it sends. */
export function GeneralSettings() {
  const settings = useSettings();
  const policies = useCall('GET /api/v1/policies', {});
  return (
    <Page title="Settings" lead="Your organization, and defaults for everything it sends.">
      <Shown of={settings}>
        {(value) => (
          <>
            <Facts settings={value} />
            <Name settings={value} onRead={settings.onRead} />
            <Sender settings={value} onRead={settings.onRead} />
            <Shown of={policies}>
              {({ data }) => <Sends settings={value} onRead={settings.onRead} policies={data} />}
            </Shown>
          </>
        )}
      </Shown>
    </Page>
  );
}

type Part = { settings: Settings; onRead: (settings: Settings) => void };

const Facts = ({
  settings: { id, paused, attachmentsEnabled, createdAt },
}: Pick<Part, 'settings'>) => (
  <>
    {paused && (
      <p class="notice bad">
        Your organization is paused, so every send is refused. Ask the operator of the service.
      </p>
    )}
    <dl class="facts">
      <dt>Id</dt>
      <dd class="copyable">
        <code>{id}</code> <CopyButton text={id} what="the id of the organization" />
      </dd>
      <dt>Created</dt>
      <dd>
        <Moment at={createdAt} />
      </dd>
      <dt>Attachments</dt>
      <dd>{attachmentsEnabled ? 'Yes' : 'No. Ask the operator of the service to allow them'}</dd>
    </dl>
  </>
);

function Name({ settings, onRead }: Part) {
  const { reload } = useContext(SessionContext);
  return (
    <>
      <h2>Name</h2>
      <SettingsForm
        settings={settings}
        onRead={onRead}
        onSaved={reload}
        changes={(typed) => ({ name: requiredChangeOf(settings.name, typed('name')) })}
      >
        <Field
          label="Organization name"
          name="name"
          value={settings.name}
          hint="Shown on the unsubscribe page, and in the footer if that has no text"
          required
        />
      </SettingsForm>
    </>
  );
}

const Sender = ({ settings, onRead }: Part) => (
  <>
    <h2>Sender</h2>
    <p class="quiet">
      Set the address itself under <a href="/console/domains">Domains</a>.
    </p>
    <SettingsForm
      settings={settings}
      onRead={onRead}
      changes={(typed) => ({
        senderName: changeOf(settings.senderName, typed('senderName')),
        replyTo: changeOf(settings.replyTo, typed('replyTo')),
      })}
    >
      <Field
        label="Sender name"
        name="senderName"
        value={settings.senderName}
        hint="Shown before the From address. If empty: just the address"
      />
      <Field
        label="Reply-To address"
        name="replyTo"
        type="email"
        value={settings.replyTo}
        hint="Where replies go. If empty: to the From address"
      />
    </SettingsForm>
  </>
);

const Sends = ({ settings, onRead, policies }: Part & { policies: readonly Policy[] }) => (
  <>
    <h2>Sends</h2>
    <SettingsForm
      settings={settings}
      onRead={onRead}
      changes={(typed) => {
        const days = typed('sendRetentionDays');
        return {
          defaultPolicyKey: changeOf(settings.defaultPolicyKey, typed('defaultPolicyKey')),
          sendRetentionDays: changeOf(settings.sendRetentionDays, days ? Number(days) : undefined),
          keepContentDays: changeOf(
            keptDaysOf(`${settings.keepContentDays}`),
            keptDaysOf(typed('keepContentDays')),
          ),
          tracking: trackingChange(settings.tracking, typed),
          ...keylessReadingChange(settings, typed('keylessReading')),
        };
      }}
    >
      <Choice
        label="Default policy"
        name="defaultPolicyKey"
        value={settings.defaultPolicyKey}
        options={[['', 'None: transactional'], ...policies.map(({ key }) => [key, key] as const)]}
      />
      <Field
        label="Days to keep sends"
        name="sendRetentionDays"
        type="number"
        value={settings.sendRetentionDays?.toString()}
        hint="If empty: as long as the service keeps them. Idempotency keys are kept as long, too"
      />
      <Choice
        label="Keep the content of emails"
        name="keepContentDays"
        value={settings.keepContentDays?.toString()}
        options={[
          ['', 'No: it can’t be shown or sent again'],
          ...keptDays.map((days) => [`${days}`, count(days, 'day')] as const),
        ]}
      />
      <TrackingFields tracking={settings.tracking} otherwise="On, unless a policy says otherwise" />
      <Choice
        label="Reading a send by id without an API key"
        name="keylessReading"
        value={settings.keylessReading ? 'on' : 'off'}
        options={[
          ['on', 'On: for sends made with a key without scopes'],
          ['off', 'Off: always needs a key'],
        ]}
      />
    </SettingsForm>
  </>
);

type KeptDays = NonNullable<Input<'PATCH /api/v1/organization'>['body']['keepContentDays']>;
const keptDays = every<KeptDays>()([1, 3, 7, 14, 30, 60, 90, 180, 365]);

const keptDaysOf = (choice: string | undefined) => keptDays.find((days) => `${days}` === choice);

function keylessReadingChange({ keylessReading }: Settings, choice: string | undefined) {
  const chosen = choice !== 'off';
  return chosen === keylessReading ? {} : { keylessReading: chosen };
}
