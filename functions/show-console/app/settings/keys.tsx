import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { call } from '../api-client.ts';
import { ChangeForm, Field } from '../shared/form.tsx';
import { localMoment } from '../shared/format.ts';
import { Pager } from '../shared/pager.tsx';
import { Shown } from '../shared/states.tsx';
import { ShownOnce } from '../shared/text.tsx';
import { useCall } from '../shared/use-call.ts';
import { Limits, Scopes, typedNumber, typedScopes } from './key-fields.tsx';
import { KeyRow, type Made } from './key-row.tsx';
import { SettingsPage } from './settings-page.tsx';

/** The most that a list answers at once, so that a key that a link names is most likely among them. */
const most = 100;

/** The keys by which programs and people speak to the service. */
export function Keys() {
  const { query } = useLocation();
  const { cursor, key: wanted } = query;
  const keys = useCall('GET /api/v1/api-keys', { query: { cursor, limit: most } });
  const [made, setMade] = useState<Made>();
  const onMade = (one: Made) => {
    setMade(one);
    keys.reload();
  };
  return (
    <SettingsPage
      title="API keys"
      lead="Give each application its own, with no more scopes than it needs."
    >
      {made && <ShownOnce what={`the key “${made.name}”`} secret={made.key} />}
      <CreateKey onMade={onMade} />
      <Shown of={keys}>
        {({ data, nextCursor }) => (
          <>
            {wanted && !data.some(({ id }) => id === wanted) && (
              <p class="notice">
                The key <code>{wanted}</code> is not among these. One that has ended is listed for
                30 days more.
              </p>
            )}
            <ul class="rows">
              {data.map((apiKey) => (
                <KeyRow
                  key={apiKey.id}
                  apiKey={apiKey}
                  isWanted={apiKey.id === wanted}
                  onMade={onMade}
                  onChanged={keys.reload}
                />
              ))}
            </ul>
            <p class="quiet">A key of the last second may be missing here.</p>
            <Pager nextCursor={nextCursor} shown={data.length} />
          </>
        )}
      </Shown>
    </SettingsPage>
  );
}

const CreateKey = ({ onMade }: { onMade: (made: Made) => void }) => (
  <details>
    <summary>Make a key</summary>
    <ChangeForm
      submit="Make it"
      act={async (typed, form) => {
        const body = {
          name: typed('name') ?? '',
          scopes: typedScopes(form),
          perMinuteCap: typedNumber(typed('perMinuteCap')),
          dailyCap: typedNumber(typed('dailyCap')),
          validUntil: localMoment(typed('validUntil')),
        };
        onMade(await call('POST /api/v1/api-keys', { body }));
      }}
    >
      <Field label="Name" name="name" hint="What uses it: “billing”" required />
      <Scopes chosen={['send_email']} />
      <Limits />
    </ChangeForm>
  </details>
);
