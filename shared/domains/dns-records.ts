export const recordPurposes = [
  'ownership',
  'dkim',
  'mail_from_mx',
  'mail_from_spf',
  'dmarc',
] as const;
type RecordPurpose = (typeof recordPurposes)[number];

export const recordTypes = ['CNAME', 'MX', 'TXT'] as const;

export type DnsRecord = {
  readonly purpose: RecordPurpose;
  readonly type: (typeof recordTypes)[number];
  readonly name: string;
  /** The form most DNS providers want: they append the zone themselves. */
  readonly relativeName: string;
  /** As written in DNS; an MX includes its priority. */
  readonly value: string;
  /** The identity can't become active without it. */
  readonly isRequired: boolean;
};

export type DnsAnswer = readonly string[] | 'unanswered';

/** Includes the places where a mistake would show. */
export type RecordSightings = {
  /** The values of the record's type under its name. */
  readonly own: DnsAnswer;
  /** The same under its name with the zone appended. */
  readonly underDoubledName: DnsAnswer;
  /** IP addresses under its name. None of our records should have any. */
  readonly addresses: DnsAnswer;
};

/** See `domain-ownership.ts`. */
export const ownershipRecordName = (domain: string): string => `_email-service.${domain}`;

type RecordsOf = {
  readonly domain: string;
  /** Proves which organization owns the domain: see `domain-ownership.ts`. */
  readonly ownership: { readonly value: string; readonly isRequired: boolean };
  readonly mailFromDomain: string;
  readonly zone: string;
  readonly dkimTokens: readonly string[];
  /** Where SES publishes the DKIM keys. */
  readonly dkimHostedZone: string;
  readonly region: string;
};

export function recordsOf(given: RecordsOf): DnsRecord[] {
  const { domain, ownership, mailFromDomain, zone, dkimTokens, dkimHostedZone, region } = given;
  const record = (
    purpose: RecordPurpose,
    type: DnsRecord['type'],
    name: string,
    value: string,
  ): DnsRecord => ({
    purpose,
    type,
    name,
    relativeName: relativeTo(zone, name),
    value,
    isRequired: purpose === 'dkim',
  });
  return [
    {
      ...record('ownership', 'TXT', ownershipRecordName(domain), ownership.value),
      isRequired: ownership.isRequired,
    },
    ...dkimTokens.map((token) =>
      record('dkim', 'CNAME', `${token}._domainkey.${domain}`, `${token}.${dkimHostedZone}`),
    ),
    record('mail_from_mx', 'MX', mailFromDomain, `10 feedback-smtp.${region}.amazonses.com`),
    record('mail_from_spf', 'TXT', mailFromDomain, 'v=spf1 include:amazonses.com ~all'),
    record('dmarc', 'TXT', `_dmarc.${domain}`, 'v=DMARC1; p=none;'),
  ];
}

/** `@` is the zone itself (RFC 1035 §5.1). */
export function relativeTo(zone: string, name: string): string {
  if (name === zone) return '@';
  return name.endsWith(`.${zone}`) ? name.slice(0, -zone.length - 1) : name;
}

/** RFC 1035 §5. Full names, so that it works with any origin. */
export function zoneFileOf(records: readonly DnsRecord[]): string {
  const lines = records.map(
    ({ name, type, value }) => `${name}. 3600 IN ${type} ${zoneValueOf(type, value)}`,
  );
  return `${lines.join('\n')}\n`;
}

const zoneValueOf = (type: DnsRecord['type'], value: string): string =>
  type === 'TXT' ? `"${value}"` : `${value}.`;
