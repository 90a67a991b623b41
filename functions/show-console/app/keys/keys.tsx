import type { ComponentChildren } from 'preact';
import { useContext, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { scopeWords, shortScopeWords } from '#shared/access/scope-words';
import {
  defaultScopes,
  hasScope,
  isOfSender,
  narrowScopes,
  type Scope,
  scopes,
  wideScopes,
} from '#shared/access/scopes';
import type { Answer } from '../../../api.ts';
import { call, session } from '../api-client.ts';
import { toast } from '../parts/announce.tsx';
import { ConfirmButton } from '../parts/buttons.tsx';
import { Dialog, DialogButton } from '../parts/dialog.tsx';
import { Fact, IdFact } from '../parts/facts.tsx';
import { ChangeForm, Checks, Choice, checkedIn, Field, listIn, numberIn } from '../parts/form.tsx';
import { LastUsed } from '../parts/last-used.tsx';
import { May } from '../parts/may.tsx';
import { Page } from '../parts/page.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { PagedTable } from '../parts/pager.tsx';
import { Empty } from '../parts/states.tsx';
import type { Column } from '../parts/table.tsx';
import { Foreign, Moment, ShownOnce, StateBadge, Tag, zoned } from '../parts/text.tsx';
import { keyPage, personAuditPage } from '../shared/addresses.ts';
import {
  changedNames,
  changeOf,
  knownAmong,
  listChangeOf,
  requiredChangeOf,
} from '../shared/changes.ts';
import { localField, localMoment, minuteText } from '../shared/format.ts';
import { namesOf, useNames } from '../shared/names.ts';
import { addressWith, maxPerPage } from '../shared/paging.ts';
import { SessionContext } from '../shared/session.ts';
import { useCall } from '../shared/use-call.ts';
import { useSent } from '../shared/use-sent.ts';
import type { Tone } from '../shared/words.ts';

type ApiKey = Answer<'GET /api/v1/api-keys'>['data'][number];

/** A key is open while the page's address names it. */
export function Keys() {
  const { query, route, path } = useLocation();
  const { cursor, key: selected } = query;
  // A linked key is most likely on the longest page.
  const keys = useCall('GET /api/v1/api-keys', { query: { cursor, limit: maxPerPage } });
  namesOf(keys.value?.data);
  const sentOf = useSent('key');
  const [created, setCreated] = useState<CreatedKey>();
  const addressOf = (key?: string) => addressWith(path, { cursor, key });
  const close = () => route(addressOf(), true);
  const onCreated = (one: CreatedKey) => {
    setCreated(one);
    close();
    keys.reload();
  };
  const open = keys.value?.data.find(({ id }) => id === selected);
  return (
    <Page
      title="API keys"
      beside="One for each application, with just the scopes it needs"
      actions={
        <May ask="POST /api/v1/api-keys">
          <CreateKey onCreated={onCreated} />
        </May>
      }
    >
      {created && <ShownOnce what={`the key “${created.name}”`} secret={created.key} />}
      {selected && keys.value && !open && (
        <p class="notice">
          The key <code>{selected}</code> isn’t among these. Revoked and expired keys are listed for
          40 days.
        </p>
      )}
      <PagedTable
        label="API keys"
        of={keys}
        columns={columnsWith(sentOf)}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => addressOf(id)}
        empty={
          <Empty title="No API keys">Your applications send with them. Create one for each.</Empty>
        }
      />
      {open && (
        <KeyDialog
          key={open.id}
          apiKey={open}
          onClosed={close}
          onCreated={onCreated}
          onChanged={keys.reload}
        />
      )}
    </Page>
  );
}

const columnsWith = (sentOf: (id: string) => number | undefined): readonly Column<ApiKey>[] => [
  {
    head: 'Name',
    look: 'strong',
    isLink: true,
    width: 4,
    cell: (apiKey) => (
      <>
        <Foreign text={apiKey.name} most={100} />{' '}
        {apiKey.status !== 'active' && <StateBadge of={statusWords[apiKey.status]} />}{' '}
        <Tags apiKey={apiKey} />
      </>
    ),
  },
  {
    head: 'May',
    look: 'roomy quiet',
    cell: ({ scopes: granted }) => grantedText(granted),
  },
  {
    head: 'Sent in 30 days',
    look: 'end roomy',
    width: 2,
    cell: ({ id }) => sentOf(id)?.toLocaleString(),
  },
  {
    head: zoned('Last used'),
    look: 'end moment',
    cell: ({ lastUsedAt }) => <LastUsed at={lastUsedAt} inRow />,
  },
];

/** A key and the one that replaces it have the same name. */
function Tags({
  apiKey: { id, test, leaked, status, replacedBy, validUntil },
}: {
  apiKey: ApiKey;
}) {
  const isMine = useContext(SessionContext).session?.keyId === id;
  return (
    <>
      {test && <Tag>Test</Tag>} {leaked && <Tag>Leaked</Tag>} {isMine && <Tag>Signed in</Tag>}{' '}
      {replacedBy && status === 'active' && (
        <Tag>Replaced{validUntil && `, works until ${minuteText(validUntil, Date.now())}`}</Tag>
      )}
    </>
  );
}

const CreateKey = ({ onCreated }: { onCreated: (made: CreatedKey) => void }) => (
  <DialogButton label="Create key" title="Create an API key" look="main" opensBy="create">
    <ChangeForm
      submit="Create key"
      act={async (typed, form) => {
        const body = {
          name: typed('name') ?? '',
          test: typed('mode') === 'test' ? true : undefined,
          scopes: checkedIn(form, 'scope', scopes),
          allowedFrom: listIn(typed('allowedFrom')),
          perMinuteCap: numberIn(typed('perMinuteCap')),
          dailyCap: numberIn(typed('dailyCap')),
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

function KeyDialog({
  apiKey,
  onClosed,
  onCreated,
  onChanged,
}: Changes & Creating & { onClosed: () => void }) {
  const { id, name, status, leaked, replacedBy } = apiKey;
  const isMine = useContext(SessionContext).session?.keyId === id;
  return (
    <Dialog title={<Foreign text={name} />} onClosed={onClosed}>
      <p>
        <StateBadge of={statusWords[status]} /> <Tags apiKey={apiKey} />
      </p>
      <KeyFacts apiKey={apiKey} />
      <p>
        <a href={addressWith('/console/emails', { key: id })}>Emails</a>
        {' · '}
        <PageLink href={addressWith('/console/refused', { key: id })}>Refused requests</PageLink>
      </p>
      {status === 'active' && mayChange(apiKey) && (
        <div class="buttons">
          <Revoke apiKey={apiKey} onChanged={onChanged}>
            {isMine && <p>You’re signed in with it, so you’ll be signed out.</p>}
          </Revoke>
          {replacedBy === undefined && <Rotate apiKey={apiKey} onCreated={onCreated} />}
          <Change apiKey={apiKey} onChanged={onChanged} />
        </div>
      )}
      {status === 'revoked' && !leaked && mayChange(apiKey) && (
        <div class="buttons">
          <MarkLeaked apiKey={apiKey} onChanged={onChanged} />
        </div>
      )}
    </Dialog>
  );
}

/** As in the service (`change-api-key.ts`): keys that do more than send are for those who manage the organization. */
const managesAll = (): boolean => hasScope(session.scopes, 'manage_organization');
const mayChange = (apiKey: ApiKey): boolean => managesAll() || isOfSender(apiKey);

/** Keys without scopes send, and read what such keys have sent. */
const scopesText = (granted: ApiKey['scopes']): string => {
  if (granted.length === 0) return 'default scopes';
  return wideScopes.every((scope) => granted.includes(scope)) ? 'everything' : granted.join(', ');
};

/** The same in words. */
const grantedText = (granted: ApiKey['scopes']): string => {
  const text = scopesText(granted);
  if (text === 'everything') return text;
  const known = granted.length === 0 ? defaultScopes : knownAmong(granted, scopes);
  return known.map((scope) => shortScopeWords[scope]).join(', ');
};

const KeyFacts = ({ apiKey }: { apiKey: ApiKey }) => {
  const { allowedFrom, perMinuteCap, dailyCap, lastUsedAt, validUntil, replacedBy } = apiKey;
  return (
    <dl class="facts">
      <IdFact name="ID" text={apiKey.id} what="the ID of the key" />
      <Fact name="Scopes">{scopesText(apiKey.scopes)}</Fact>
      {allowedFrom && (
        <Fact name="Sends from">
          <Foreign text={allowedFrom.join(', ')} most={500} breaks />
        </Fact>
      )}
      {(perMinuteCap || dailyCap) && (
        <Fact name="Recipients">
          {[
            ...(perMinuteCap ? [`${perMinuteCap.toLocaleString()} a minute`] : []),
            ...(dailyCap ? [`${dailyCap.toLocaleString()} a day`] : []),
          ].join(' and ')}{' '}
          at most
        </Fact>
      )}
      <Fact name="Created">
        <Moment at={apiKey.createdAt} />
      </Fact>
      {apiKey.createdBy && (
        <Fact name="Created by">
          <Maker maker={apiKey.createdBy} />
        </Fact>
      )}
      <Fact name="Last used">
        <LastUsed at={lastUsedAt} />
      </Fact>
      {validUntil && (
        <Fact name="Expires">
          <Moment at={validUntil} />
        </Fact>
      )}
      {replacedBy && (
        <Fact name="Replaced by">
          <a href={keyPage(replacedBy)}>the key that rotating it made</a>
        </Fact>
      )}
    </dl>
  );
};

function Maker({ maker: { actor, person } }: { maker: NonNullable<ApiKey['createdBy']> }) {
  const nameOf = useNames([actor], undefined);
  if (actor === 'operator') return <>the operator of the service</>;
  if (person === undefined) {
    return (
      <a href={keyPage(actor)}>
        the key <Foreign text={nameOf(actor) ?? actor} />
      </a>
    );
  }
  return (
    <PageLink href={personAuditPage(actor)}>
      <Foreign text={person} />
    </PageLink>
  );
}

const Change = ({ apiKey, onChanged }: Changes) => (
  <DialogButton label="Edit…" name={`Edit the key ${apiKey.name}`} title="Edit this key">
    <ChangeForm
      submit="Save"
      act={async (typed, form) => {
        const body = {
          name: requiredChangeOf(apiKey.name, typed('name')),
          scopes: listChangeOf(knownAmong(apiKey.scopes, scopes), checkedIn(form, 'scope', scopes)),
          allowedFrom:
            typed('allowedFrom') === apiKey.allowedFrom?.join(' ')
              ? undefined
              : (listIn(typed('allowedFrom')) ?? null),
          perMinuteCap: changeOf(apiKey.perMinuteCap, numberIn(typed('perMinuteCap'))),
          dailyCap: changeOf(apiKey.dailyCap, numberIn(typed('dailyCap'))),
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
}: Changes & { children: ComponentChildren }) => {
  const leaked = useRef<HTMLInputElement>(null);
  return (
    <ConfirmButton
      label="Revoke…"
      name={`Revoke the key ${name}`}
      question="Revoke this key?"
      yes="Revoke"
      look="plain"
      act={async () => {
        const isLeaked = leaked.current?.checked === true;
        const query = isLeaked ? { leaked: 'true' as const } : {};
        await call('DELETE /api/v1/api-keys/{id}', { path: { id }, query });
        toast('Key revoked');
        onChanged();
      }}
    >
      <p>
        From the next request on, <Foreign text={name} /> and all sessions opened with it are
        refused. This can’t be undone.
      </p>
      <label class="check">
        <input ref={leaked} type="checkbox" /> Someone else has it: emails that it scheduled or
        queued must not go out either
      </label>
      {children}
    </ConfirmButton>
  );
};

/** For a key whose theft comes to light after it was revoked. */
const MarkLeaked = ({ apiKey: { id, name }, onChanged }: Changes) => (
  <ConfirmButton
    label="It leaked…"
    name={`Mark the key ${name} as leaked`}
    question="Does someone else have this key?"
    yes="Stop its emails"
    look="plain"
    act={async () => {
      await call('DELETE /api/v1/api-keys/{id}', { path: { id }, query: { leaked: 'true' } });
      toast('Its waiting emails won’t go out');
      onChanged();
    }}
  >
    <p>
      Emails that <Foreign text={name} /> scheduled or queued, and that haven’t gone out yet, won’t
      go out. This can’t be undone.
    </p>
  </ConfirmButton>
);

const Rotate = ({ apiKey: { id, name }, onCreated }: Creating) => (
  <ConfirmButton
    label="Rotate…"
    name={`Rotate the key ${name}`}
    question="Rotate this key?"
    yes="Rotate"
    look="plain"
    isHarmless
    act={async () => onCreated(await call('POST /api/v1/api-keys/{id}/rotate', { path: { id } }))}
  >
    <p>
      A new key replaces <Foreign text={name} />, and is shown once. Both are valid for 24 hours, so
      you have time to deploy the new one.
    </p>
  </ConfirmButton>
);

const Scopes = ({ chosen }: { chosen: readonly string[] }) =>
  managesAll() ? (
    <AllScopes chosen={chosen} />
  ) : (
    <Checks
      legend="Scopes"
      hint="Leave both unchecked for both. An admin can make keys that do more."
      name="scope"
      path="scopes"
      options={scopes.filter((scope) => isOfSender({ scopes: [scope] })).map(scopeOption)}
      chosen={chosen}
    />
  );

const AllScopes = ({ chosen }: { chosen: readonly string[] }) => (
  <>
    <Checks
      legend="Scopes"
      hint="Leave all unchecked to let it send emails and manage templates"
      name="scope"
      path="scopes"
      options={wideScopes.map(scopeOption)}
      chosen={chosen}
    />
    <details open={narrowScopes.some((scope) => chosen.includes(scope))}>
      <summary>Only a part of these</summary>
      <Checks
        legend="Parts"
        hint="For a key that needs no more, such as a support tool’s"
        name="scope"
        path="parts"
        options={narrowScopes.map(scopeOption)}
        chosen={chosen}
      />
    </details>
  </>
);

const scopeOption = (scope: Scope) =>
  [
    scope,
    <span key={scope}>
      {scopeWords[scope]} <code class="quiet">{scope}</code>
    </span>,
  ] as const;

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
