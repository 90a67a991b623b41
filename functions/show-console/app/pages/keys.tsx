import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { call } from '../api-client.ts';
import { announce } from '../parts/announce.tsx';
import { ConfirmButton } from '../parts/confirm.tsx';
import { ChangeForm, Field } from '../parts/form.tsx';
import { Page } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { Shown } from '../parts/states.tsx';
import { Badge, Foreign, Moment, ShownOnce } from '../parts/text.tsx';
import { useCall } from '../use-call.ts';
import { type ApiKey, type Scope, scopeWords, type Tone } from '../words.ts';

const scopes = [
  'send_email',
  'read_sends',
  'preferences_read',
  'preferences_manage',
  'templates_manage',
  'manage_organization',
] as const satisfies readonly Scope[];

type Made = { readonly name: string; readonly key: string };

/** The keys by which programs and people speak to the service. */
export function Keys() {
  const { query } = useLocation();
  const keys = useCall('GET /api/v1/api-keys', { query: { cursor: query['cursor'] } });
  const [made, setMade] = useState<Made>();
  const onMade = (one: Made) => {
    setMade(one);
    keys.reload();
  };
  return (
    <Page title="API keys" lead="Give each application its own, with no more scopes than it needs.">
      {made && <ShownOnce what={`the key “${made.name}”`} secret={made.key} />}
      <CreateKey onMade={onMade} />
      <Shown of={keys}>
        {({ data, nextCursor }) => (
          <>
            <ul class="rows">
              {data.map((apiKey) => (
                <Row key={apiKey.id} apiKey={apiKey} onMade={onMade} onRevoked={keys.reload} />
              ))}
            </ul>
            <p class="quiet">A key of the last second may be missing here.</p>
            <Pager nextCursor={nextCursor} shown={data.length} />
          </>
        )}
      </Shown>
    </Page>
  );
}

const CreateKey = ({ onMade }: { onMade: (made: Made) => void }) => (
  <details>
    <summary>Make a key</summary>
    <ChangeForm
      submit="Make it"
      act={async (typed, form) => {
        const number = (name: string) => (typed(name) ? Number(typed(name)) : undefined);
        const body = {
          name: typed('name') ?? '',
          scopes: scopes.filter((scope) => form.getAll('scope').includes(scope)),
          perMinuteCap: number('perMinuteCap'),
          dailyCap: number('dailyCap'),
        };
        onMade(await call('POST /api/v1/api-keys', { body }));
      }}
    >
      <Field label="Name" name="name" hint="What uses it: “billing”" required />
      <fieldset>
        <legend>What it may do</legend>
        {scopes.map((scope) => (
          <label key={scope} class="check">
            <input
              type="checkbox"
              name="scope"
              value={scope}
              defaultChecked={scope === 'send_email'}
            />
            <span>
              {scopeWords[scope]} <code class="quiet">{scope}</code>
            </span>
          </label>
        ))}
      </fieldset>
      <Field
        label="Requests to send a minute, at most"
        name="perMinuteCap"
        type="number"
        hint="Optional"
      />
      <Field
        label="Requests to send a day, at most"
        name="dailyCap"
        type="number"
        hint="Optional: a key that leaks costs no more than this"
      />
    </ChangeForm>
  </details>
);

const statusTones: Readonly<Record<ApiKey['status'], Tone>> = {
  active: 'good',
  revoked: 'bad',
  expired: 'quiet',
};

function Row({
  apiKey,
  onMade,
  onRevoked,
}: {
  apiKey: ApiKey;
  onMade: (made: Made) => void;
  onRevoked: () => void;
}) {
  const { id, name, status, lastUsedAt, validUntil, replacedBy } = apiKey;
  return (
    <li>
      <span class="wide">
        <b>
          <Foreign text={name} />
        </b>{' '}
        <Badge tone={statusTones[status]}>{status}</Badge>
        <br />
        <code>{id}</code>
        <br />
        <span class="quiet">
          {apiKey.scopes.length > 0 ? apiKey.scopes.join(', ') : 'default send permissions'} ·{' '}
          {lastUsedAt ? (
            <>
              last used <Moment at={lastUsedAt} />
            </>
          ) : (
            'never used'
          )}
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
      </span>
      {status === 'active' && (
        <span class="buttons">
          {replacedBy === undefined && <Rotate apiKey={apiKey} onMade={onMade} />}
          <ConfirmButton
            label="Revoke…"
            name={`Revoke the key ${name}`}
            question="Revoke this key?"
            yes="Revoke it"
            act={async () => {
              await call('DELETE /api/v1/api-keys/{id}', { path: { id } });
              announce('The key is revoked');
              onRevoked();
            }}
          >
            <p>
              The next request with <Foreign text={name} /> is refused, and so is every session that
              was opened with it. A revoked key stays revoked.
            </p>
          </ConfirmButton>
        </span>
      )}
    </li>
  );
}

function Rotate({
  apiKey: { id, name },
  onMade,
}: {
  apiKey: ApiKey;
  onMade: (made: Made) => void;
}) {
  return (
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
}
