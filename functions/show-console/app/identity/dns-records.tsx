import { Badge, CopyButton, LongForeign } from '../shared/text.tsx';
import type { Identity, Tone } from '../shared/words.ts';

const stateWords = {
  found: ['Found', 'good'],
  missing: ['Missing', 'warn'],
  wrong: ['Wrong', 'bad'],
  unknown: ['DNS did not answer', 'quiet'],
} as const satisfies Record<Identity['records'][number]['state'], readonly [string, Tone]>;

const purposeWords: Readonly<Record<Identity['records'][number]['purpose'], string>> = {
  ownership: 'Ownership: says that the domain is yours',
  dkim: 'DKIM: signs your emails',
  mail_from_mx: 'MAIL FROM: takes bounces',
  mail_from_spf: 'SPF: lets Amazon SES send for you',
  dmarc: 'DMARC: says what to do with forgeries',
};

const policyWords = {
  none: 'are delivered as usual (p=none)',
  quarantine: 'go to spam (p=quarantine)',
  reject: 'are refused (p=reject)',
} as const satisfies Record<NonNullable<Identity['records'][number]['policy']>, string>;

/** Each record with what to copy, and what DNS has instead. */
export const DnsRecords = ({ records }: { records: Identity['records'] }) => (
  <ul class="records">
    {records.map((record) => (
      <li key={`${record.type} ${record.name}`}>
        <h3>
          {purposeWords[record.purpose]} {!record.isRequired && <small>(optional)</small>}{' '}
          <Badge tone={stateWords[record.state][1]}>{stateWords[record.state][0]}</Badge>
        </h3>
        <dl class="facts">
          <dt>Type</dt>
          <dd>{record.type}</dd>
          <Copyable label="Short name" text={record.relativeName} of={record.purpose} />
          <Copyable label="Full name" text={record.name} of={record.purpose} />
          <Copyable label="Value to publish" text={record.value} of={record.purpose} />
          {record.policy && (
            <>
              <dt>Forgeries</dt>
              <dd>{policyWords[record.policy]}</dd>
            </>
          )}
          {record.state !== 'found' && record.seen.length > 0 && (
            <>
              <dt>DNS has instead</dt>
              <dd>
                <LongForeign text={record.seen.join(' · ')} />
              </dd>
            </>
          )}
        </dl>
        {record.hint && <p class="notice warn">{record.hint}</p>}
      </li>
    ))}
  </ul>
);

const Copyable = ({ label, text, of }: { label: string; text: string; of: string }) => (
  <>
    <dt>{label}</dt>
    <dd class="copyable">
      <code>{text}</code> <CopyButton text={text} what={`${label.toLowerCase()} of ${of}`} />
    </dd>
  </>
);
