import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DnsRecord,
  type RecordSightings,
  recordsOf,
  relativeTo,
  zoneFileOf,
} from '#shared/domains/dns-records';
import { checkRecord } from '#shared/domains/record-check';
import { parseZoneFile } from '../../../infra/local/dns/records.ts';
import { recordFor } from '../../support/dns-record-builder.ts';

const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?$/);
const zoneArbitrary = fc.tuple(label, label).map((labels) => labels.join('.'));
const domainArbitrary = fc
  .tuple(fc.array(label, { maxLength: 2 }), zoneArbitrary)
  .map(([below, zone]) => ({ zone, domain: [...below, zone].join('.') }));
const token = fc.stringMatching(/^[a-z0-9]{32}$/);

/** A domain, its zone and all its records. */
const recordSets = fc
  .record({
    names: domainArbitrary,
    mailFromLabel: label,
    dkimTokens: fc.uniqueArray(token, { minLength: 3, maxLength: 3 }),
    region: fc.constantFrom('us-east-1', 'eu-west-1'),
  })
  .map(({ names: { zone, domain }, mailFromLabel, dkimTokens, region }) => ({
    zone,
    records: recordsOf({
      domain,
      zone,
      ownership: { value: 'email-service=abc', isRequired: true },
      mailFromDomain: `${mailFromLabel}.${domain}`,
      dkimTokens,
      dkimHostedZone: 'dkim.amazonses.com',
      region,
    }),
  }));

/** One of a domain's records. */
const oneRecord = recordSets.chain(({ zone, records }) =>
  fc.constantFrom(...records).map((record) => ({ zone, record })),
);

const ofEachRecord = (check: (given: { zone: string; record: DnsRecord }) => void) =>
  fc.assert(fc.property(oneRecord, check));

const nothing: RecordSightings = { own: [], underDoubledName: [], addresses: [] };

const withDot = ({ type, value }: DnsRecord) => (type === 'TXT' ? value : `${value}.`);

describe('a record', () => {
  it('has a relative name that gives its full name, once the zone is appended', () => {
    fc.assert(
      fc.property(recordSets, ({ zone, records }) => {
        for (const { name, relativeName } of records) {
          expect(relativeName === '@' ? zone : `${relativeName}.${zone}`).toBe(name);
        }
      }),
    );
  });

  it('is in the zone file as it is wanted', () => {
    fc.assert(
      fc.property(recordSets, ({ records }) => {
        const published = parseZoneFile(zoneFileOf(records));

        expect(published).toEqual(records.map(({ name, type, value }) => ({ name, type, value })));
      }),
    );
  });

  it('has the name @ where it stands for the zone itself', () => {
    expect(relativeTo('example.com', 'example.com')).toBe('@');
    expect(relativeTo('example.com', 'notexample.com')).toBe('notexample.com');
  });
});

describe('checkRecord', () => {
  it('finds what is published, whatever its case and with or without a dot at the end', () => {
    fc.assert(
      fc.property(oneRecord, fc.boolean(), fc.boolean(), ({ zone, record }, upper, dot) => {
        const value = dot ? withDot(record) : record.value;
        const isName = record.type !== 'TXT';
        const own = [upper && isName ? value.toUpperCase() : value];

        expect(checkRecord(record, zone, { ...nothing, own })).toEqual({
          state: 'found',
          seen: own,
        });
      }),
    );
  });

  it('misses what is nowhere', () => {
    ofEachRecord(({ zone, record }) => {
      expect(checkRecord(record, zone, nothing)).toEqual({ state: 'missing', seen: [] });
    });
  });

  it('says nothing of a record when DNS does not answer', () => {
    ofEachRecord(({ zone, record }) => {
      const check = checkRecord(record, zone, {
        own: 'unanswered',
        underDoubledName: 'unanswered',
        addresses: 'unanswered',
      });

      expect(check).toMatchObject({ state: 'unknown', seen: [] });
    });
  });

  it('sees a zone that was appended twice, and says which name to enter', () => {
    ofEachRecord(({ zone, record }) => {
      const seen = [record.value];
      const check = checkRecord(record, zone, { ...nothing, underDoubledName: seen });

      expect(check).toMatchObject({ state: 'wrong', seen });
      expect(check.hint).toContain(`${record.name}.${zone}`);
      expect(check.hint).toContain(`the name ${record.relativeName}.`);
    });
  });

  it('sees a zone that was appended to the value', () => {
    ofEachRecord(({ zone, record }) => {
      fc.pre(record.type !== 'TXT');
      const own = [`${record.value}.${zone}`];
      const check = checkRecord(record, zone, { ...nothing, own });

      expect(check).toMatchObject({ state: 'wrong', seen: own });
      expect(check.hint).toContain('with a dot at the end');
    });
  });

  it('sees quotes that are part of the value', () => {
    fc.assert(
      fc.property(oneRecord, fc.constantFrom('"', '\\"'), ({ zone, record }, quote) => {
        const own = [`${quote}${record.value}${quote}`];
        const check = checkRecord(record, zone, { ...nothing, own });

        expect(check).toMatchObject({ state: 'wrong', seen: own });
        expect(check.hint).toContain('quotes');
      }),
    );
  });

  it('is never content with another value, and always says what it saw', () => {
    fc.assert(
      fc.property(oneRecord, fc.domain(), ({ zone, record }, other) => {
        fc.pre(record.type === 'CNAME' && other !== record.value);
        const check = checkRecord(record, zone, { ...nothing, own: [other] });

        expect(check).toMatchObject({ state: 'wrong', seen: [other] });
        expect(check.hint).toContain(record.value);
      }),
    );
  });

  it('is not content with two records where there must be one', () => {
    ofEachRecord(({ zone, record }) => {
      const own = [record.value, record.value];

      expect(checkRecord(record, zone, { ...nothing, own }).state).toBe('wrong');
    });
  });
});

const check = (purpose: DnsRecord['purpose'], sightings: Partial<RecordSightings>) =>
  checkRecord(recordFor(purpose), 'example.com', { ...nothing, ...sightings });

describe('the likely mistake', () => {
  it('of a proxied CNAME is the proxy', () => {
    const { state, hint } = check('dkim', { addresses: ['104.16.0.1'] });

    expect(state).toBe('wrong');
    expect(hint).toContain('proxies it');
  });

  it('of a value of SES for another identity or Region is its age', () => {
    expect(check('dkim', { own: ['old.dkim.amazonses.com'] }).hint).toContain('old SES value');
    expect(
      check('mail_from_mx', { own: ['10 feedback-smtp.us-east-1.amazonses.com'] }).hint,
    ).toContain('another Region');
  });

  it('of a second MX is that SES takes only one', () => {
    const own = ['10 feedback-smtp.eu-west-1.amazonses.com', '20 mx.example.com'];

    expect(check('mail_from_mx', { own }).hint).toContain('a single MX');
  });

  it('of an SPF record without SES is what to add', () => {
    expect(check('mail_from_spf', { own: ['v=spf1 include:example.net ~all'] }).hint).toContain(
      'include:amazonses.com',
    );
  });

  it('of two SPF records is that receivers ignore both', () => {
    const own = ['v=spf1 include:amazonses.com ~all', 'v=spf1 -all'];

    expect(check('mail_from_spf', { own }).hint).toContain('Merge them');
  });
});

describe('what others have published', () => {
  it('counts as found when it says more than what is wanted', () => {
    const spf = ['v=spf1 include:example.net include:amazonses.com -all', 'some-verification=1'];

    expect(check('mail_from_spf', { own: spf }).state).toBe('found');
    expect(check('dmarc', { own: ['v=DMARC1; p=reject; rua=mailto:x@example.com'] }).state).toBe(
      'found',
    );
    expect(check('mail_from_mx', { own: ['5 feedback-smtp.eu-west-1.amazonses.com'] }).state).toBe(
      'found',
    );
  });

  it('leaves DMARC missing when it only mentions it', () => {
    const own = ['see our wiki on v=DMARC1; p=none'];

    expect(check('dmarc', { own }).state).toBe('missing');
  });

  it('under the same name for another matter leaves a text missing', () => {
    expect(check('mail_from_spf', { own: ['google-site-verification=abc'] }).state).toBe('missing');
  });

  it('does not pass for SES by a name that only ends like it', () => {
    expect(
      check('mail_from_spf', { own: ['v=spf1 include:amazonses.com.evil.example ~all'] }).state,
    ).toBe('wrong');
  });
});
