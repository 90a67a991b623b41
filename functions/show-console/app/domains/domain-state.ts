import type { Answer } from '../../../api.ts';
import type { Tone } from '../shared/words.ts';

export type Identity = Answer<'GET /api/v1/domains/{domain}'>;
export type DomainRecord = Identity['records'][number];

type NextStep = {
  readonly tone: Extract<Tone, 'warn' | 'bad'>;
  readonly answer: string;
  readonly todo: string;
  /** The only one that's missing or wrong. */
  readonly record?: DomainRecord;
};

/** What has to happen before the domain sends, or what would make it better. `undefined` if nothing has to. */
export function nextStepOf(identity: Identity): NextStep | undefined {
  const { domain, status, tenant } = identity;
  if (tenant?.sending === 'paused') {
    return {
      tone: 'bad',
      answer: 'Amazon SES has paused your organization',
      todo: `${tenant.reason ?? ''} Ask the operator of the service.`.trim(),
    };
  }
  const open = identity.records.filter(({ state }) => state === 'missing' || state === 'wrong');
  const required = open.filter(({ isRequired }) => isRequired);
  if (status === 'failed') {
    return {
      tone: 'bad',
      answer: `Amazon SES gave up on ${domain} after 72 hours`,
      todo: 'Publish the records below, then choose “Verify now”.',
      ...only(required),
    };
  }
  if (required.length > 0) return { tone: 'warn', ...stepFor(required, domain) };
  if (status === 'pending') {
    return {
      tone: 'warn',
      answer: 'Waiting for Amazon SES',
      todo: 'All required records are there. SES looks for them itself, usually within minutes.',
    };
  }
  return open.length === 0 ? undefined : { tone: 'warn', ...stepFor(open, domain), todo: better };
}

const better = 'Emails go out without it, but more of them reach the inbox with it.';

function stepFor(records: readonly DomainRecord[], domain: string) {
  const [first] = records;
  if (records.length > 1 || first === undefined) {
    return {
      answer: `${records.length} records of ${domain} aren’t there yet`,
      todo: 'Add them at your DNS provider, one by one or as a zone file. This page sees them by itself.',
    };
  }
  return first.state === 'missing'
    ? {
        answer: `One record is missing: ${first.name}`,
        todo: `Add the ${first.type} record at your DNS provider. This page sees it by itself.`,
        record: first,
      }
    : {
        answer: `One record has another value: ${first.name}`,
        todo: `Change the ${first.type} record at your DNS provider to the value below.`,
        record: first,
      };
}

const only = ([record, ...others]: readonly DomainRecord[]) =>
  record !== undefined && others.length === 0 ? { record } : {};

/** Its line of the zone file, which leaves out a DMARC record where there is one already. */
export const zoneLineOf = (
  { zoneFile }: Pick<Identity, 'zoneFile'>,
  { name, type, value }: Pick<DomainRecord, 'name' | 'type' | 'value'>,
): string | undefined =>
  zoneFile
    .split('\n')
    .find(
      (line) => line.startsWith(`${name}. `) && line.includes(` ${type} `) && line.includes(value),
    );

export const statusWords = {
  pending: ['Waiting for DNS', 'warn'],
  active: ['Verified', 'good'],
  failed: ['Failed', 'bad'],
} as const satisfies Record<Identity['status'], readonly [string, Tone]>;

const policyWords = {
  none: ['p=none', 'warn', 'Forgeries are delivered'],
  quarantine: ['p=quarantine', 'good', 'Forgeries go to spam'],
  reject: ['p=reject', 'good', 'Forgeries are refused'],
} as const;

/** What receivers do with forgeries of the domain, for the row of states. */
export function dmarcStateOf({ records }: Pick<Identity, 'records'>) {
  const record = records.find(({ purpose }) => purpose === 'dmarc');
  if (record === undefined) return undefined;
  if (record.policy !== undefined) return policyWords[record.policy];
  return record.state === 'unknown'
    ? (['Unknown', 'quiet', 'DNS didn’t answer'] as const)
    : (['No record', 'warn', 'Forgeries are delivered'] as const);
}

const sesWords: Readonly<Record<Identity['dkim']['status'], string>> = {
  NOT_STARTED: 'not checked yet',
  PENDING: 'still checking',
  SUCCESS: 'found',
  TEMPORARY_FAILURE: 'lost, checking again',
  FAILED: 'gave up',
  UNKNOWN: 'in a state this version doesn’t know',
};

/** What Amazon SES itself has found. */
export const sesStateOf = ({ dkim, mailFrom }: Pick<Identity, 'dkim' | 'mailFrom'>): string =>
  dkim.status === 'SUCCESS' && mailFrom.status === 'SUCCESS'
    ? 'DKIM and MAIL FROM aligned'
    : `DKIM ${sesWords[dkim.status]}, MAIL FROM ${sesWords[mailFrom.status]}`;
