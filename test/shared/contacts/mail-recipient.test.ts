import { describe, expect, it } from 'vitest';
import type { Contact } from '#shared/contacts/contact';
import { findKnownMailRecipient, findMailRecipient } from '#shared/contacts/mail-recipient';
import { contactIdOf, feedbackIdOf } from '#shared/tokens/resource-id';
import { buildContact, buildErasedContact } from '../../support/contact-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { newSendId } from '../../support/send-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const now = 1_750_000_000_000;
const organization = buildOrganization();
const contactId = contactIdOf(organization.id, 'ann@example.com');
const token = { contactId, feedbackId: feedbackIdOf(newSendId(organization.id)) };
const ann = buildContact({ id: contactId });
const erased = buildErasedContact({ id: contactId });

type World = {
  readonly contact?: Contact;
  readonly sentTo?: string;
  readonly isOrganizationGone?: boolean;
};

/** Reads `good`, a token to unsubscribe Ann. */
function find(
  text: string | undefined,
  { contact, sentTo, isOrganizationGone }: World,
  findRecipient: typeof findMailRecipient = findMailRecipient,
) {
  let stored = contact;
  const ensured: unknown[] = [];
  const run = () =>
    findRecipient('unsubscribe', text, {
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

const toNobody: [string, string | undefined, World][] = [
  ['no token', undefined, { contact: ann }],
  ['a token that is not ours', 'forged', { contact: ann }],
  ['a token of neither contact nor send', 'good', {}],
  ['a token of an organization that is gone', 'good', { contact: ann, isOrganizationGone: true }],
];

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

  it('finds a person who was erased, without an address, and does not make up for it', async () => {
    const { run, ensured } = find('good', { contact: erased, sentTo: 'ann@example.com' });

    expect(await run()).toEqual({ token, organization, contact: erased });
    expect(ensured).toEqual([]);
  });

  it.each(toNobody)('knows nobody for %s', async (_what, text, world) => {
    const { run } = find(text, world);

    expect((await serviceErrorOf(run)).code).toBe('contact_not_found');
  });
});

describe('findKnownMailRecipient', () => {
  it('finds whom the token speaks for', async () => {
    const { run } = find('good', { contact: ann }, findKnownMailRecipient);

    expect(await run()).toEqual({ token, organization, contact: ann });
  });

  it('knows nobody who was erased', async () => {
    const { run, ensured } = find('good', { contact: erased }, findKnownMailRecipient);

    expect((await serviceErrorOf(run)).code).toBe('contact_not_found');
    expect(ensured).toEqual([]);
  });

  it.each(toNobody)('knows nobody for %s', async (_what, text, world) => {
    const { run } = find(text, world, findKnownMailRecipient);

    expect((await serviceErrorOf(run)).code).toBe('contact_not_found');
  });
});
