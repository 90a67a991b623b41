import { describe, expect, it } from 'vitest';
import type { MailRecipient } from '#shared/contacts/mail-recipient';
import { unsubscribe } from '../../../functions/unsubscribe/unsubscribe.ts';
import { buildErasedContact } from '../../support/contact-builder.ts';
import { buildMailRecipient } from '../../support/mail-recipient-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const now = 1_750_000_000_000;

/** Unsubscribes in a world where `good` is a token of Ann, whom one organization knows. */
function prepare(
  token: string | undefined,
  email?: string,
  recipient: MailRecipient = buildMailRecipient(),
) {
  const { organization, contact } = recipient;
  const suppressed: unknown[] = [];
  const request = { email, organizationId: undefined, credential: undefined };
  const run = () =>
    unsubscribe(token, request, {
      now: () => now,
      apiKeys: { get: async () => undefined },
      readToken: async (purpose, text) =>
        purpose === 'unsubscribe' && text === 'good' ? recipient.token : undefined,
      getOrganization: async () => organization,
      getContact: async () => contact,
      recipientOf: async () => undefined,
      ensureContact: async () => {},
      findContactIds: async () => [contact.id],
      suppress: async (...args) => {
        suppressed.push(args);
      },
    });
  return { run, suppressed, recipient };
}

describe('unsubscribe', () => {
  it('ends the email to whom the token speaks for, and answers who that is', async () => {
    const { run, suppressed, recipient } = prepare('good');

    expect(await run()).toEqual(recipient);
    expect(suppressed).toEqual([[recipient.contact, now]]);
  });

  it('ends the email to a person who was erased, without an address to write', async () => {
    const { contact, ...known } = buildMailRecipient();
    const erased = { ...known, contact: buildErasedContact({ id: contact.id }) };
    const { run, suppressed } = prepare('good', undefined, erased);

    expect(await run()).toEqual(erased);
    expect(suppressed).toEqual([[erased.contact, now]]);
    expect(erased.contact).not.toHaveProperty('email');
  });

  it('ends the email to a bare address, and answers nothing about it', async () => {
    const { run, suppressed, recipient } = prepare(undefined, 'Ann@example.com');

    expect(await run()).toBeUndefined();
    expect(suppressed).toEqual([[{ id: recipient.contact.id, email: 'ann@example.com' }, now]]);
  });

  it('does not fall back to the address when the token is not ours', async () => {
    const { run, suppressed } = prepare('forged', 'ann@example.com');

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('contact_not_found');
    expect(suppressed).toEqual([]);
  });

  it('needs a token or an address', async () => {
    const { run, suppressed } = prepare(undefined);

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('validation_failed');
    expect(suppressed).toEqual([]);
  });
});
