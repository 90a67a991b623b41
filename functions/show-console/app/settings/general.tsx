import { useContext, useState } from 'preact/hooks';
import type { Input } from '../../../api.ts';
import { Fact } from '../parts/facts.tsx';
import { Choice, Field, numberIn, type Typed } from '../parts/form.tsx';
import { Card } from '../parts/page.tsx';
import { Shown } from '../parts/states.tsx';
import { CopyButton, Moment } from '../parts/text.tsx';
import { changeOf, requiredChangeOf, switchChangeOf } from '../shared/changes.ts';
import { count } from '../shared/format.ts';
import { SessionContext } from '../shared/session.ts';
import { hasShortcuts, setShortcuts } from '../shared/shortcuts.ts';
import { useCall } from '../shared/use-call.ts';
import { every } from '../shared/words.ts';
import type { Policy } from './policy.ts';
import { type Settings, SettingsForm, type SettingsPart, useSettings } from './settings-form.tsx';
import { SettingsPage } from './settings-page.tsx';
import { TrackingFields, trackingChange } from './tracking.tsx';

export function GeneralSettings() {
  const settings = useSettings();
  const policies = useCall('GET /api/v1/policies', {});
  return (
    <SettingsPage name="General" lead="Your organization, and defaults for everything it sends.">
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
      <Shortcuts />
    </SettingsPage>
  );
}

/** Applies to this browser only. */
function Shortcuts() {
  const [isOn, setOn] = useState(hasShortcuts);
  return (
    <Card title="This browser">
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget }) => {
            setShortcuts(currentTarget.checked);
            setOn(currentTarget.checked);
          }}
        />
        <span>
          Single keys: <kbd>/</kbd> goes to the search box of a list, <kbd>J</kbd> and <kbd>K</kbd>{' '}
          move, <kbd>?</kbd> lists all
        </span>
      </label>
    </Card>
  );
}

const Facts = ({
  settings: { id, paused, attachmentsEnabled, linkDomain, createdAt },
}: Pick<SettingsPart, 'settings'>) => (
  <>
    {paused && (
      <p class="notice bad">
        Your organization is paused, so every send is refused. Ask the operator of the service.
      </p>
    )}
    <dl class="facts card">
      <Fact name="ID">
        <code>{id}</code> <CopyButton text={id} what="the ID of the organization" />
      </Fact>
      <Fact name="Created">
        <Moment at={createdAt} />
      </Fact>
      <Fact name="Attachments">
        {attachmentsEnabled ? 'Yes' : 'No. Ask the operator of the service to allow them'}
      </Fact>
      {linkDomain !== undefined && <Fact name="Links lead to">{linkDomain}</Fact>}
    </dl>
  </>
);

function Name({ settings, onRead }: SettingsPart) {
  const { reload } = useContext(SessionContext);
  return (
    <Card title="Name">
      <SettingsForm
        settings={settings}
        onRead={onRead}
        onSaved={reload}
        changes={(typed, filled) => ({ name: requiredChangeOf(filled.name, typed('name')) })}
      >
        {({ name }) => (
          <Field
            label="Organization name"
            name="name"
            value={name}
            hint="Shown on the unsubscribe page, and in the footer if that has no text"
            required
          />
        )}
      </SettingsForm>
    </Card>
  );
}

const Sender = ({ settings, onRead }: SettingsPart) => (
  <Card title="Sender">
    <p class="quiet">
      Set the address itself under <a href="/console/domains">Domains</a>.
    </p>
    <SettingsForm
      settings={settings}
      onRead={onRead}
      changes={(typed, filled) => ({
        senderName: changeOf(filled.senderName, typed('senderName')),
        replyTo: changeOf(filled.replyTo, typed('replyTo')),
      })}
    >
      {({ senderName, replyTo }) => (
        <>
          <Field
            label="Sender name"
            name="senderName"
            value={senderName}
            hint="Shown before the From address. Leave empty for just the address."
          />
          <Field
            label="Reply-To address"
            name="replyTo"
            type="email"
            value={replyTo}
            hint="Where replies go. Leave empty for the From address."
          />
        </>
      )}
    </SettingsForm>
  </Card>
);

const Sends = ({ settings, onRead, policies }: SettingsPart & { policies: readonly Policy[] }) => (
  <Card title="Emails">
    <SettingsForm settings={settings} onRead={onRead} changes={sendsChanges}>
      {(filled) => <SendsFields filled={filled} policies={policies} />}
    </SettingsForm>
  </Card>
);

function sendsChanges(typed: Typed, filled: Settings) {
  return {
    defaultPolicyKey: changeOf(filled.defaultPolicyKey, typed('defaultPolicyKey')),
    sendRetentionDays: changeOf(filled.sendRetentionDays, numberIn(typed('sendRetentionDays'))),
    keepContentDays: changeOf(
      keptDaysOf(`${filled.keepContentDays}`),
      keptDaysOf(typed('keepContentDays')),
    ),
    keepRefusedShapes: switchChangeOf(
      filled.keepRefusedShapes ?? false,
      typed('keepRefusedShapes'),
    ),
    tracking: trackingChange(filled.tracking, typed),
    keylessReading: switchChangeOf(filled.keylessReading, typed('keylessReading')),
  };
}

const SendsFields = ({ filled, policies }: { filled: Settings; policies: readonly Policy[] }) => (
  <>
    <Choice
      label="Default policy"
      name="defaultPolicyKey"
      value={filled.defaultPolicyKey}
      options={[['', 'None (transactional)'], ...policies.map(({ key }) => [key, key] as const)]}
    />
    <Field
      label="Days to keep emails in the list"
      name="sendRetentionDays"
      type="number"
      value={filled.sendRetentionDays?.toString()}
      hint="Leave empty to keep them as long as the service does. Idempotency keys last as long."
    />
    <Choice
      label="Content storage"
      name="keepContentDays"
      value={filled.keepContentDays?.toString()}
      options={[
        ['', 'Off: content can’t be shown or sent again'],
        ...keptDays.map((days) => [`${days}`, count(days, 'day')] as const),
      ]}
    />
    <Choice
      label="Refused requests"
      name="keepRefusedShapes"
      value={filled.keepRefusedShapes ? 'on' : 'off'}
      hint="Values are never kept. Turn it on to find a mistake that the message doesn’t show."
      options={[
        ['off', 'Keep the message that the program got'],
        ['on', 'Also the names and types of what it sent'],
      ]}
    />
    <TrackingFields tracking={filled.tracking} otherwise="On, unless a policy says otherwise" />
    <Choice
      label="Reading an email by its ID without an API key"
      name="keylessReading"
      value={filled.keylessReading ? 'on' : 'off'}
      options={[
        ['off', 'Off: always needs a key'],
        [
          'on',
          'On: anyone with the ID sees addresses and subject, if the key that sent it has no scopes',
        ],
      ]}
    />
  </>
);

type KeptDays = NonNullable<Input<'PATCH /api/v1/organization'>['body']['keepContentDays']>;
const keptDays = every<KeptDays>()([1, 3, 7, 14, 30, 60, 90, 180, 365]);

const keptDaysOf = (choice: string | undefined) => keptDays.find((days) => `${days}` === choice);
