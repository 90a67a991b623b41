import { describe, expect, it } from 'vitest';
import type { Organization } from '#shared/organizations/organization';
import { signContactToken } from '#shared/preferences/contact-token';
import { findContact } from '#shared/preferences/find-contact';
import {
  type ContactId,
  contactIdOf,
  feedbackIdOf,
  newOrganizationId,
  type OrganizationId,
  organizationIdOf,
} from '#shared/tokens/resource-id';
import { buildContact } from '../../support/contact-builder.ts';
import { contactsNow, fakeContacts } from '../../support/contacts-builder.ts';
import { buildKeyring } from '../../support/keyring-builder.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { newSendId } from '../../support/send-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

type Asked = {
  readonly token?: string;
  readonly email?: string;
  readonly caller?: typeof program;
};

const organizationId = newOrganizationId();
const ann = contactIdOf(organizationId, 'ann@example.com');
const annElsewhere = contactIdOf(newOrganizationId(), 'ann@example.com');
const { caller: program } = buildManager(organizationId);
const { caller: stranger } = buildManager();

const keyring = buildKeyring();
const network = '203.0.113.7';
const annsToken = { contactId: ann, feedbackId: feedbackIdOf(newSendId(organizationId)) };
const good = signContactToken(keyring, 'preferences', annsToken);

/** A world in which the given organizations know Ann. The test expects no count unless it gives one. */
const buildWorld = (known: readonly ContactId[], bareRequests?: number) =>
  fakeContacts({
    keyring,
    contacts: known.map((id) => buildContact({ id })),
    ...(bareRequests !== undefined && { bareRequests }),
  });

const find = ({ caller, ...names }: Asked, known: readonly ContactId[] = [ann]) =>
  findContact({ ...names, caller, network }, 'read', buildWorld(known, 1).contacts);

/** Asks in order to change something. */
function findToChange({ caller, ...names }: Asked, bareRequests?: number) {
  const { contacts, effects } = buildWorld([ann], bareRequests);
  const run = () => findContact({ ...names, caller, network }, 'change', contacts);
  return { run, effects };
}

describe('findContact', () => {
  it.each([{ token: good }, { email: 'ann@example.com' }])(
    'finds no contact of an organization that was deleted by %o',
    async (query) => {
      const contacts = [buildContact({ id: ann })];
      const world = fakeContacts({ keyring, contacts, organizations: [], bareRequests: 1 });
      const run = () =>
        findContact({ ...query, caller: undefined, network }, 'read', world.contacts);

      expect((await serviceErrorOf(run)).code).toBe('contact_not_found');
    },
  );

  it.each<[string, Asked, boolean]>([
    ['a token', { token: good }, true],
    ['a token with a key of the same organization', { token: good, caller: program }, true],
    ['a token before an address', { token: good, email: 'bob@example.com' }, true],
    ['an address with a key', { email: 'Ann@Example.com', caller: program }, true],
    ['an address that one organization knows', { email: ' Ann@EXAMPLE.com' }, false],
  ])('finds the contact by %s', async (_by, query, isProven) => {
    expect(await find(query)).toEqual({ contactId: ann, isProven });
  });

  it('finds the contact in the organization of the key, even if others know the address', async () => {
    const query = { email: 'ann@example.com', caller: program };

    expect(await find(query, [annElsewhere])).toMatchObject({ contactId: ann });
  });

  it.each<[string, string, Asked]>([
    ['contact_not_found', 'a token that is not ours', { token: 'forged' }],
    [
      'contact_not_found',
      'a token of another purpose',
      { token: signContactToken(keyring, 'unsubscribe', annsToken) },
    ],
    ['contact_not_found', 'an empty token', { token: '', email: 'ann@example.com' }],
    [
      'contact_not_found',
      'a token of another organization than the key',
      { token: good, caller: stranger },
    ],
    ['contact_not_found', 'an address that nobody knows', { email: 'bob@example.com' }],
    ['validation_failed', 'neither token nor address', {}],
    ['validation_failed', 'neither, with a key', { caller: program }],
    ['validation_failed', 'a text that is no address', { email: 'ann' }],
  ])('answers %s to %s', async (code, _what, query) => {
    const error = await serviceErrorOf(() => find(query));

    expect(error.code).toBe(code);
  });

  it('does not choose between several organizations that know the address', async () => {
    const error = await serviceErrorOf(() =>
      find({ email: 'ann@example.com' }, [ann, annElsewhere]),
    );

    expect(error.code).toBe('ambiguous_contact');
  });

  it.each<[string, Asked]>([
    ['an address that is known', { email: 'Ann@example.com' }],
    ['an address that nobody knows', { email: 'bob@example.com' }],
  ])('counts a change by %s before it looks the address up', async (_what, query) => {
    const { run, effects } = findToChange(query, 11);

    const error = await serviceErrorOf(run);

    expect(error).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 3_200 });
    expect(effects).toEqual([['bareAddresses.count', query.email?.toLowerCase(), contactsNow]]);
  });

  it('admits ten changes an hour by an address', async () => {
    const { run } = findToChange({ email: 'ann@example.com' }, 10);

    expect(await run()).toEqual({ contactId: ann, isProven: false });
  });

  it.each<[string, Asked]>([
    ['a token', { token: good }],
    ['a key', { email: 'ann@example.com', caller: program }],
  ])('does not count a change by %s', async (_by, query) => {
    const { run, effects } = findToChange(query);

    expect(await run()).toEqual({ contactId: ann, isProven: true });
    expect(effects).toEqual([]);
  });

  it('counts a read by an address before it looks the address up, and not with a token', async () => {
    const { contacts, effects } = buildWorld([ann], 11);
    const ask = (names: object) =>
      findContact({ ...names, caller: undefined, network }, 'read', contacts);

    const refused = await serviceErrorOf(() => ask({ email: 'Ann@example.com' }));
    const admitted = await ask({ token: good });

    expect(refused.code).toBe('rate_limited');
    expect(admitted).toEqual({ contactId: ann, isProven: true });
    expect(effects).toEqual([['bareAddresses.count', 'read ann@example.com', contactsNow]]);
  });
});

describe('an organization that accepts no bare address', () => {
  const closed = buildOrganization({ id: organizationId, preferencesByAddress: false });
  const elsewhere = buildOrganization({ id: organizationIdOf(annElsewhere) });

  /** Asks by Ann's address. Her contacts are in the organizations that are given. */
  function ask(organizations: readonly Organization[], preferencesByAddress = true) {
    const asked: string[] = [];
    const { contacts } = fakeContacts({
      organizations,
      contacts: organizations.map(({ id }) =>
        buildContact({ id: contactIdOf(id, 'ann@example.com') }),
      ),
      bareRequests: 1,
      preferencesByAddress,
    });
    const get = async (id: OrganizationId) => {
      asked.push(id);
      return contacts.organizations.get(id);
    };
    const run = () =>
      findContact({ caller: undefined, network, email: 'ann@example.com' }, 'read', {
        ...contacts,
        organizations: { ...contacts.organizations, get },
      });
    return { run, asked };
  }

  it('is answered for as if nobody knew the address, after the same calls', async () => {
    const [known, unknown] = [ask([closed]), ask([])];

    const [one, other] = [await serviceErrorOf(known.run), await serviceErrorOf(unknown.run)];

    expect(one.code).toBe('contact_not_found');
    expect(other.message).toBe(one.message);
    expect([known.asked.length, unknown.asked.length]).toEqual([1, 1]);
  });

  it('makes no other organization ambiguous', async () => {
    expect(await ask([closed, elsewhere]).run()).toEqual({
      contactId: annElsewhere,
      isProven: false,
    });
  });

  it('may let it speak where the deployment does not', async () => {
    const open = buildOrganization({ id: organizationId, preferencesByAddress: true });

    expect((await serviceErrorOf(ask([elsewhere], false).run)).code).toBe('contact_not_found');
    expect(await ask([open, elsewhere], false).run()).toMatchObject({ contactId: ann });
  });
});
