import { describe, expect, it } from 'vitest';
import { readContactToken, signContactToken } from '#shared/preferences/contact-token';
import { contactIdOf, feedbackIdOf, newOrganizationId } from '#shared/tokens/resource-id';
import { signToken } from '#shared/tokens/signed-token';
import { buildKeyring } from '../../support/keyring-builder.ts';
import { newSendId } from '../../support/send-builder.ts';

const keyring = buildKeyring();
const organizationId = newOrganizationId();
const recipient = {
  contactId: contactIdOf(organizationId, 'ann@example.com'),
  feedbackId: feedbackIdOf(newSendId(organizationId)),
};

describe('a contact token', () => {
  it.each(['unsubscribe', 'preferences'] as const)(
    'to %s gives back whom it was made for',
    (to) => {
      const token = signContactToken(keyring, to, recipient);

      expect(readContactToken(keyring, to, token)).toEqual(recipient);
    },
  );

  it.each(['unsubscribe', 'preferences'] as const)(
    'to %s has the category of its email, if there is one',
    (to) => {
      const ofCategory = { ...recipient, categoryKey: `n_-0${'a'.repeat(60)}` };
      const token = signContactToken(keyring, to, ofCategory);

      expect(readContactToken(keyring, 'unsubscribe', token)).toEqual(ofCategory);
      expect(encodeURIComponent(token)).toBe(token);
      // SES takes 995 characters for the value of a header.
      expect(token.length).toBeLessThan(400);
    },
  );

  it('without a category still names its holder', () => {
    const payload = `${recipient.contactId} ${recipient.feedbackId}`;

    const token = signToken(keyring, 'unsubscribe', payload);

    expect(readContactToken(keyring, 'unsubscribe', token)).toEqual(recipient);
    expect(signContactToken(keyring, 'unsubscribe', recipient)).toBe(token);
  });

  it('to unsubscribe does not show or change preferences', () => {
    const token = signContactToken(keyring, 'unsubscribe', recipient);

    expect(readContactToken(keyring, 'preferences', token)).toBeUndefined();
  });

  it('for the preferences unsubscribes as well', () => {
    const token = signContactToken(keyring, 'preferences', recipient);

    expect(readContactToken(keyring, 'unsubscribe', token)).toEqual(recipient);
  });

  it.each(['click', 'open'] as const)('is none that was made for a %s', (purpose) => {
    const token = signToken(keyring, purpose, `${recipient.contactId} ${recipient.feedbackId}`);

    expect(readContactToken(keyring, 'unsubscribe', token)).toBeUndefined();
    expect(readContactToken(keyring, 'preferences', token)).toBeUndefined();
  });

  it.each([
    ['nothing', ''],
    ['one id', recipient.contactId],
    ['the ids the other way round', `${recipient.feedbackId} ${recipient.contactId}`],
  ])('that says %s is none', (_what, payload) => {
    const token = signToken(keyring, 'unsubscribe', payload);

    expect(readContactToken(keyring, 'unsubscribe', token)).toBeUndefined();
  });
});
