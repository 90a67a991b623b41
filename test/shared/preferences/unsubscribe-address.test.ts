import { describe, expect, it } from 'vitest';
import { ensureContact, getContact } from '#shared/contacts/contact-store';
import { putOrganization } from '#shared/organizations/organization-store';
import {
  type AddressToUnsubscribe,
  unsubscribeAddress,
} from '#shared/preferences/unsubscribe-address';
import { contactIdOf, newOrganizationId } from '#shared/tokens/resource-id';
import { type Audience, openAudience } from '../../support/audience.ts';
import { keyedOrganization, otherDigestKey, useDigestKey } from '../../support/digest-key.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { listErasedAgain } from '../../support/stale-index.ts';

/** Another organization knows Ann, too. */
async function openTwo(given: Parameters<typeof openAudience>[0] = {}) {
  const audience = await openAudience(given);
  const { table, now } = audience;
  const other = buildOrganization();
  await putOrganization(table, other);
  await ensureContact(table, other.id, 'ann@example.com', now());
  const annElsewhere = () => getContact(table, contactIdOf(other.id, 'ann@example.com'));
  return { ...audience, other, annElsewhere };
}

const ask = (
  audience: Audience,
  asked: Partial<AddressToUnsubscribe> = {},
  caller?: Audience['caller'],
) =>
  unsubscribeAddress(
    { email: 'Ann@Example.com', organizationId: undefined, ...asked },
    { caller, network: '203.0.113.7' },
    audience,
  );

const addedToday = (audience: Audience) => audience.items().flatMap(({ used }) => used ?? []);

describe('unsubscribeAddress', () => {
  it('ends the email of every organization that knows the address', async () => {
    const two = await openTwo();

    await ask(two);

    const unsubscribed = { unsubscribe: { at: two.now() } };
    expect(await two.ann()).toMatchObject(unsubscribed);
    expect(await two.annElsewhere()).toMatchObject(unsubscribed);
    expect(two.strangersCounted()).toEqual([1, 1]);
  });

  it('ends the email of an erased person whose address the index still has, and stores no address', async () => {
    const audience = await openAudience();
    await audience.erase();
    await listErasedAgain(audience.table, audience.organizationId, 'ann@example.com');

    await ask(audience);

    const ann = await audience.ann();
    expect(ann).toHaveProperty('unsubscribe');
    expect(ann).not.toHaveProperty('email');
  });

  it('ends the email of the organization that is named', async () => {
    const two = await openTwo();

    await ask(two, { organizationId: two.other.id });

    expect(await two.annElsewhere()).toHaveProperty('unsubscribe');
    expect(await two.ann()).not.toHaveProperty('unsubscribe');
    expect(two.strangersCounted()).toEqual([1, 1]);
  });

  it('ends the email of the organization of the key, even if another is named', async () => {
    const two = await openTwo();

    await ask(two, { organizationId: two.other.id }, two.caller);

    expect(await two.ann()).toMatchObject({
      email: 'ann@example.com',
      unsubscribe: { at: two.now() },
    });
    expect(await two.annElsewhere()).not.toHaveProperty('unsubscribe');
    expect(addedToday(two)).toEqual([1]);
    expect(two.strangersCounted()).toEqual([]);
  });

  it('stores nothing for a key whose organization has added as many addresses today as it may', async () => {
    const audience = await openAudience({ limits: { contactsPerDay: 1 } });
    const { caller } = audience;
    await ask(audience, { email: 'bob@example.com' }, caller);

    const error = await serviceErrorOf(() => ask(audience, {}, caller));

    expect(error.code).toBe('contact_limit_reached');
    expect(await audience.ann()).not.toHaveProperty('unsubscribe');
  });

  it("doesn't count a text that is no address", async () => {
    const audience = await openAudience();

    const error = await serviceErrorOf(() => ask(audience, { email: 'nobody' }, audience.caller));

    expect(error.code).toBe('validation_failed');
    expect(addedToday(audience)).toEqual([]);
  });

  it('answers an unknown address as any other, after the same calls', async () => {
    const audience = await openAudience();

    const known = await audience.callsOf(() => ask(audience));
    const unknown = await audience.callsOf(() => ask(audience, { email: 'bob@example.com' }));

    expect(unknown.toSorted()).toEqual(known.toSorted());
    expect(JSON.stringify(audience.items())).not.toContain('bob@');
  });

  it('refuses the eleventh request of an hour, known or not, and changes nothing', async () => {
    const refusals = await Promise.all(
      ['ann@example.com', 'bob@example.com'].map(async (email) => {
        const audience = await openAudience();
        // Of another organization.
        const elsewhere = { email, organizationId: newOrganizationId() };
        for (let count = 0; count < 10; count += 1) {
          await serviceErrorOf(() => ask(audience, elsewhere));
        }
        const { code, message, retryAfterSeconds } = await serviceErrorOf(() =>
          ask(audience, { email }),
        );
        expect(await audience.ann()).not.toHaveProperty('unsubscribe');
        return { code, message, retryAfterSeconds };
      }),
    );

    const [ann, bob] = refusals;
    expect(ann).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 3_200 });
    expect(bob).toEqual(ann);
  });

  it('changes nothing under another key for contact digests than the organization’s', async () => {
    const audience = await openAudience(keyedOrganization());
    const before = await audience.ann();
    useDigestKey(otherDigestKey);

    const error = await serviceErrorOf(() =>
      ask(audience, { organizationId: audience.organizationId }),
    );

    expect(error.code).toBe('contact_digest_mismatch');
    expect(await audience.ann()).toEqual(before);
  });

  it.each<[string, Partial<AddressToUnsubscribe>]>([
    ['no address', { email: undefined }],
    ['a text that is no address', { email: 'ann' }],
    ['a malformed organization id', { organizationId: 'org_1' }],
    ['an unknown organization', { organizationId: newOrganizationId() }],
  ])('refuses %s, and changes nothing', async (_what, asked) => {
    const audience = await openAudience();

    const error = await serviceErrorOf(() => ask(audience, asked));

    expect(error.code).toBe('validation_failed');
    expect(await audience.ann()).not.toHaveProperty('unsubscribe');
    expect(await audience.reported()).toEqual([]);
  });
});
