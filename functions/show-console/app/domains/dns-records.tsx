import type { ComponentChildren } from 'preact';
import { Breakable, CopyButton, Dotted, LongForeign, StateBadge } from '../parts/text.tsx';
import type { Tone } from '../shared/words.ts';
import type { DomainRecord, Identity } from './domain-state.ts';

const stateWords = {
  found: ['found', 'good'],
  missing: ['missing', 'warn'],
  wrong: ['wrong', 'bad'],
  unknown: ['DNS didn’t answer', 'quiet'],
} as const satisfies Record<DomainRecord['state'], readonly [string, Tone]>;

const purposeWords: Readonly<Record<DomainRecord['purpose'], string>> = {
  ownership: 'Ownership',
  dkim: 'DKIM',
  mail_from_mx: 'MAIL FROM',
  mail_from_spf: 'SPF',
  dmarc: 'DMARC',
};

/** With what DNS has now, where that differs. */
export function DnsRecords({ identity }: { identity: Identity }) {
  const { records, zoneFile } = identity;
  const found = records.filter(({ state }) => state === 'found').length;
  return (
    <section class="card flush" aria-labelledby="dns-records">
      <div class="section">
        <h2 id="dns-records">
          DNS records{' '}
          <span class="quiet">
            {found} of {records.length} found
          </span>
        </h2>
        <CopyButton text={zoneFile} what="zone file" label="Copy zone file" />
      </div>
      <table class="records" aria-label="DNS records">
        <thead>
          <tr>
            <th scope="col">For</th>
            <th scope="col">Type</th>
            <th scope="col">Name</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <Row key={`${record.type} ${record.name}`} record={record} />
          ))}
        </tbody>
      </table>
      <p class="quiet">
        Most DNS providers append the grey part of a name, so Copy leaves it out. Missing records
        are looked for every 15 seconds.
      </p>
    </section>
  );
}

function Row({ record }: { record: DomainRecord }) {
  const { purpose, type, name, relativeName, value, state, seen, hint, isRequired } = record;
  return (
    <tr>
      <td>
        <StateBadge
          of={[purposeWords[purpose], stateWords[state][1]]}
          glyph={state === 'missing' ? 'wait' : undefined}
        />{' '}
        <small>
          <Dotted>
            {state !== 'found' && stateWords[state][0]}
            {!isRequired && 'optional'}
          </Dotted>
        </small>
      </td>
      <td class="quiet">{type}</td>
      <td>
        <Copyable what="name" text={relativeName} of={purpose}>
          <span class="quiet">{name.slice(relativeName.length)}</span>
        </Copyable>
      </td>
      <td>
        <Copyable what="value" text={value} of={purpose} />
        {state !== 'found' && seen.length > 0 && (
          <p class="fault">
            DNS has: <LongForeign text={seen.join(' · ')} />
          </p>
        )}
        {hint && <p class="quiet">{hint}</p>}
      </td>
    </tr>
  );
}

const Copyable = ({
  what,
  text,
  of,
  children,
}: {
  what: string;
  text: string;
  of: string;
  children?: ComponentChildren;
}) => (
  <div class="copyable">
    <code>
      <Breakable text={text} />
      {children}
    </code>
    <CopyButton text={text} what={`${what} of ${of}`} look="copy" />
  </div>
);
