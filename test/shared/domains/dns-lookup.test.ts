import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDnsLookup } from '#shared/domains/dns-lookup';
import { lookupOf } from '../../support/dns-lookup-builder.ts';
import { recordFor } from '../../support/dns-record-builder.ts';

const domain = 'mail.example.com';

describe('openDnsLookup', () => {
  it('reads each type of record as it is published', async () => {
    const long = `v=spf1 include:amazonses.com ${'include:a.example '.repeat(20)}~all`;
    const lookup = await lookupOf(
      [
        `abc._domainkey.${domain}. 3600 IN CNAME abc.dkim.amazonses.com.`,
        `bounces.${domain}. MX 10 feedback-smtp.eu-west-1.amazonses.com.`,
        `bounces.${domain}. TXT "${long}"`,
      ].join('\n'),
    );

    const dkim = await lookup.sight(recordFor('dkim'), 'example.com');
    const mx = await lookup.sight(recordFor('mail_from_mx'), 'example.com');
    const spf = await lookup.sight(recordFor('mail_from_spf'), 'example.com');

    expect(dkim.own).toEqual(['abc.dkim.amazonses.com']);
    expect(mx.own).toEqual(['10 feedback-smtp.eu-west-1.amazonses.com']);
    expect(spf.own).toEqual([long]);
  });

  it('looks where a mistake would show', async () => {
    const { name } = recordFor('dkim');
    const lookup = await lookupOf(
      `${name}. A 104.16.0.1\n${name}.example.com. CNAME abc.dkim.amazonses.com.`,
    );

    expect(await lookup.sight(recordFor('dkim'), 'example.com')).toEqual({
      own: [],
      underDoubledName: ['abc.dkim.amazonses.com'],
      addresses: ['104.16.0.1'],
    });
  });

  it('finds the zone that holds a domain, which may be the domain itself', async () => {
    const lookup = await lookupOf('');

    expect(await lookup.zoneOf('a.b.example.com')).toBe('example.com');
    expect(await lookup.zoneOf('example.com')).toBe('example.com');
  });

  it('tells a name without CNAME from one that has it', async () => {
    const lookup = await lookupOf('taken.example.com. CNAME elsewhere.example.net.');

    expect(await lookup.cnameOf('taken.example.com')).toEqual(['elsewhere.example.net']);
    expect(await lookup.cnameOf('free.example.com')).toEqual([]);
  });

  it('says that nobody answered, where nobody does', async () => {
    const silent = createSocket('udp4').bind(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => {
      silent.close();
    });
    const lookup = openDnsLookup(`127.0.0.1:${silent.address().port}`, { timeout: 50, tries: 1 });

    expect(await lookup.cnameOf('mail.example.com')).toBe('unanswered');
    expect(await lookup.zoneOf('mail.example.com')).toBe('mail.example.com');
  });
});
