import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomBase32 } from '#shared/tokens/base32';
import {
  contactIdOf,
  feedbackIdOf,
  newApiKeyId,
  newNonce,
  newOrganizationId,
  organizationIdOf,
  organizationIdSchema,
  ownId,
  ownPartIn,
  sendIdOf,
  sendIdSchema,
  serviceSlotIdOf,
  slotIdIn,
  slotIdOf,
  webhookMessageIdOf,
} from '#shared/tokens/resource-id';
import { newSendId } from '../../support/send-builder.ts';

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

const base32Of = (length: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length });

const anyOrganizationId = base32Of(16).map((part) => organizationIdSchema.parse(`org_${part}`));
const anyNonce = base32Of(16);
/** 1–255 printable ASCII characters: what the service takes for a key. */
const anyKey = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 255 });

describe('every id', () => {
  it('leads back to its organization', () => {
    fc.assert(
      fc.property(anyOrganizationId, fc.emailAddress(), (organizationId, email) => {
        const sendId = newSendId(organizationId);
        const ids = [
          slotIdIn(sendId),
          sendId,
          feedbackIdOf(sendId),
          newApiKeyId(organizationId),
          contactIdOf(organizationId, email),
        ];

        expect(ids.map(organizationIdOf)).toEqual(ids.map(() => organizationId));
      }),
    );
  });

  // SES API reference, MessageTag: letters, digits, underscores and dashes, under 256 characters.
  it('says of what kind it is, in what is safe in a URL and legal as an SES message tag', () => {
    const organizationId = newOrganizationId();
    const sendId = newSendId(organizationId);

    expect(organizationId).toMatch(/^org_[a-z2-7]{16}$/);
    expect(slotIdIn(sendId)).toMatch(/^slt_[a-z2-7]{40}$/);
    expect(sendId).toMatch(/^snd_[a-z2-7]{56}$/);
    expect(feedbackIdOf(sendId)).toMatch(/^fbk_[a-z2-7]{56}$/);
    expect(newApiKeyId(organizationId)).toMatch(/^key_[a-z2-7]{32}$/);
    expect(contactIdOf(organizationId, 'ann@example.com')).toMatch(/^con_[a-z2-7]{32}$/);
  });
});

describe('a slot', () => {
  const ownPartOf = (slotId: string) => slotId.slice('slt_'.length + 16);

  it('is one for each idempotency key of an organization, whoever asks', () => {
    fc.assert(
      fc.property(anyOrganizationId, anyKey, anyKey, (organizationId, key, other) => {
        const slotId = slotIdOf(organizationId, key);

        expect(slotIdOf(organizationId, key)).toBe(slotId);
        expect(slotIdOf(organizationId, other) === slotId).toBe(other === key);
        expect(slotIdOf(organizationId, other, { isTest: true })).not.toBe(slotId);
      }),
    );
  });

  it('is another one for the same key of another organization', () => {
    fc.assert(
      fc.property(anyOrganizationId, anyOrganizationId, anyKey, (here, there, key) => {
        const slots = [here, there].map((id) => ownPartOf(slotIdOf(id, key)));

        expect(new Set(slots).size).toBe(here === there ? 1 : 2);
      }),
    );
  });

  it('is another one for a key that differs in a space or in its case', () => {
    const organizationId = newOrganizationId();
    const keys = ['key', ' key', 'key ', 'KEY', '  key'];

    expect(new Set(keys.map((key) => slotIdOf(organizationId, key))).size).toBe(keys.length);
  });

  it('of an email of the service is that of no key, whatever the key is', () => {
    fc.assert(
      fc.property(anyOrganizationId, anyKey, anyKey, (organizationId, name, key) => {
        const slotId = serviceSlotIdOf(organizationId, name);

        expect(slotId).not.toBe(slotIdOf(organizationId, key));
        expect(slotId).not.toBe(slotIdOf(organizationId, name));
        expect(slotId).not.toBe(slotIdOf(organizationId, `service ${organizationId} ${name}`));
      }),
    );
  });

  it('does not show the key', () => {
    const organizationId = organizationIdSchema.parse(`org_${'a'.repeat(16)}`);

    expect(slotIdOf(organizationId, 'bcdefg')).not.toContain('bcdefg');
  });

  it.each([
    { of: 'a key', newSlot: (index: number) => `key-${index}` },
    { of: 'no key', newSlot: () => undefined },
  ])('of $of has 120 bits: each of 24 places has all 32 characters', ({ newSlot }) => {
    const organizationId = newOrganizationId();

    const slots = Array.from({ length: 2_000 }, (_, index) =>
      ownPartOf(slotIdOf(organizationId, newSlot(index))),
    );

    expect(new Set(slots).size).toBe(slots.length);
    for (let place = 0; place < 24; place += 1) {
      expect(new Set(slots.map((slot) => slot[place])).size).toBe(32);
    }
  });

  it('is found in each id of the send', () => {
    fc.assert(
      fc.property(anyOrganizationId, anyKey, anyNonce, (organizationId, key, nonce) => {
        const slotId = slotIdOf(organizationId, key);

        const sendId = sendIdOf(slotId, nonce);

        expect([slotIdIn(sendId), slotIdIn(feedbackIdOf(sendId))]).toEqual([slotId, slotId]);
      }),
    );
  });
});

describe('a send id', () => {
  it('ends in its nonce', () => {
    const nonce = newNonce();

    expect(ownPartIn(sendIdOf(slotIdOf(newOrganizationId(), 'key-1'), nonce))).toBe(nonce);
  });

  it('is another one each time, also for the same idempotency key', () => {
    const slotId = slotIdOf(newOrganizationId(), 'key-1');
    const count = 10_000;

    const ids = new Set(Array.from({ length: count }, () => sendIdOf(slotId, newNonce())));

    expect(ids.size).toBe(count);
  });

  it.each(['', 'short', 'a'.repeat(17), 'A'.repeat(16)])(
    'is not made of the nonce "%s"',
    (nonce) => {
      const slotId = slotIdOf(newOrganizationId(), undefined);

      expect(() => sendIdOf(slotId, nonce)).toThrow();
    },
  );
});

describe('sendIdSchema', () => {
  it.each([
    ['nothing', () => ''],
    ['another kind', () => newApiKeyId(newOrganizationId())],
    ['a feedback id', () => feedbackIdOf(newSendId(newOrganizationId()))],
    ['a slot', () => slotIdOf(newOrganizationId(), undefined)],
    ['a shortened id', () => newSendId(newOrganizationId()).slice(0, -1)],
    ['a lengthened id', () => `${newSendId(newOrganizationId())}a`],
    ['an id in upper case', () => newSendId(newOrganizationId()).toUpperCase()],
    ['a trailing line break', () => `${newSendId(newOrganizationId())}\n`],
    ['the kind alone', () => 'snd_'],
    ['a key separator', () => newSendId(newOrganizationId()).replace(/.$/, '#')],
  ])('refuses %s', (_what, text) => {
    expect(sendIdSchema.safeParse(text()).success).toBe(false);
  });
});

describe('ownId', () => {
  it("is an id of the organization, and none of another's", () => {
    const organizationId = newOrganizationId();
    const own = newSendId(organizationId);
    const foreign = newSendId(newOrganizationId());

    const ids = [own, foreign, undefined].map((id) => ownId(id, organizationId));

    expect(ids).toEqual([own, undefined, undefined]);
  });
});

/** Of two texts that have nothing to do with each other, half a place of sixteen is equal. */
const placesShared = (one: string, other: string): number =>
  [...one].filter((character, place) => character === other[place]).length;

describe('feedbackIdOf', () => {
  it('answers the same for the same send and another for another', () => {
    const organizationId = newOrganizationId();
    const [one, other] = [newSendId(organizationId), newSendId(organizationId)];

    expect(feedbackIdOf(one)).toBe(feedbackIdOf(one));
    expect(feedbackIdOf(one)).not.toBe(feedbackIdOf(other));
  });

  it('differs from the send id in its own part alone, and does not reveal the nonce', () => {
    fc.assert(
      fc.property(anyOrganizationId, anyKey, anyNonce, (organizationId, key, nonce) => {
        const sendId = sendIdOf(slotIdOf(organizationId, key), nonce);

        const feedbackId = feedbackIdOf(sendId);

        expect(feedbackId.slice(4, -16)).toBe(sendId.slice(4, -16));
        expect(placesShared(ownPartIn(feedbackId), nonce)).toBeLessThan(8);
      }),
    );
  });

  it('is another one altogether after the smallest change of the nonce', () => {
    const anyPlace = fc.integer({ min: 0, max: 15 });
    const slotId = slotIdOf(newOrganizationId(), 'key-1');

    fc.assert(
      fc.property(anyNonce, anyPlace, (nonce, place) => {
        const next = alphabet.charAt((alphabet.indexOf(nonce.charAt(place)) + 1) % 32);
        const neighbour = `${nonce.slice(0, place)}${next}${nonce.slice(place + 1)}`;

        const [one = '', other = ''] = [nonce, neighbour].map((part) =>
          ownPartIn(feedbackIdOf(sendIdOf(slotId, part))),
        );

        expect(placesShared(one, other)).toBeLessThan(8);
      }),
    );
  });
});

describe('contactIdOf', () => {
  it('tells organizations and addresses apart', () => {
    const [here, there] = [newOrganizationId(), newOrganizationId()];

    const ids = [
      contactIdOf(here, 'ann@example.com'),
      contactIdOf(here, 'bob@example.com'),
      contactIdOf(there, 'ann@example.com'),
    ].map((id) => id.slice(-16));

    expect(new Set(ids).size).toBe(3);
    expect(contactIdOf(here, 'ann@example.com').slice(-16)).toBe(ids[0]);
  });
});

describe('randomBase32', () => {
  it('gives the length that is asked for, in the alphabet of RFC 4648', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), (length) => {
        expect(randomBase32(length)).toMatch(new RegExp(`^[a-z2-7]{${length}}$`));
      }),
    );
  });

  it('uses each of the 32 characters in each place', () => {
    const texts = Array.from({ length: 2_000 }, () => randomBase32(16));

    for (let place = 0; place < 16; place += 1) {
      expect(new Set(texts.map((text) => text[place])).size).toBe(32);
    }
  });
});

describe("the message id of an organization's event", () => {
  it('is the same each time, and another for another event or organization', () => {
    const [here, there] = [newOrganizationId(), newOrganizationId()];
    const id = webhookMessageIdOf(here, 'email.sent 1');

    expect(webhookMessageIdOf(here, 'email.sent 1')).toBe(id);
    expect(webhookMessageIdOf(here, 'email.sent 2')).not.toBe(id);
    // Not even the digest, which is the same text for both otherwise.
    expect(webhookMessageIdOf(there, 'email.sent 1').slice(-16)).not.toBe(id.slice(-16));
  });
});
