import { isDmarc } from './dmarc.ts';
import type { DnsRecord, RecordSightings } from './dns-records.ts';

/**
 * - `found`: DNS has it as it is wanted.
 * - `missing`: DNS has nothing there.
 * - `wrong`: DNS has something else, or has it elsewhere.
 * - `unknown`: DNS did not answer.
 */
export const recordStates = ['found', 'missing', 'wrong', 'unknown'] as const;
export type RecordState = (typeof recordStates)[number];

export type RecordCheck = {
  readonly state: RecordState;
  /** What DNS really answers. */
  readonly seen: readonly string[];
  /** The likely mistake, and what to do. */
  readonly hint?: string;
};

/** Judges a record by what DNS says. `zone` is the zone that holds it. */
export function checkRecord(
  record: DnsRecord,
  zone: string,
  { own, underDoubledName, addresses }: RecordSightings,
): RecordCheck {
  if (own === 'unanswered') {
    return { state: 'unknown', seen: [], hint: 'DNS did not answer in time. Ask again.' };
  }
  const ofKind = own.filter((value) => isOfKind(record, value));
  if (isRight(record, ofKind)) return { state: 'found', seen: own };
  if (ofKind.length > 0) {
    return { state: 'wrong', seen: own, hint: hintOn(record, zone, ofKind) };
  }
  if (underDoubledName !== 'unanswered' && isRight(record, underDoubledName)) {
    const hint = `The record stands under ${record.name}.${zone}: your DNS provider appends the zone by itself. Give it the name ${record.relativeName}.`;
    return { state: 'wrong', seen: underDoubledName, hint };
  }
  const isProxied = record.type === 'CNAME' && addresses !== 'unanswered' && addresses.length > 0;
  if (isProxied) {
    const hint =
      'DNS answers addresses in place of the CNAME: your DNS provider proxies it. Turn the proxy off for this record ("DNS only").';
    return { state: 'wrong', seen: addresses, hint };
  }
  return { state: 'missing', seen: own };
}

/** A name holds texts of many kinds. Only those that speak of the same matter say anything of the record. */
function isOfKind({ purpose, value: wanted }: DnsRecord, value: string): boolean {
  switch (purpose) {
    // Those of other organizations, and of other deployments, may stand beside it.
    case 'ownership':
      return unescaped(value).replace(/^"+|"+$/g, '') === wanted;
    case 'mail_from_spf':
      return /^"?v=spf1\b/i.test(unescaped(value));
    case 'dmarc':
      // Also what receivers don't take for one, as its writer meant it to be.
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
    // Whatever else the domain allows to send, and whatever policy it has, is its own matter.
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

/** Names count without case and without the dot at the end (RFC 1035 §2.3.3). */
const sameName = (name: string): string => name.trim().toLowerCase().replace(/\.$/, '');

/** Of an MX's value: any priority serves, when it is the only one. */
const hostOf = (value: string): string => sameName(value).split(/\s+/).at(-1) ?? '';

function hintOn(record: DnsRecord, zone: string, values: readonly string[]): string {
  const { type, value: wanted } = record;
  if (values.length > 1) {
    return `There are ${values.length} such records under this name, and there must be one. ${onlyOne[type]}`;
  }
  const [value = ''] = values;
  const bare = unescaped(value).replace(/^"+|"+$/g, '');
  if (bare !== value && isRight(record, [bare])) {
    return 'The value has quotes of its own. Enter it without quotes: your DNS provider adds them.';
  }
  if (type !== 'TXT' && hostOf(value) === `${hostOf(wanted)}.${zone}`) {
    return `Your DNS provider appended the zone to the value. Enter it with a dot at the end: ${wanted}.`;
  }
  if (type === 'TXT') return `The value is another. ${textAdvice[record.purpose] ?? ''}`.trim();
  const isOfSes = /\.amazonses\.com$/.test(hostOf(value));
  return isOfSes
    ? `This is an old value of SES, of an earlier identity or another Region. Replace it by ${wanted}.`
    : `The name points elsewhere. Replace the value by ${wanted}.`;
}

const onlyOne = {
  MX: "SES takes a MAIL FROM domain with a single MX record only. Remove those that are not SES's.",
  TXT: 'Merge them into one: receivers ignore all of several.',
  CNAME: 'Remove the others.',
} as const;

const textAdvice: Partial<Record<DnsRecord['purpose'], string>> = {
  mail_from_spf: 'Add include:amazonses.com before its "all".',
  dmarc: 'It must begin with "v=DMARC1;", in capitals and with nothing before it.',
};
