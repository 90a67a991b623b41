import { describe, expect, it } from 'vitest';
import type { Contact } from '#shared/contacts/contact';
import { findMailRecipient } from '#shared/contacts/mail-recipient';
import { contactIdOf, feedbackIdOf, newSendId } from '#shared/tokens/resource-id';
import { buildContact } from '../../support/contact-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const now = 1_750_000_000_000;
const organization = buildOrganization();
const contactId = contactIdOf(organization.id, 'ann@example.com');
const token = { contactId, feedbackId: feedbackIdOf(newSendId(organization.id)) };
const ann = buildContact({ id: contactId });

type World = {
  readonly contact?: Contact;
  readonly sentTo?: string;
  readonly isOrganizationGone?: boolean;
};

/** Reads `good`, a token to unsubscribe Ann. */
function find(text: string | undefined, { contact, sentTo, isOrganizationGone }: World) {
  let stored = contact;
  const ensured: unknown[] = [];
  const run = () =>
    findMailRecipient('unsubscribe', text, {
      now: () => now,
      readToken: async (purpose, given) =>
        purpose === 'unsubscribe' && given === 'good' ? token : undefined,
      getOrganization: async (id) =>
        id === organization.id && !isOrganizationGone ? organization : undefined,
      getContact: async (id) => (stored?.id === id ? stored : undefined),
      recipientOf: async (feedbackId) => (feedbackId === token.feedbackId ? sentTo : undefined),
      ensureContact: async (...args) => {
        ensured.push(args);
        stored = ann;
      },
    });
  return { run, ensured };
}

describe('findMailRecipient', () => {
  it('finds whom the token speaks for', async () => {
    const { run, ensured } = find('good', { contact: ann });

    expect(await run()).toEqual({ token, organization, contact: ann });
    expect(ensured).toEqual([]);
  });

  it('makes up for a contact that was lost beside its send', async () => {
    const { run, ensured } = find('good', { sentTo: 'ann@example.com' });

    expect(await run()).toEqual({ token, organization, contact: ann });
    expect(ensured).toEqual([[organization.id, 'ann@example.com', now]]);
  });

  it.each<[string, string | undefined, World]>([
    ['no token', undefined, { contact: ann }],
    ['a token that is not ours', 'forged', { contact: ann }],
    ['a token of neither contact nor send', 'good', {}],
    ['a token of an organization that is gone', 'good', { contact: ann, isOrganizationGone: true }],
  ])('knows nobody for %s', async (_what, text, world) => {
    const { run } = find(text, world);

    expect((await serviceErrorOf(run)).code).toBe('contact_not_found');
  });
});
