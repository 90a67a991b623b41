import { useContext } from 'preact/hooks';
import { deviceOf } from '#shared/access/device';
import type { Answer } from '../../../api.ts';
import { ApiFailure, call } from '../api-client.ts';
import { toast } from '../parts/announce.tsx';
import { ConfirmButton } from '../parts/buttons.tsx';
import { DialogButton } from '../parts/dialog.tsx';
import { ChangeForm, Field } from '../parts/form.tsx';
import { LastUsed } from '../parts/last-used.tsx';
import { Empty, Shown } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Foreign, Moment, zoned } from '../parts/text.tsx';
import { askNext, notePasskey, nowAsked, takesPasskeys } from '../shared/passkeys.ts';
import { SessionContext } from '../shared/session.ts';
import { useCall } from '../shared/use-call.ts';

/** As a start. */
const ownDevice = () => deviceOf(navigator.userAgent) ?? 'Browser';

type Passkey = Answer<'GET /console/passkeys'>['data'][number];

/** Of people. Who signed in with an API key has none, and the identity provider has its own. */
export function Passkeys() {
  const { session } = useContext(SessionContext);
  return session?.person && !session.isFromIssuer ? <Own /> : null;
}

function Own() {
  const passkeys = useCall('GET /console/passkeys', {});
  return (
    <Shown of={passkeys}>
      {({ data }) => (
        <>
          <div class="section">
            <h2>Passkeys</h2>
            {takesPasskeys && <Add onAdded={passkeys.reload} />}
          </div>
          {data.length > 0 ? (
            <Table
              label="Passkeys"
              columns={columnsOf(passkeys.reload)}
              rows={data}
              keyOf={({ id }) => id}
            />
          ) : (
            <Empty title="No passkeys yet">
              {takesPasskeys
                ? 'With one, you sign in by fingerprint, face or PIN, in every organization, without waiting for an email.'
                : 'This browser can’t use them. Update it, or open the console in another one.'}
            </Empty>
          )}
        </>
      )}
    </Shown>
  );
}

const Add = ({ onAdded }: { onAdded: () => void }) => (
  <DialogButton label="Add a passkey" title="Add a passkey">
    <ChangeForm
      submit="Add"
      act={async (typed) => {
        await addPasskey(typed('name') ?? ownDevice());
        toast('Your passkey is added');
        onAdded();
      }}
    >
      <p>Your browser asks where to keep it, and for your fingerprint, face or PIN.</p>
      <Field
        label="Name"
        name="name"
        value={ownDevice()}
        hint="Tells it from your other passkeys."
        autocomplete="off"
      />
    </ChangeForm>
  </DialogButton>
);

async function addPasskey(name: string): Promise<void> {
  const signal = askNext();
  const options = await call('POST /console/passkeys/options', {});
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON({
    ...options,
    pubKeyCredParams: [...options.pubKeyCredParams],
    excludeCredentials: options.excludeCredentials.map(({ transports, ...one }) => ({
      ...one,
      transports: [...transports],
    })),
  });
  const made = await nowAsked(() => navigator.credentials.create({ publicKey, signal }));
  const given = made instanceof PublicKeyCredential ? made.toJSON() : undefined;
  if (given === undefined || !('attestationObject' in given.response)) {
    throw new ApiFailure(0, { detail: 'The browser made no passkey. Try again.' });
  }
  const { clientDataJSON, attestationObject, transports } = given.response;
  const body = { name, id: given.id, clientDataJSON, attestationObject, transports };
  await call('POST /console/passkeys', { body });
  notePasskey();
}

const columnsOf = (onChanged: () => void): readonly Column<Passkey>[] => [
  {
    head: 'Passkey',
    look: 'strong who',
    cell: ({ name }) => <Foreign text={name} most={60} />,
  },
  {
    head: zoned('Added'),
    look: 'added',
    cell: ({ createdAt }) => <Moment at={createdAt} inRow />,
  },
  {
    head: 'Last used',
    look: 'used',
    cell: ({ lastUsedAt }) => <LastUsed at={lastUsedAt} inRow />,
  },
  {
    head: <span class="visually-hidden">Actions</span>,
    look: 'end remove',
    cell: (passkey) => <Remove passkey={passkey} onChanged={onChanged} />,
  },
];

const Remove = ({
  passkey: { id, name },
  onChanged,
}: {
  passkey: Passkey;
  onChanged: () => void;
}) => (
  <ConfirmButton
    label="Remove…"
    name={`Remove ${name}`}
    question="Remove this passkey?"
    yes="Remove"
    act={async () => {
      await call('DELETE /console/passkeys/{id}', { path: { id } });
      toast('The passkey is removed');
      onChanged();
    }}
  >
    <p>
      <Foreign text={name} most={60} /> signs in nowhere anymore, in no organization. Sessions that
      began with it go on. Your device may still offer it: remove it there, too.
    </p>
  </ConfirmButton>
);
