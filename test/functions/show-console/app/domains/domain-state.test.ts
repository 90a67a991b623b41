import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DomainRecord,
  dmarcStateOf,
  type Identity,
  nextStepOf,
  sesStateOf,
  zoneLineOf,
} from '../../../../../functions/show-console/app/domains/domain-state.ts';
import { zoneFileOf } from '../../../../../shared/domains/dns-records.ts';

const dkim: DomainRecord = {
  purpose: 'dkim',
  isRequired: true,
  type: 'CNAME',
  name: 'abc._domainkey.mail.example.com',
  relativeName: 'abc._domainkey.mail',
  value: 'abc.dkim.amazonses.com',
  state: 'found',
  seen: [],
};
const spf: DomainRecord = {
  ...dkim,
  purpose: 'mail_from_spf',
  type: 'TXT',
  name: 'bounces.mail.example.com',
  relativeName: 'bounces.mail',
  value: 'v=spf1 include:amazonses.com ~all',
};
const mx: DomainRecord = {
  ...spf,
  purpose: 'mail_from_mx',
  type: 'MX',
  value: '10 feedback-smtp.us-east-1.amazonses.com',
};
const dmarc: DomainRecord = {
  ...spf,
  purpose: 'dmarc',
  isRequired: false,
  name: '_dmarc.mail.example.com',
  relativeName: '_dmarc.mail',
  value: 'v=DMARC1; p=none;',
};

const identityWith = (
  records: readonly DomainRecord[],
  more: Partial<Identity> = {},
): Identity => ({
  domain: 'mail.example.com',
  fromEmail: 'hello@mail.example.com',
  status: 'active',
  createdAt: 0,
  sendingAs: null,
  tenant: null,
  dkim: { status: 'SUCCESS' },
  mailFrom: { domain: 'bounces.mail.example.com', status: 'SUCCESS' },
  records: [...records],
  zoneFile: zoneFileOf(records),
  account: {
    region: 'us-east-1',
    hasProductionAccess: true,
    isSendingEnabled: true,
    enforcementStatus: 'HEALTHY',
    problems: [],
  },
  isDefault: true,
  ...more,
});

describe('the one thing to do about a domain', () => {
  it('is nothing once all of it is there', () => {
    expect(nextStepOf(identityWith([dkim, mx, spf, dmarc]))).toBeUndefined();
  });

  it('names the record that is missing, and has it to copy', () => {
    const missing = { ...spf, state: 'missing' } as const;
    expect(nextStepOf(identityWith([dkim, missing], { status: 'pending' }))).toMatchObject({
      answer: 'One record is missing: bounces.mail.example.com',
      record: missing,
    });
  });

  it('says that a record has another value', () => {
    const wrong = { ...spf, state: 'wrong', seen: ['v=spf1 -all'] } as const;
    expect(nextStepOf(identityWith([wrong], { status: 'pending' }))?.answer).toBe(
      'One record has another value: bounces.mail.example.com',
    );
  });

  it('counts several, and leaves them to the zone file', () => {
    const records = [dkim, mx, spf].map((one) => ({ ...one, state: 'missing' as const }));
    const step = nextStepOf(identityWith(records, { status: 'pending' }));
    expect(step).toMatchObject({ answer: '3 records of mail.example.com aren’t there yet' });
    expect(step?.record).toBeUndefined();
  });

  it('is to wait while only Amazon SES hasn’t looked', () => {
    expect(nextStepOf(identityWith([dkim, mx, spf], { status: 'pending' }))?.answer).toBe(
      'Waiting for Amazon SES',
    );
  });

  it('is an optional record only when the domain sends', () => {
    const step = nextStepOf(identityWith([dkim, { ...dmarc, state: 'missing' }]));
    expect(step?.todo).toMatch(/^Emails go out without it/);
  });

  it('comes after what stops every email', () => {
    const step = nextStepOf(
      identityWith([{ ...dkim, state: 'missing' }], {
        tenant: { sending: 'paused', reason: 'Complaints.' },
      }),
    );
    expect(step).toMatchObject({
      tone: 'bad',
      todo: 'Complaints. Ask the operator of the service.',
    });
  });
});

it('copies exactly the line that the zone file has, of records that share a name, too', () => {
  const records = fc.shuffledSubarray([dkim, mx, spf, dmarc], { minLength: 1 });
  fc.assert(
    fc.property(records, (some) => {
      const zoneFile = zoneFileOf(some);
      for (const record of some)
        expect(zoneLineOf({ zoneFile }, record)).toBe(zoneFileOf([record]).trim());
    }),
  );
});

it('has no line for a record that is there already and isn’t in the zone file', () => {
  expect(zoneLineOf({ zoneFile: zoneFileOf([dkim]) }, dmarc)).toBeUndefined();
});

it('says what receivers do with forgeries', () => {
  expect(dmarcStateOf({ records: [{ ...dmarc, policy: 'none' }] })?.[2]).toBe(
    'Forgeries are delivered',
  );
  expect(dmarcStateOf({ records: [{ ...dmarc, policy: 'reject' }] })?.[2]).toBe(
    'Forgeries are refused',
  );
  expect(dmarcStateOf({ records: [{ ...dmarc, state: 'missing' }] })?.[0]).toBe('No record');
  expect(dmarcStateOf({ records: [{ ...dmarc, state: 'unknown' }] })?.[0]).toBe('Unknown');
  expect(dmarcStateOf({ records: [dkim] })).toBeUndefined();
});

it('says what Amazon SES has found', () => {
  expect(sesStateOf(identityWith([]))).toBe('DKIM and MAIL FROM aligned');
  expect(sesStateOf(identityWith([], { dkim: { status: 'PENDING' } }))).toBe(
    'DKIM still checking, MAIL FROM found',
  );
});
