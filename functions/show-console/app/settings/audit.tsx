import { useContext, useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { call } from '../api-client.ts';
import { ExportCsv } from '../parts/export-csv.tsx';
import { FilterSelect } from '../parts/filter-bar.tsx';
import { May } from '../parts/may.tsx';
import { List } from '../parts/pager.tsx';
import { Foreign, LongForeign, Moment, Sentence } from '../parts/text.tsx';
import { keyPage, personAuditPage } from '../shared/addresses.ts';
import { useNames } from '../shared/names.ts';
import { maxPerPage } from '../shared/paging.ts';
import { SessionContext } from '../shared/session.ts';
import { useCall } from '../shared/use-call.ts';
import {
  type AuditEntry,
  actionText,
  type Difference,
  differencesOf,
  idsIn,
  named,
  namesIn,
  targetAddress,
} from './audit-entry.ts';
import { SettingsPage } from './settings-page.tsx';

/** Newest first. */
export function Audit() {
  const { cursor, person } = useLocation().query;
  const filters = { person };
  const entries = useCall('GET /api/v1/audit', { query: { ...filters, cursor } });
  const shown = entries.value?.data ?? [];
  const { session } = useContext(SessionContext);
  const nameIn = namesIn(shown);
  const nameOfThing = useNames(shown.flatMap(idsIn), entries.value);
  const nameOf = (id: string) =>
    nameOfThing(id) ??
    nameIn.get(id) ??
    (id === session?.organization.id ? session.organization.name : undefined);
  const people = usePeople(shown);
  return (
    <SettingsPage
      name="Audit log"
      lead="Changes and sign-ins of the last 400 days, without secrets or recipients’ addresses."
    >
      <search class="filterbar">
        <FilterSelect name="person" label="Person" options={[['', 'Anybody'], ...people]} />
        <May ask="GET /api/v1/audit/export">
          <ExportCsv
            key={person}
            route="GET /api/v1/audit/export"
            filters={filters}
            fileName="audit.csv"
            rows={['entry', 'entries']}
          />
        </May>
      </search>
      <List of={entries} empty={<h2>{person ? 'Nothing yet' : 'No changes yet'}</h2>}>
        {(entry) => (
          <Row key={entry.id} entry={entry} nameOf={nameOf} personOf={(id) => people.get(id)} />
        )}
      </List>
    </SettingsPage>
  );
}

type NameOf = (id: string) => string | undefined;

/** Addresses by id, of the organization's people, and of those who did something here and may be gone. */
function usePeople(entries: readonly AuditEntry[]): ReadonlyMap<string, string> {
  const [people, setPeople] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    call('GET /api/v1/people', { query: { limit: maxPerPage } }).then(
      ({ data }) => setPeople(new Map(data.map(({ id, email }) => [id, email]))),
      () => {},
    );
  }, []);
  const here = entries.flatMap(({ actor, person }) => (person ? [[actor, person] as const] : []));
  return new Map([...people, ...here]);
}

function Row({ entry, nameOf, personOf }: { entry: AuditEntry; nameOf: NameOf; personOf: NameOf }) {
  const { action, target, actor, at, session } = entry;
  const by = entry.person ?? personOf(actor);
  const whom = personOf(target);
  const address = targetAddress(entry);
  const differences = differencesOf(entry);
  return (
    <li>
      <span class="wide">
        <b>{actionText(action)}</b> {/* A sign-in is of the key or person that it's by. */}
        {target !== actor && <Target address={address} text={whom ?? nameOf(target) ?? target} />}
        <br />
        <span class="quiet">
          by {by ? <Person id={actor} email={by} /> : <Actor actor={actor} name={nameOf(actor)} />}
          {session && (
            <>
              , in the session <code>{session}</code>
            </>
          )}
        </span>
        {differences.length > 0 && <Differences differences={differences} nameOf={nameOf} />}
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

function Person({ id, email }: { id: string; email: string }) {
  const { session } = useContext(SessionContext);
  return (
    <>
      <a href={personAuditPage(id)}>
        <Foreign text={email} />
      </a>
      {email === session?.person?.email && ' (you)'}
    </>
  );
}

function Actor({ actor, name }: { actor: string; name: string | undefined }) {
  const { session } = useContext(SessionContext);
  if (actor === 'operator') return <>the operator of the service</>;
  if (actor === 'notice_email') return <>someone reading the notice address</>;
  if (actor === 'anybody') return <>someone who typed the address</>;
  if (actor === 'issuer') return <>the identity provider</>;
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

const Differences = ({
  differences,
  nameOf,
}: {
  differences: readonly Difference[];
  nameOf: NameOf;
}) => (
  <dl class="differences">
    {differences.map(({ name, before, after }) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          {before !== undefined && (
            <del>
              <span class="visually-hidden">Before: </span>
              <Value text={named(before, nameOf)} />
            </del>
          )}
          {before !== undefined && ' '}
          {after === undefined ? (
            <span>removed</span>
          ) : (
            <ins>
              <span class="visually-hidden">After: </span>
              <Value text={named(after, nameOf)} />
            </ins>
          )}
        </dd>
      </div>
    ))}
  </dl>
);
