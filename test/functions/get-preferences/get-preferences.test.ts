import { describe, expect, it } from 'vitest';
import { contactIdOf } from '#shared/tokens/resource-id';
import { endpoint as getPreferences } from '../../../functions/get-preferences/get-preferences.ts';
import { type Audience, openAudience } from '../../support/audience.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { listErasedAgain } from '../../support/stale-index.ts';
import { surroundings } from '../../support/surroundings.ts';

type Asked = Pick<Parameters<typeof getPreferences.run>[0], 'query' | 'caller'>;

const ask = (audience: Audience, asked: Asked) =>
  getPreferences.run({ ...surroundings, ...asked }, audience);

const byAnyName: [string, (audience: Audience, email: string) => Asked][] = [
  [
    'a token',
    ({ tokenOf, organizationId }, email) => {
      const token = tokenOf('preferences', { contactId: contactIdOf(organizationId, email) });
      return { caller: undefined, query: { token } };
    },
  ],
  ['an address', (_, email) => ({ caller: undefined, query: { email } })],
  ['an address and a key', ({ caller }, email) => ({ caller, query: { email } })],
];

describe('getPreferences', () => {
  it.each(byAnyName)('returns what the contact is subscribed to, by %s', async (_by, name) => {
    const audience = await openAudience();
    await audience.choose({ news: false });

    expect(await ask(audience, name(audience, 'ann@example.com'))).toEqual({
      contact: { id: audience.contactId, email: 'ann@example.com' },
      categories: [{ key: 'news', name: 'News' }],
      subscriptions: [{ categoryKey: 'news', subscribed: false }],
    });
  });

  it.each(byAnyName)("doesn't find an erased person by %s", async (_by, name) => {
    const audience = await openAudience();
    await audience.erase();

    const error = await serviceErrorOf(() => ask(audience, name(audience, 'ann@example.com')));

    expect(error.code).toBe('contact_not_found');
  });

  it("doesn't find an erased person by an address that the index still has", async () => {
    const audience = await openAudience();
    await audience.erase();
    await listErasedAgain(audience.table, audience.organizationId, 'ann@example.com');

    const query = { email: 'ann@example.com' };
    const error = await serviceErrorOf(() => ask(audience, { caller: undefined, query }));

    expect(error.code).toBe('contact_not_found');
  });

  it.each(byAnyName)("doesn't find an unknown contact by %s", async (_by, name) => {
    const audience = await openAudience();

    const error = await serviceErrorOf(() => ask(audience, name(audience, 'bob@example.com')));

    expect(error.code).toBe('contact_not_found');
  });
});
