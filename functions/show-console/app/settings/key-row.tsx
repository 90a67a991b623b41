import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import { call } from '../api-client.ts';
import { announce } from '../shared/announce.tsx';
import { ConfirmButton } from '../shared/buttons.tsx';
import { ChangeForm, Field } from '../shared/form.tsx';
import { localField, localMoment } from '../shared/format.ts';
import { SessionContext } from '../shared/session-context.ts';
import { Badge, Foreign, Moment } from '../shared/text.tsx';
import type { ApiKey, Tone } from '../shared/words.ts';
import { Limits, Scopes, typedNumber, typedScopes } from './key-fields.tsx';
import { changedNames, changeOf, requiredChangeOf } from './settings-changes.ts';

export type Made = { readonly name: string; readonly key: string };
type Changes = { apiKey: ApiKey; onChanged: () => void };
type Making = { apiKey: ApiKey; onMade: (made: Made) => void };

const statusTones: Readonly<Record<ApiKey['status'], Tone>> = {
  active: 'good',
  revoked: 'bad',
  expired: 'quiet',
};

/** A key, with what can be done to it. The one that a link leads to is marked. */
export function KeyRow({
  apiKey,
  isWanted,
  onMade,
  onChanged,
}: Changes & Making & { isWanted: boolean }) {
  const { id, name, status, replacedBy } = apiKey;
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
        <Badge tone={statusTones[status]}>{status}</Badge>{' '}
        {isMine && <Badge tone="quiet">you are signed in with it</Badge>}
        <br />
        <code>{id}</code>
        <br />
        <KeyFacts apiKey={apiKey} />
        {status === 'active' && <Change apiKey={apiKey} onChanged={onChanged} />}
      </span>
      {status === 'active' && (
        <span class="buttons">
          {replacedBy === undefined && <Rotate apiKey={apiKey} onMade={onMade} />}
          <Revoke apiKey={apiKey} onChanged={onChanged}>
            {isMine && <p>You are signed in with it: you will be signed out.</p>}
          </Revoke>
        </span>
      )}
    </li>
  );
}

const KeyFacts = ({
  apiKey: { scopes, perMinuteCap, dailyCap, createdAt, lastUsedAt, validUntil, replacedBy },
}: {
  apiKey: ApiKey;
}) => (
  <span class="quiet">
    {scopes.length > 0 ? scopes.join(', ') : 'default send permissions'} · made{' '}
    <Moment at={createdAt} /> ·{' '}
    {lastUsedAt ? (
      <>
        last used <Moment at={lastUsedAt} />
      </>
    ) : (
      'never used'
    )}
    {perMinuteCap && ` · at most ${perMinuteCap.toLocaleString()} a minute`}
    {dailyCap && ` · at most ${dailyCap.toLocaleString()} a day`}
    {validUntil && (
      <>
        {' '}
        · ends <Moment at={validUntil} />
      </>
    )}
    {replacedBy && (
      <>
        {' '}
        · followed by <code>{replacedBy}</code>
      </>
    )}
  </span>
);

const Change = ({ apiKey, onChanged }: Changes) => (
  <details>
    <summary aria-label={`Change the key ${apiKey.name}`}>Change</summary>
    <ChangeForm
      submit="Save"
      act={async (typed, form) => {
        const chosen = typedScopes(form);
        const isSame =
          chosen.length === apiKey.scopes.length &&
          chosen.every((scope) => apiKey.scopes.includes(scope));
        const body = {
          name: requiredChangeOf(apiKey.name, typed('name')),
          scopes: isSame ? undefined : chosen,
          perMinuteCap: changeOf(apiKey.perMinuteCap, typedNumber(typed('perMinuteCap'))),
          dailyCap: changeOf(apiKey.dailyCap, typedNumber(typed('dailyCap'))),
          // The field knows no seconds.
          validUntil:
            typed('validUntil') === localField(apiKey.validUntil)
              ? undefined
              : (localMoment(typed('validUntil')) ?? null),
        };
        if (changedNames(body).length === 0) return announce('Nothing to save: all is as it was');
        await call('PATCH /api/v1/api-keys/{id}', { path: { id: apiKey.id }, body });
        announce('The key is changed');
        onChanged();
      }}
    >
      <Field label="New name" name="name" value={apiKey.name} required />
      <Scopes chosen={apiKey.scopes} />
      <Limits apiKey={apiKey} />
    </ChangeForm>
  </details>
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
    yes="Revoke it"
    act={async () => {
      await call('DELETE /api/v1/api-keys/{id}', { path: { id } });
      announce('The key is revoked');
      onChanged();
    }}
  >
    <p>
      The next request with <Foreign text={name} /> is refused, and so is every session that was
      opened with it. A revoked key stays revoked.
    </p>
    {children}
  </ConfirmButton>
);

const Rotate = ({ apiKey: { id, name }, onMade }: Making) => (
  <ConfirmButton
    label="Rotate…"
    name={`Rotate the key ${name}`}
    question="Rotate this key?"
    yes="Rotate it"
    isHarmless
    act={async () => onMade(await call('POST /api/v1/api-keys/{id}/rotate', { path: { id } }))}
  >
    <p>
      <Foreign text={name} /> gets a successor, which is shown once. Both are valid for 24 hours:
      time to deploy the new one.
    </p>
  </ConfirmButton>
);
