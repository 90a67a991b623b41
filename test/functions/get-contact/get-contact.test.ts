import { describe, expect, it } from 'vitest';
import { contactIdOf } from '#shared/tokens/resource-id';
import { getContact } from '../../../functions/get-contact/get-contact.ts';
import { buildContact } from '../../support/contact-builder.ts';
import { allRefusals, buildManager, refusalsOf } from '../../support/manager-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildSuppression, fakeSuppressionList } from '../../support/suppression-stores.ts';

const manager = buildManager();
const id = contactIdOf(manager.organizationId, 'ann@example.com');
const suppressions = [buildSuppression(manager.organizationId)];

const run = (contact: ReturnType<typeof buildContact> | undefined, email = 'Ann@Example.com') =>
  getContact(manager.credential, email, {
    ...manager,
    suppressions: {
      ...fakeSuppressionList([]),
      ofContact: async (contactId) => ({
        contact: contactId === id ? contact : undefined,
        suppressions,
      }),
    },
  });

describe('getContact', () => {
  it('reads a contact by its address, with what blocks it', async () => {
    const contact = buildContact({ id, email: 'ann@example.com' });

    expect(await run(contact)).toEqual({ contact, suppressions });
  });

  it('does not know an address that nobody sent to, nor a person who was erased', async () => {
    const { email: _, ...erased } = buildContact({ id });

    for (const contact of [undefined, { ...erased, erasedAt: 1 }]) {
      const error = await serviceErrorOf(async () =>
        getContact(manager.credential, 'ann@example.com', {
          ...manager,
          suppressions: {
            ...fakeSuppressionList([]),
            ofContact: async () => ({ contact, suppressions: [] }),
          },
        }),
      );
      expect(error.code).toBe('contact_not_found');
    }
  });

  it('reads nothing for who may not manage the organization', async () => {
    const refusals = await refusalsOf((credential, authentication) =>
      getContact(credential, 'ann@example.com', {
        ...authentication,
        suppressions: fakeSuppressionList([]),
      }),
    );

    expect(refusals).toEqual(allRefusals);
  });
});
