import { type DnsRecord, recordsOf } from '#shared/domains/dns-records';

const records = recordsOf({
  domain: 'mail.example.com',
  zone: 'example.com',
  ownership: { value: 'email-service=abc', isRequired: true },
  mailFromDomain: 'bounces.mail.example.com',
  dkimTokens: ['abc'],
  dkimHostedZone: 'dkim.amazonses.com',
  region: 'eu-west-1',
});

/** A record that `mail.example.com` needs. */
export function recordFor(purpose: DnsRecord['purpose']): DnsRecord {
  const found = records.find((record) => record.purpose === purpose);
  if (found === undefined) throw new Error(`No record for ${purpose}`);
  return found;
}
