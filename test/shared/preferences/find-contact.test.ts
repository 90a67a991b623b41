import { describe, expect, it } from 'vitest';
import { ensureContact } from '#shared/contacts/contact-store';
import { putOrganization } from '#shared/organizations/organization-store';
import { findContact } from '#shared/preferences/find-contact';
import { contactIdOf } from '#shared/tokens/resource-id';
import { type Audience, openAudience } from '../../support/audience.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

type Asked = {
  readonly token?: string;
  readonly email?: string;
  readonly caller?: Audience['caller'];
};
type AskedOf = (audience: Audience) => Asked;

const find = (audience: Audience, asked: Asked, access: 'read' | 'change' = 'read') =>
  findContact({ caller: undefined, ...asked, network: '203.0.113.7' }, access, audience);

/** Another organization knows Ann, too. */
async function alsoKnownTo({ table, now }: Audience, given = {}) {
  const organization = buildOrganization(given);
  await putOrganization(table, organization);
  await ensureContact(table, organization.id, 'ann@example.com', now());
  return contactIdOf(organization.id, 'ann@example.com');
}

const byToken: AskedOf = ({ tokenOf }) => ({ token: tokenOf('preferences') });
const byAddress: AskedOf = () => ({ email: 'ann@example.com' });
const byAddressAndKey: AskedOf = ({ caller }) => ({ email: 'Ann@Example.com', caller });

describe('findContact', () => {
  it.each<[string, AskedOf]>([
    ['a token', byToken],
    ['an address', byAddress],
  ])('finds no contact of an organization that was deleted by %s', async (_by, askedOf) => {
    const audience = await openAudience();
    await audience.remove();

    const error = await serviceErrorOf(() => find(audience, askedOf(audience)));

    expect(error.code).toBe('contact_not_found');
  });

  it.each<[string, AskedOf]>([
    ['a token', byToken],
    [
      'a token with a key of the same organization',
      ({ tokenOf, caller }) => ({ token: tokenOf('preferences'), caller }),
    ],
    [
      'a token before an address',
      ({ tokenOf }) => ({ token: tokenOf('preferences'), email: 'bob@example.com' }),
    ],
    ['an address with a key', byAddressAndKey],
  ])('finds the contact by %s, which proves who asks', async (_by, askedOf) => {
    const audience = await openAudience();
    const { contactId } = audience;

    expect(await find(audience, askedOf(audience))).toEqual({ contactId, isProven: true });
    expect(audience.strangersCounted()).toEqual([]);
  });

  it('finds the contact by an address that one organization knows, which proves nothing', async () => {
    const audience = await openAudience();
    const { contactId } = audience;

    const found = await find(audience, { email: ' Ann@EXAMPLE.com' });

    expect(found).toEqual({ contactId, isProven: false });
    expect(audience.strangersCounted()).toEqual([1, 1]);
  });

  it('finds the contact in the organization of the key, even if others know the address', async () => {
    const audience = await openAudience();
    await alsoKnownTo(audience);
    const { contactId } = audience;

    expect(await find(audience, byAddressAndKey(audience))).toMatchObject({ contactId });
  });

  it.each<[string, string, AskedOf]>([
    ['contact_not_found', 'a token that is not ours', () => ({ token: 'forged' })],
    [
      'contact_not_found',
      'a token of another purpose',
      ({ tokenOf }) => ({ token: tokenOf('unsubscribe') }),
    ],
    ['contact_not_found', 'an empty token', () => ({ token: '', email: 'ann@example.com' })],
    [
      'contact_not_found',
      'a token of another organization than the key',
      ({ tokenOf }) => ({ token: tokenOf('preferences'), caller: buildManager().caller }),
    ],
    ['contact_not_found', 'an address that nobody knows', () => ({ email: 'bob@example.com' })],
    ['validation_failed', 'neither token nor address', () => ({})],
    ['validation_failed', 'neither, with a key', ({ caller }) => ({ caller })],
    ['validation_failed', 'a text that is no address', () => ({ email: 'ann' })],
  ])('returns %s for %s', async (code, _what, askedOf) => {
    const audience = await openAudience();

    const error = await serviceErrorOf(() => find(audience, askedOf(audience)));

    expect(error.code).toBe(code);
  });

  it("doesn't choose between several organizations that know the address", async () => {
    const audience = await openAudience();
    await alsoKnownTo(audience);

    const error = await serviceErrorOf(() => find(audience, byAddress(audience)));

    expect(error.code).toBe('ambiguous_contact');
  });

  it.each(['Ann@example.com', 'bob@example.com'])(
    'refuses the eleventh change by the address %s before it looks the address up',
    async (email) => {
      const audience = await openAudience();
      for (let count = 0; count < 10; count += 1) {
        await find(audience, { email }, 'change').catch(() => {});
      }

      const calls = await audience.callsOf(async () => {
        const error = await serviceErrorOf(() => find(audience, { email }, 'change'));
        expect(error).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 3_200 });
      });

      expect(calls).toEqual(['UpdateItem', 'UpdateItem']);
    },
  );

  it('still admits reads and tokens after ten changes by an address', async () => {
    const audience = await openAudience();
    for (let count = 0; count < 10; count += 1) {
      await find(audience, byAddress(audience), 'change');
    }
    const { contactId } = audience;

    const read = await find(audience, byAddress(audience), 'read');
    const change = await find(audience, byToken(audience), 'change');

    expect(read).toEqual({ contactId, isProven: false });
    expect(change).toEqual({ contactId, isProven: true });
  });
});

describe('an organization that accepts no bare address', () => {
  it('gets the same answer as an unknown address, after the same calls', async () => {
    const audience = await openAudience({ preferencesByAddress: false });
    const messages: string[] = [];
    const callsFor = (email: string) =>
      audience.callsOf(async () => {
        const { code, message } = await serviceErrorOf(() => find(audience, { email }));
        messages.push(`${code}: ${message}`);
      });

    const known = await callsFor('ann@example.com');
    const unknown = await callsFor('bob@example.com');

    expect(messages[0]).toMatch(/^contact_not_found/);
    expect(messages[1]).toBe(messages[0]);
    expect(unknown).toEqual(known);
  });

  it('makes no other organization ambiguous', async () => {
    const audience = await openAudience({ preferencesByAddress: false });
    const contactId = await alsoKnownTo(audience);

    expect(await find(audience, byAddress(audience))).toEqual({ contactId, isProven: false });
  });

  it('may accept one where the deployment does not', async () => {
    const closed = { preferencesByAddress: false, proxiesInFront: 0 };
    const audience = { ...(await openAudience()), strangers: closed };

    const error = await serviceErrorOf(() => find(audience, byAddress(audience)));
    const contactId = await alsoKnownTo(audience, { preferencesByAddress: true });

    expect(error.code).toBe('contact_not_found');
    expect(await find(audience, byAddress(audience))).toMatchObject({ contactId });
  });
});
