import { isDmarc } from './dmarc.ts';
import type { DnsRecord, RecordSightings } from './dns-records.ts';

/**
 * - `wrong`: DNS has something else, or has it elsewhere.
 * - `unknown`: DNS didn't answer.
 */
export const recordStates = ['found', 'missing', 'wrong', 'unknown'] as const;
type RecordState = (typeof recordStates)[number];

export type RecordCheck = {
  readonly state: RecordState;
  /** The values in DNS. */
  readonly seen: readonly string[];
  readonly hint?: string;
};

export const unanswered = {
  state: 'unknown',
  seen: [],
  hint: "DNS didn't answer in time. Try again.",
} satisfies RecordCheck;

/** @param zone the zone that holds the record. */
export function checkRecord(
  record: DnsRecord,
  zone: string,
  { own, underDoubledName, addresses }: RecordSightings,
): RecordCheck {
  if (own === 'unanswered') return unanswered;
  const ofKind = own.filter((value) => isOfKind(record, value));
  if (isRight(record, ofKind)) return { state: 'found', seen: own };
  if (ofKind.length > 0) {
    return { state: 'wrong', seen: own, hint: hintOn(record, zone, ofKind) };
  }
  if (underDoubledName !== 'unanswered' && isRight(record, underDoubledName)) {
    const hint = `The record is under ${record.name}.${zone}: your DNS provider appends the zone itself. Enter the name ${record.relativeName}.`;
    return { state: 'wrong', seen: underDoubledName, hint };
  }
  const isProxied = record.type === 'CNAME' && addresses !== 'unanswered' && addresses.length > 0;
  if (isProxied) {
    const hint =
      'DNS answers with IP addresses instead of the CNAME: your DNS provider proxies it. Turn the proxy off for this record ("DNS only").';
    return { state: 'wrong', seen: addresses, hint };
  }
  return { state: 'missing', seen: own };
}

/** A name may hold texts of many kinds. */
function isOfKind({ purpose, value: expected }: DnsRecord, value: string): boolean {
  switch (purpose) {
    // Records of other organizations and deployments may be beside it.
    case 'ownership':
      return unescaped(value).replace(/^"+|"+$/g, '') === expected;
    case 'mail_from_spf':
      return /^"?v=spf1\b/i.test(unescaped(value));
    case 'dmarc':
      // Also matches what receivers don't accept, if it was meant as a DMARC record.
      return /^"?v\s*=\s*dmarc1\b/i.test(unescaped(value));
    default:
      return true;
  }
}

const unescaped = (value: string): string => value.trim().replaceAll('\\"', '"');

function isRight(record: DnsRecord, values: readonly string[]): boolean {
  const [value, ...others] = values.filter((one) => isOfKind(record, one));
  // A second MX, SPF or DMARC record makes receivers, or SES, ignore all of them.
  if (value === undefined || others.length > 0) return false;
  switch (record.purpose) {
    case 'ownership':
      return value.trim() === record.value;
    // The rest is up to the domain's owner: who else may send, and the policy.
    case 'mail_from_spf':
      return /^v=spf1\s/i.test(value) && /\sinclude:amazonses\.com(\s|$)/i.test(value);
    case 'dmarc':
      return isDmarc(value);
    case 'mail_from_mx':
      return hostOf(value) === hostOf(record.value);
    case 'dkim':
      return sameName(value) === sameName(record.value);
  }
}

/** Case and the final dot don't matter (RFC 1035 §2.3.3). */
const sameName = (name: string): string => name.trim().toLowerCase().replace(/\.$/, '');

/** A single MX may have any priority. */
const hostOf = (value: string): string => sameName(value).split(/\s+/).at(-1) ?? '';

function hintOn(record: DnsRecord, zone: string, values: readonly string[]): string {
  const { type, value: expected } = record;
  if (values.length > 1) {
    return `This name has ${values.length} such records and must have only one. ${onlyOne[type]}`;
  }
  const [value = ''] = values;
  const bare = unescaped(value).replace(/^"+|"+$/g, '');
  if (bare !== value && isRight(record, [bare])) {
    return 'The value contains quotes. Enter it without them: your DNS provider adds its own.';
  }
  if (type !== 'TXT' && hostOf(value) === `${hostOf(expected)}.${zone}`) {
    return `Your DNS provider appended the zone to the value. Enter it with a dot at the end: ${expected}.`;
  }
  if (type === 'TXT') return `The value is different. ${textAdvice[record.purpose] ?? ''}`.trim();
  const isOfSes = /\.amazonses\.com$/.test(hostOf(value));
  return isOfSes
    ? `This is an old SES value, from an earlier identity or another Region. Replace it with ${expected}.`
    : `The name points elsewhere. Replace the value with ${expected}.`;
}

const onlyOne = {
  MX: "SES accepts a MAIL FROM domain only with a single MX record. Remove those that aren't SES's.",
  TXT: 'Merge them into one: receivers ignore all of them if there are several.',
  CNAME: 'Remove the others.',
} as const;

const textAdvice: Partial<Record<DnsRecord['purpose'], string>> = {
  mail_from_spf: 'Add include:amazonses.com before its "all".',
  dmarc: 'It must start with "v=DMARC1;", in uppercase.',
};
