import { describe, expect, it } from 'vitest';
import { fakeFetch, manage, twin } from '../../../support/manage-builder.ts';

const record = (state: string, isRequired = true) => ({
  ...{ state, isRequired, purpose: 'dkim', type: 'CNAME' },
  ...{
    name: 'a._domainkey.billing.example.com',
    relativeName: 'a._domainkey.billing',
    value: 'a.dkim',
  },
});
const pending = {
  domain: 'billing.example.com',
  fromEmail: 'hello@billing.example.com',
  status: 'pending',
  isDefault: false,
  sendingAs: { domain: 'mail.example.com', fromEmail: 'hello@mail.example.com' },
  records: [record('missing'), record('missing'), record('wrong'), record('missing', false)],
};

async function run(command: string, domain: typeof pending) {
  const { fetch } = fakeFetch({ body: domain });
  return manage(`${command} ${domain.domain}`, { ...twin, fetch });
}

describe('manage domains show', () => {
  it.each([
    ['pending', 'refused until active'],
    ['active', 'from any address at billing.example.com'],
  ])(
    'says what sends from a domain that is %s do, not those from the default',
    async (status, sends) => {
      const { output, exitCode } = await run('domains show', { ...pending, status });

      expect(output).toMatch(new RegExp(`^Sends +${RegExp.escape(sends)}$`, 'm'));
      expect(output).not.toContain('hello@mail.example.com');
      expect(exitCode).toBe(0);
    },
  );

  it('says which domain sends use while the default changes', async () => {
    const { output } = await run('domains show', { ...pending, isDefault: true });

    expect(output).toMatch(/^Sends as +hello@mail\.example\.com$/m);
  });
});

describe('manage domains verify', () => {
  it.each([
    [pending.records, '2 required records are missing, 1 required record is wrong'],
    [[record('found'), record('missing')], '1 required record is missing'],
    [
      [record('found'), record('missing', false)],
      'all records are there, but SES has yet to confirm them',
    ],
    [[record('unknown')], "DNS didn't answer for every required record"],
  ])('exits with 7 and says what is missing', async (records, lacking) => {
    const { output, words, exitCode } = await run('domains verify', { ...pending, records });

    expect(output).toContain('a._domainkey.billing');
    expect(words.split('\n').at(-2)).toBe(`Not verified yet: ${lacking}.`);
    expect(exitCode).toBe(7);
  });

  it('exits with 0 once the domain is active', async () => {
    const { words, exitCode } = await run('domains verify', { ...pending, status: 'active' });

    expect({ words, exitCode }).toEqual({ words: '', exitCode: 0 });
  });
});
