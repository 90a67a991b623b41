import { useContext } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { List } from '../parts/pager.tsx';
import { Foreign, LongForeign, Moment, Sentence } from '../parts/text.tsx';
import { keyPage } from '../shared/addresses.ts';
import { useKeyNames } from '../shared/names.ts';
import { SessionContext } from '../shared/session.ts';
import { useCall } from '../shared/use-call.ts';
import {
  type AuditEntry,
  actionText,
  type Difference,
  differencesOf,
  namesIn,
  targetAddress,
} from './audit-entry.ts';
import { SettingsPage } from './settings-page.tsx';

/** Newest first. */
export function Audit() {
  const { query } = useLocation();
  const entries = useCall('GET /api/v1/audit', { query: { cursor: query['cursor'] } });
  const names = new Map([...namesIn(entries.value?.data ?? []), ...useKeyNames()]);
  return (
    <SettingsPage
      name="Audit log"
      lead="Changes and sign-ins of the last 400 days, without secrets or addresses."
    >
      <List of={entries} empty={<h2>No changes yet</h2>}>
        {(entry) => <Row key={entry.id} entry={entry} names={names} />}
      </List>
    </SettingsPage>
  );
}

function Row({ entry, names }: { entry: AuditEntry; names: ReadonlyMap<string, string> }) {
  const { action, target, actor, at, session } = entry;
  const address = targetAddress(entry);
  const differences = differencesOf(entry);
  return (
    <li>
      <span class="wide">
        <b>{actionText(action)}</b> {/* A sign-in is of the key that it's by. */}
        {target !== actor && <Target address={address} text={names.get(target) ?? target} />}
        <br />
        <span class="quiet">
          by <Actor actor={actor} name={names.get(actor)} />
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

const Target = ({ address, text }: { address: string | undefined; text: string }) =>
  address === undefined ? (
    <Foreign text={text} />
  ) : (
    <a href={address}>
      <Foreign text={text} />
    </a>
  );

function Actor({ actor, name }: { actor: string; name: string | undefined }) {
  const { session } = useContext(SessionContext);
  if (actor === 'operator') return <>the operator of the service</>;
  if (actor === 'notice_email') return <>someone reading the notice address</>;
  return (
    <>
      <a href={keyPage(actor)}>
        <Foreign text={name ?? actor} />
      </a>
      {actor === session?.keyId && ' (the key you’re signed in with)'}
    </>
  );
}

const shortEnough = 300;

/** Times are in the reader's zone, and long text is cut. */
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
            <span>removed</span>
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
