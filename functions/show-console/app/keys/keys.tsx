import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Answer } from '../../../api.ts';
import { call } from '../api-client.ts';
import { changedNames, changeOf, requiredChangeOf } from '../settings/settings-changes.ts';
import { toast } from '../shared/announce.tsx';
import { ConfirmButton } from '../shared/buttons.tsx';
import { DialogButton } from '../shared/dialog.tsx';
import { ChangeForm, Checks, Choice, checkedIn, Field } from '../shared/form.tsx';
import { localField, localMoment } from '../shared/format.ts';
import { Page } from '../shared/page.tsx';
import { List } from '../shared/pager.tsx';
import { SessionContext } from '../shared/session.ts';
import { Badge, Foreign, Moment, ShownOnce, StateBadge } from '../shared/text.tsx';
import { useCall } from '../shared/use-call.ts';
import { every, type Tone } from '../shared/words.ts';

type ApiKey = Answer<'GET /api/v1/api-keys'>['data'][number];
type Scope = ApiKey['scopes'][number];

const scopes = every<Scope>()([
  'send_email',
  'read_sends',
  'read_content',
  'preferences_read',
  'preferences_manage',
  'templates_manage',
  'manage_organization',
]);
const scopeWords: Readonly<Record<Scope, string>> = {
  send_email: 'Send emails',
  read_sends: 'Read emails and what became of them',
  read_content: 'Read the content of emails that are kept',
  preferences_read: 'Read what people have subscribed to',
  preferences_manage: 'Change what people have subscribed to',
  templates_manage: 'Create, change and delete templates',
  manage_organization: 'Manage everything, and sign in here. For people, not programs',
};

/** The API's most per page, so that a linked key is most likely among them. */
const most = 100;

/** The API keys of applications and people. */
export function Keys() {
  const { query } = useLocation();
  const { cursor, key: wanted } = query;
  const keys = useCall('GET /api/v1/api-keys', { query: { cursor, limit: most } });
  const [created, setCreated] = useState<CreatedKey>();
  const onCreated = (one: CreatedKey) => {
    setCreated(one);
    keys.reload();
  };
  return (
    <Page
      title="API keys"
      beside="One for each application, with just the scopes it needs"
      actions={<CreateKey onCreated={onCreated} />}
    >
      {created && <ShownOnce what={`the key “${created.name}”`} secret={created.key} />}
      {wanted && keys.value && !keys.value.data.some(({ id }) => id === wanted) && (
        <p class="notice">
          The key <code>{wanted}</code> isn’t among these. Revoked and expired keys are listed for
          30 days.
        </p>
      )}
      <List
        of={keys}
        empty={
          <>
            <h2>No API keys</h2>
            <p>Your applications send with them. Create one for each.</p>
          </>
        }
      >
        {(apiKey) => (
          <KeyRow
            key={apiKey.id}
            apiKey={apiKey}
            isWanted={apiKey.id === wanted}
            onCreated={onCreated}
            onChanged={keys.reload}
          />
        )}
      </List>
    </Page>
  );
}

const CreateKey = ({ onCreated }: { onCreated: (made: CreatedKey) => void }) => (
  <DialogButton label="Create key" title="Create an API key" look="main">
    <ChangeForm
      submit="Create key"
      act={async (typed, form) => {
        const body = {
          name: typed('name') ?? '',
          test: typed('mode') === 'test' ? true : undefined,
          scopes: checkedIn(form, 'scope', scopes),
          allowedFrom: listed(typed('allowedFrom')),
          perMinuteCap: typedNumber(typed('perMinuteCap')),
          dailyCap: typedNumber(typed('dailyCap')),
          validUntil: localMoment(typed('validUntil')),
        };
        onCreated(await call('POST /api/v1/api-keys', { body }));
      }}
    >
      <Field label="Name" name="name" hint="What uses it, such as “billing”" required />
      <Choice
        label="Mode"
        name="mode"
        options={[
          ['live', 'Live'],
          ['test', 'Test: its emails go nowhere, and it can only send and read those'],
        ]}
      />
      <Scopes chosen={['send_email']} />
      <Limits />
    </ChangeForm>
  </DialogButton>
);

type CreatedKey = { readonly name: string; readonly key: string };
type Changes = { apiKey: ApiKey; onChanged: () => void };
type Creating = { apiKey: ApiKey; onCreated: (made: CreatedKey) => void };

const statusWords = {
  active: ['Active', 'good'],
  revoked: ['Revoked', 'bad'],
  expired: ['Expired', 'quiet'],
} as const satisfies Record<ApiKey['status'], readonly [string, Tone]>;

/** The key that a link leads to is marked. */
function KeyRow({
  apiKey,
  isWanted,
  onCreated,
  onChanged,
}: Changes & Creating & { isWanted: boolean }) {
  const { id, name, status, test, replacedBy } = apiKey;
  const element = useRef<HTMLLIElement>(null);
  const isMine = useContext(SessionContext).session?.keyId === id;
  useEffect(() => {
    if (isWanted) element.current?.scrollIntoView({ block: 'center' });
  }, [isWanted]);
  return (
    <li ref={element} aria-current={isWanted || undefined}>
      <span class="wide">
        <b>
          <Foreign text={name} />
        </b>{' '}
        <StateBadge of={statusWords[status]} /> {test && <Badge tone="quiet">Test</Badge>}{' '}
        {isMine && <Badge tone="quiet">You’re signed in with it</Badge>}
        <br />
        <code>{id}</code>
        <br />
        <KeyFacts apiKey={apiKey} />
        <span class="quiet">
          {' · '}
          <a
            href={`/console/settings/requests?key=${id}`}
            aria-label={`Refused requests of ${name}`}
          >
            refused requests
          </a>
        </span>
      </span>
      {status === 'active' && (
        <span class="buttons">
          <Change apiKey={apiKey} onChanged={onChanged} />
          {replacedBy === undefined && <Rotate apiKey={apiKey} onCreated={onCreated} />}
          <Revoke apiKey={apiKey} onChanged={onChanged}>
            {isMine && <p>You’re signed in with it, so you’ll be signed out.</p>}
          </Revoke>
        </span>
      )}
    </li>
  );
}

/** A key without scopes sends, and reads what such keys have sent. */
const scopesText = (granted: ApiKey['scopes']): string => {
  if (granted.length === 0) return 'default scopes';
  return granted.length === scopes.length ? 'all scopes' : granted.join(', ');
};

const KeyFacts = ({
  apiKey: {
    scopes,
    allowedFrom,
    perMinuteCap,
    dailyCap,
    createdAt,
    lastUsedAt,
    validUntil,
    replacedBy,
  },
}: {
  apiKey: ApiKey;
}) => (
  <span class="quiet">
    {scopesText(scopes)} · created <Moment at={createdAt} /> ·{' '}
    {lastUsedAt ? (
      <>
        last used <Moment at={lastUsedAt} />
      </>
    ) : (
      'never used'
    )}
    {allowedFrom && ` · sends from ${allowedFrom.join(', ')} only`}
    {perMinuteCap && ` · at most ${perMinuteCap.toLocaleString()} a minute`}
    {dailyCap && ` · at most ${dailyCap.toLocaleString()} a day`}
    {validUntil && (
      <>
        {' '}
        · expires <Moment at={validUntil} />
      </>
    )}
    {replacedBy && (
      <>
        {' '}
        · replaced by <code>{replacedBy}</code>
      </>
    )}
  </span>
);

const Change = ({ apiKey, onChanged }: Changes) => (
  <DialogButton
    label="Edit…"
    name={`Edit the key ${apiKey.name}`}
    title="Edit this key"
    look="small"
  >
    <ChangeForm
      submit="Save"
      act={async (typed, form) => {
        const chosen = checkedIn(form, 'scope', scopes);
        const isSame =
          chosen.length === apiKey.scopes.length &&
          chosen.every((scope) => apiKey.scopes.includes(scope));
        const body = {
          name: requiredChangeOf(apiKey.name, typed('name')),
          scopes: isSame ? undefined : chosen,
          allowedFrom:
            typed('allowedFrom') === apiKey.allowedFrom?.join(' ')
              ? undefined
              : (listed(typed('allowedFrom')) ?? null),
          perMinuteCap: changeOf(apiKey.perMinuteCap, typedNumber(typed('perMinuteCap'))),
          dailyCap: changeOf(apiKey.dailyCap, typedNumber(typed('dailyCap'))),
          // The field has no seconds.
          validUntil:
            typed('validUntil') === localField(apiKey.validUntil)
              ? undefined
              : (localMoment(typed('validUntil')) ?? null),
        };
        if (changedNames(body).length === 0) return toast('Nothing to save');
        await call('PATCH /api/v1/api-keys/{id}', { path: { id: apiKey.id }, body });
        toast('Key saved');
        onChanged();
      }}
    >
      <Field label="Name" name="name" value={apiKey.name} required />
      <Scopes chosen={apiKey.scopes} />
      <Limits apiKey={apiKey} />
    </ChangeForm>
  </DialogButton>
);

const Revoke = ({
  apiKey: { id, name },
  onChanged,
  children,
}: Changes & { children: ComponentChildren }) => (
  <ConfirmButton
    label="Revoke…"
    name={`Revoke the key ${name}`}
    question="Revoke this key?"
    yes="Revoke"
    act={async () => {
      await call('DELETE /api/v1/api-keys/{id}', { path: { id } });
      toast('Key revoked');
      onChanged();
    }}
  >
    <p>
      From the next request on, <Foreign text={name} /> and all sessions opened with it are refused.
      This can’t be undone.
    </p>
    {children}
  </ConfirmButton>
);

const Rotate = ({ apiKey: { id, name }, onCreated }: Creating) => (
  <ConfirmButton
    label="Rotate…"
    name={`Rotate the key ${name}`}
    question="Rotate this key?"
    yes="Rotate"
    isHarmless
    act={async () => onCreated(await call('POST /api/v1/api-keys/{id}/rotate', { path: { id } }))}
  >
    <p>
      A new key replaces <Foreign text={name} />, and is shown once. Both are valid for 24 hours, so
      you have time to deploy the new one.
    </p>
  </ConfirmButton>
);

const typedNumber = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text);

const Scopes = ({ chosen }: { chosen: readonly Scope[] }) => (
  <Checks
    legend="Scopes"
    hint="Check none to let it send emails and manage templates"
    name="scope"
    path="scopes"
    options={scopes.map((scope) => [
      scope,
      <span key={scope}>
        {scopeWords[scope]} <code class="quiet">{scope}</code>
      </span>,
    ])}
    chosen={chosen}
  />
);

const listed = (text: string | undefined): string[] | undefined =>
  text?.split(/[\s,]+/).filter((part) => part !== '');

const Limits = ({ apiKey }: { apiKey?: ApiKey }) => (
  <>
    <Field
      label="Allowed From addresses"
      name="allowedFrom"
      value={apiKey?.allowedFrom?.join(' ')}
      hint="Separated by spaces, such as billing@example.com or *@example.com. Leave empty for all of yours."
    />
    <Field
      label="Recipients per minute"
      name="perMinuteCap"
      type="number"
      value={apiKey?.perMinuteCap?.toString()}
      hint="Leave empty for no limit"
    />
    <Field
      label="Recipients per day"
      name="dailyCap"
      type="number"
      value={apiKey?.dailyCap?.toString()}
      hint="Leave empty for no limit. A limit caps what a leaked key can cost."
    />
    <Field
      label="Expires"
      name="validUntil"
      type="datetime-local"
      value={localField(apiKey?.validUntil)}
      hint="Leave empty to never expire"
    />
  </>
);
