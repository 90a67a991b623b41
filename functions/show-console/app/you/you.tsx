import { useContext } from 'preact/hooks';
import type { Answer } from '../../../api.ts';
import { ApiFailure, call } from '../api-client.ts';
import { toast } from '../parts/announce.tsx';
import { ActionButton, ConfirmButton } from '../parts/buttons.tsx';
import { Fact } from '../parts/facts.tsx';
import { LastUsed } from '../parts/last-used.tsx';
import { Card, Page } from '../parts/page.tsx';
import { Shown } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Foreign, Moment, Tag, zoned } from '../parts/text.tsx';
import { keyPage } from '../shared/addresses.ts';
import { capitalized } from '../shared/format.ts';
import { mayLeave } from '../shared/leaving.ts';
import { SessionContext, signOut } from '../shared/session.ts';
import { useCall } from '../shared/use-call.ts';
import { Passkeys } from './passkeys.tsx';

/** Who is signed in, and where. */
export const You = () => (
  <Page title="You">
    <Who />
    <Sessions />
    <Passkeys />
  </Page>
);

function Who() {
  const { session } = useContext(SessionContext);
  if (session === undefined) return null;
  const { person, organization, keyId, expiresAt } = session;
  return (
    <Card>
      <dl class="facts">
        {person ? (
          <>
            <Fact name="Address">
              <Foreign text={person.email} breaks />
            </Fact>
            <Fact name="Role">{capitalized(person.role)}</Fact>
          </>
        ) : (
          <Fact name="Signed in with">
            <a href={keyPage(keyId)}>an API key</a>
          </Fact>
        )}
        <Fact name="Organization">
          <Foreign text={organization.name} />
        </Fact>
        <Fact name="Signed in until">
          <Moment at={expiresAt} />
        </Fact>
      </dl>
    </Card>
  );
}

type OwnSession = Answer<'GET /console/sessions'>['data'][number];

/** In this organization: another one has its own. */
function Sessions() {
  const sessions = useCall('GET /console/sessions', {});
  const { reload } = useContext(SessionContext);
  const end = async ({ id, isCurrent }: OwnSession) => {
    if (!isCurrent) await endSession(id);
    else if (await mayLeave()) await signOut();
    else return;
    if (isCurrent) await reload();
    else sessions.reload();
  };
  return (
    <Shown of={sessions}>
      {({ data }) => (
        <>
          <div class="section">
            <h2>Where you’re signed in</h2>
            {data.length > 1 && <EndOthers onEnded={sessions.reload} />}
          </div>
          <Table
            label="Where you’re signed in"
            columns={columnsOf(end)}
            rows={data}
            keyOf={({ id }) => id}
          />
        </>
      )}
    </Shown>
  );
}

/** One that has ended by now needs nothing. */
async function endSession(id: string): Promise<void> {
  try {
    await call('DELETE /console/sessions/{id}', { path: { id } });
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== 'session_not_found') throw error;
  }
  toast('That browser is signed out');
}

const columnsOf = (end: (one: OwnSession) => Promise<void>): readonly Column<OwnSession>[] => [
  {
    head: 'Browser',
    look: 'strong who',
    cell: ({ device, isCurrent }) => (
      <>
        {device ?? 'Unknown'} {isCurrent && <Tag>This one</Tag>}
      </>
    ),
  },
  {
    head: zoned('Signed in'),
    look: 'begun',
    cell: ({ startedAt }) => startedAt !== undefined && <Moment at={startedAt} inRow />,
  },
  {
    head: 'Last used',
    look: 'used',
    cell: ({ lastUsedAt, isCurrent }) => (isCurrent ? 'Now' : <LastUsed at={lastUsedAt} inRow />),
  },
  {
    head: <span class="visually-hidden">Actions</span>,
    look: 'end remove',
    cell: (one) => (
      <ActionButton
        label="Sign out"
        name={`Sign out ${one.device ?? 'Unknown'}`}
        act={() => end(one)}
      />
    ),
  },
];

const EndOthers = ({ onEnded }: { onEnded: () => void }) => (
  <ConfirmButton
    label="Sign out everywhere else…"
    question="Sign out everywhere else?"
    yes="Sign out everywhere else"
    act={async () => {
      await call('DELETE /console/sessions', {});
      toast('Signed out everywhere else');
      onEnded();
    }}
  >
    <p>All other browsers are signed out of this organization at once. You stay signed in here.</p>
  </ConfirmButton>
);
