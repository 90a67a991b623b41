import { describe, expect, it } from 'vitest';
import {
  type AddressToUnsubscribe,
  unsubscribeAddress,
} from '#shared/preferences/unsubscribe-address';
import { contactIdOf, newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import { buildContact } from '../../support/contact-builder.ts';
import { fakeContacts, contactsNow as now } from '../../support/contacts-builder.ts';
import { keyedOrganization, otherDigestKey, useDigestKey } from '../../support/digest-key.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const [here, there] = [buildOrganization(), buildOrganization()];
const { caller: manager } = buildManager(here.id);

const counted = ['bareAddresses.count', 'ann@example.com', now];

/** The effect that unsubscribes Ann from an organization, if that has a contact for her. */
const annIn = ({ id }: { readonly id: OrganizationId }) => [
  'outbox.unsubscribeIfThere',
  contactIdOf(id, 'ann@example.com'),
  now,
];

/** Asks in a world of two organizations that both know Ann. */
function ask(
  request: Partial<AddressToUnsubscribe>,
  {
    caller,
    bareRequests = 10,
    roomOfDay = 1,
  }: { caller?: typeof manager; bareRequests?: number; roomOfDay?: number } = {},
) {
  const { contacts, effects } = fakeContacts({
    organizations: [here, there],
    bareRequests,
    roomOfDay,
    contacts: [here, there].map(({ id }) =>
      buildContact({ id: contactIdOf(id, 'ann@example.com') }),
    ),
  });
  const run = () =>
    unsubscribeAddress(
      { email: 'Ann@Example.com', organizationId: undefined, ...request },
      { caller, network: '203.0.113.7' },
      contacts,
    );
  return { run, effects };
}

describe('unsubscribeAddress', () => {
  it('ends the email of every organization that knows the address', async () => {
    const { run, effects } = ask({});

    await run();

    expect(effects).toEqual([counted, annIn(here), annIn(there)]);
  });

  it('ends the email of the organization that is named', async () => {
    const { run, effects } = ask({ organizationId: there.id });

    await run();

    expect(effects).toEqual([counted, annIn(there)]);
  });

  it('ends the email of the organization of the key, even if another is named', async () => {
    const { run, effects } = ask({ organizationId: there.id }, { caller: manager });

    await run();

    const ann = { id: contactIdOf(here.id, 'ann@example.com'), email: 'ann@example.com' };
    expect(effects).toEqual([
      ['dayQuotas.take', 'CONTACTS', 1],
      ['outbox.unsubscribe', ann, now],
    ]);
  });

  it('stores nothing for a key whose organization has added as many addresses today as it may', async () => {
    const { run, effects } = ask({}, { caller: manager, roomOfDay: 0 });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('contact_limit_reached');
    expect(effects).toEqual([['dayQuotas.take', 'CONTACTS', 1]]);
  });

  it('does not count a text that is no address', async () => {
    const { run, effects } = ask({ email: 'nobody' }, { caller: manager });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('validation_failed');
    expect(effects).toEqual([]);
  });

  it('answers an unknown address as any other, after the same calls', async () => {
    const { run, effects } = ask({ email: 'bob@example.com' });

    await expect(run()).resolves.toBeUndefined();
    const ofNobody = expect.stringMatching(/^con_/);
    expect(effects).toEqual([
      ['bareAddresses.count', 'bob@example.com', now],
      ['outbox.unsubscribeIfThere', ofNobody, now],
    ]);
  });

  it('refuses the eleventh request of an hour, known or not, and changes nothing', async () => {
    const refusals = await Promise.all(
      ['ann@example.com', 'bob@example.com'].map(async (email) => {
        const { run, effects } = ask({ email }, { bareRequests: 11 });
        const { code, message, retryAfterSeconds } = await serviceErrorOf(run);
        return { refusal: { code, message, retryAfterSeconds }, effects };
      }),
    );

    const [ann, bob] = refusals;
    expect(ann?.refusal).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 3_200 });
    expect(bob?.refusal).toEqual(ann?.refusal);
    expect(ann?.effects).toEqual([counted]);
  });

  it('changes nothing under another key for contact digests than the organization’s', async () => {
    const organization = keyedOrganization();
    const { contacts, effects } = fakeContacts({ organizations: [organization], bareRequests: 1 });
    const request = { email: 'ann@example.com', organizationId: organization.id };
    const run = () =>
      unsubscribeAddress(request, { caller: undefined, network: '203.0.113.7' }, contacts);
    useDigestKey(otherDigestKey);

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('contact_digest_mismatch');
    expect(effects).toEqual([counted]);
  });

  it('counts towards no hour with a key', async () => {
    const { run, effects } = ask({}, { caller: manager, bareRequests: 11 });

    await run();

    expect(effects.map(([name]) => name)).not.toContain('bareAddresses.count');
  });

  it.each<[string, string, Partial<AddressToUnsubscribe>]>([
    ['validation_failed', 'no address', { email: undefined }],
    ['validation_failed', 'a text that is no address', { email: 'ann' }],
    ['validation_failed', 'a malformed organization id', { organizationId: 'org_1' }],
    ['validation_failed', 'an unknown organization', { organizationId: newOrganizationId() }],
  ])('answers %s to %s, and changes nothing', async (code, _what, request) => {
    const { run, effects } = ask(request);

    const error = await serviceErrorOf(run);

    expect(error.code).toBe(code);
    expect(effects.filter(([name]) => name !== 'bareAddresses.count')).toEqual([]);
  });
});
