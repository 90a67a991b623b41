import { describe, expect, it } from 'vitest';
import { type UnsubscribeRequest, unsubscribeAddress } from '#shared/contacts/unsubscribe-address';
import { contactIdOf, newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const now = 1_750_000_000_000;
const [here, there] = [buildOrganization(), buildOrganization()];
const manager = buildApiKey({ organizationId: here.id, scopes: ['preferences_manage'] });
const sender = buildApiKey({ organizationId: here.id, scopes: ['send_email'] });

/** What suppresses Ann in an organization. */
const annIn = ({ id }: { readonly id: OrganizationId }) => [
  { id: contactIdOf(id, 'ann@example.com'), email: 'ann@example.com' },
  now,
];

/** Asks in a world of two organizations, which both know Ann. */
function ask(request: Partial<UnsubscribeRequest>) {
  const suppressed: unknown[] = [];
  const run = () =>
    unsubscribeAddress(
      {
        email: 'Ann@Example.com',
        organizationId: undefined,
        credential: undefined,
        ...request,
      },
      {
        now: () => now,
        apiKeys: {
          get: async (id) => [manager, sender].find(({ apiKey }) => apiKey.id === id)?.apiKey,
        },
        getOrganization: async (id) => [here, there].find((organization) => organization.id === id),
        findContactIds: async (identity) =>
          identity === 'ann@example.com'
            ? [here, there].map(({ id }) => contactIdOf(id, identity))
            : [],
        suppress: async (...args) => {
          suppressed.push(args);
        },
      },
    );
  return { run, suppressed };
}

describe('unsubscribeAddress', () => {
  it('ends the email of every organization that knows the address', async () => {
    const { run, suppressed } = ask({});

    await run();

    expect(suppressed).toEqual([annIn(here), annIn(there)]);
  });

  it('ends the email of the organization that is named', async () => {
    const { run, suppressed } = ask({ organizationId: there.id });

    await run();

    expect(suppressed).toEqual([annIn(there)]);
  });

  it('ends the email of the organization of the key, whatever else is named', async () => {
    const { run, suppressed } = ask({ credential: manager.text, organizationId: there.id });

    await run();

    expect(suppressed).toEqual([annIn(here)]);
  });

  it('tells nothing of an address that nobody knows', async () => {
    const { run, suppressed } = ask({ email: 'bob@example.com' });

    await expect(run()).resolves.toBeUndefined();
    expect(suppressed).toEqual([]);
  });

  it.each<[string, string, Partial<UnsubscribeRequest>]>([
    ['validation_failed', 'no address', { email: undefined }],
    ['validation_failed', 'what is no address', { email: 'ann' }],
    ['validation_failed', 'an organization that is none', { organizationId: 'org_1' }],
    ['validation_failed', 'an unknown organization', { organizationId: newOrganizationId() }],
    ['invalid_api_key', 'a malformed key', { credential: 'nonsense' }],
  ])('answers %s to %s, and changes nothing', async (code, _what, request) => {
    const { run, suppressed } = ask(request);

    const error = await serviceErrorOf(run);

    expect(error.code).toBe(code);
    expect(suppressed).toEqual([]);
  });
});
