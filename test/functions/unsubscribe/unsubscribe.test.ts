import { describe, expect, it } from 'vitest';
import { unsubscribe } from '../../../functions/unsubscribe/unsubscribe.ts';
import { buildMailRecipient } from '../../support/mail-recipient-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const now = 1_750_000_000_000;

/** Unsubscribes in a world where `good` is a token of Ann, whom one organization knows. */
function prepare(token: string | undefined, email?: string) {
  const recipient = buildMailRecipient();
  const { organization, contact } = recipient;
  const suppressed: unknown[] = [];
  const request = { email, organizationId: undefined, credential: undefined };
  const run = () =>
    unsubscribe(token, request, {
      now: () => now,
      getApiKey: async () => undefined,
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
  return { run, suppressed, recipient, expected: [[organization.id, 'ann@example.com', now]] };
}

describe('unsubscribe', () => {
  it('ends the email to whom the token speaks for, and answers who that is', async () => {
    const { run, suppressed, recipient, expected } = prepare('good');

    expect(await run()).toEqual(recipient);
    expect(suppressed).toEqual(expected);
  });

  it('ends the email to a bare address, and answers nothing about it', async () => {
    const { run, suppressed, expected } = prepare(undefined, 'Ann@example.com');

    expect(await run()).toBeUndefined();
    expect(suppressed).toEqual(expected);
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
