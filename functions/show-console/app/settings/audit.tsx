import { useContext } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { Pager } from '../shared/pager.tsx';
import { SessionContext } from '../shared/session-context.ts';
import { Empty, Shown } from '../shared/states.tsx';
import { Foreign, LongForeign, Moment, Sentence } from '../shared/text.tsx';
import { useCall } from '../shared/use-call.ts';
import {
  type AuditEntry,
  actionText,
  type Difference,
  differencesOf,
  keyAddress,
  targetAddress,
} from './audit-entry.ts';
import { SettingsPage } from './settings-page.tsx';

/** The most that a list answers at once. */
const mostKeys = 100;

/** Who changed what, newest first. */
export function Audit() {
  const { query } = useLocation();
  const entries = useCall('GET /api/v1/audit', { query: { cursor: query['cursor'] } });
  // The names of keys: without them the ids do.
  const keys = useCall('GET /api/v1/api-keys', { query: { limit: mostKeys } });
  const names = new Map(keys.value?.data.map(({ id, name }) => [id, name]));
  return (
    <SettingsPage
      title="Audit"
      lead="Who changed what and who signed in, over the last 400 days. No entry holds a secret or an address."
    >
      <Shown of={entries}>
        {({ data, nextCursor }) => (
          <>
            {data.length === 0 && <Empty>No change yet. Each one will stand here.</Empty>}
            <ul class="rows">
              {data.map((entry) => (
                <Row key={entry.id} entry={entry} actorName={names.get(entry.actor)} />
              ))}
            </ul>
            <Pager nextCursor={nextCursor} shown={data.length} />
          </>
        )}
      </Shown>
    </SettingsPage>
  );
}

function Row({ entry, actorName }: { entry: AuditEntry; actorName: string | undefined }) {
  const { action, target, actor, at, session } = entry;
  const address = targetAddress(entry);
  const differences = differencesOf(entry);
  return (
    <li>
      <span class="wide">
        <b>{actionText(action)}</b>{' '}
        {address ? (
          <a href={address}>
            <Foreign text={target} />
          </a>
        ) : (
          <Foreign text={target} />
        )}
        <br />
        <span class="quiet">
          by <Actor actor={actor} name={actorName} />
          {session && (
            <>
              , in the session <code>{session}</code>
            </>
          )}
        </span>
        {differences.length > 0 && <Differences differences={differences} />}
      </span>
      <Moment at={at} />
    </li>
  );
}

function Actor({ actor, name }: { actor: string; name: string | undefined }) {
  const { session } = useContext(SessionContext);
  if (actor === 'operator') return <>the operator of the service</>;
  if (actor === 'notice_email') return <>a reader of the address for notices</>;
  return (
    <>
      <a href={keyAddress(actor)}>
        <Foreign text={name ?? actor} />
      </a>
      {actor === session?.keyId && ' (the key that you are signed in with)'}
    </>
  );
}

const shortEnough = 300;

/** Times become those of the reader; a long text is shown in part. */
const Value = ({ text }: { text: string }) =>
  text.length > shortEnough ? (
    <LongForeign text={text} most={shortEnough} />
  ) : (
    <Sentence text={text} />
  );

const Differences = ({ differences }: { differences: readonly Difference[] }) => (
  <dl class="differences">
    {differences.map(({ name, before, after }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          {before !== undefined && (
            <del>
              <span class="visually-hidden">Before: </span>
              <Value text={before} />
            </del>
          )}
          {before !== undefined && ' '}
          {after === undefined ? (
            <span>taken away</span>
          ) : (
            <ins>
              <span class="visually-hidden">After: </span>
              <Value text={after} />
            </ins>
          )}
        </dd>
      </div>
    ))}
  </dl>
);
