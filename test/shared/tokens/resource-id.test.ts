import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  contactIdOf,
  feedbackIdOf,
  newApiKeyId,
  newOrganizationId,
  newSendId,
  newTemplateId,
  organizationIdOf,
  organizationIdSchema,
  randomBase32,
  readOwnId,
  sendIdSchema,
} from '#shared/tokens/resource-id';

const anyOrganizationId = fc
  .string({
    unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz234567'),
    minLength: 16,
    maxLength: 16,
  })
  .map((part) => organizationIdSchema.parse(`org_${part}`));

describe('every id', () => {
  it('leads back to its organization', () => {
    fc.assert(
      fc.property(anyOrganizationId, fc.emailAddress(), (organizationId, email) => {
        const sendId = newSendId(organizationId);
        const ids = [
          sendId,
          feedbackIdOf(sendId),
          newApiKeyId(organizationId),
          contactIdOf(organizationId, email),
        ];

        expect(ids.map(organizationIdOf)).toEqual(ids.map(() => organizationId));
      }),
    );
  });

  it('is safe in a URL and legal as an SES message tag', () => {
    const organizationId = newOrganizationId();
    const sendId = newSendId(organizationId);
    const ids = [
      organizationId,
      sendId,
      feedbackIdOf(sendId),
      newApiKeyId(organizationId),
      contactIdOf(organizationId, 'ann@example.com'),
    ];

    for (const id of ids) {
      expect(encodeURIComponent(id)).toBe(id);
      // SES API reference, MessageTag: letters, digits, underscores and dashes, under 256 characters.
      expect(id).toMatch(/^[A-Za-z0-9_-]{1,255}$/);
    }
  });

  it('says of what kind it is', () => {
    const organizationId = newOrganizationId();
    const sendId = newSendId(organizationId);

    expect(organizationId).toMatch(/^org_[a-z2-7]{16}$/);
    expect(sendId).toMatch(/^snd_[a-z2-7]{32}$/);
    expect(feedbackIdOf(sendId)).toMatch(/^fbk_[a-z2-7]{32}$/);
    expect(newApiKeyId(organizationId)).toMatch(/^key_[a-z2-7]{32}$/);
    expect(contactIdOf(organizationId, 'ann@example.com')).toMatch(/^con_[a-z2-7]{32}$/);
  });
});

describe('newSendId', () => {
  it('never gives an id twice', () => {
    const organizationId = newOrganizationId();
    const count = 10_000;

    const ids = new Set(Array.from({ length: count }, () => newSendId(organizationId)));

    expect(ids.size).toBe(count);
  });
});

describe('sendIdSchema', () => {
  it.each([
    ['nothing', () => ''],
    ['another kind', () => newApiKeyId(newOrganizationId())],
    ['a feedback id', () => feedbackIdOf(newSendId(newOrganizationId()))],
    ['a shortened id', () => newSendId(newOrganizationId()).slice(0, -1)],
    ['a lengthened id', () => `${newSendId(newOrganizationId())}a`],
    ['an id in upper case', () => newSendId(newOrganizationId()).toUpperCase()],
    ['a trailing line break', () => `${newSendId(newOrganizationId())}\n`],
    ['a key separator', () => newSendId(newOrganizationId()).replace(/.$/, '#')],
  ])('refuses %s', (_what, text) => {
    expect(sendIdSchema.safeParse(text()).success).toBe(false);
  });
});

describe('readOwnId', () => {
  it.each(['', 'snd_', 'nonsense', newTemplateId(newOrganizationId())])(
    'reads no send id in "%s"',
    (text) => {
      expect(readOwnId(sendIdSchema, text, newOrganizationId())).toBeUndefined();
    },
  );

  it("reads an id of the organization, and none of another's", () => {
    const organizationId = newOrganizationId();
    const own = newSendId(organizationId);
    const foreign = newSendId(newOrganizationId());

    const read = [own, foreign].map((id) => readOwnId(sendIdSchema, id, organizationId));

    expect(read).toEqual([own, undefined]);
  });
});

describe('feedbackIdOf', () => {
  it('answers the same for the same send and another for another', () => {
    const organizationId = newOrganizationId();
    const [one, other] = [newSendId(organizationId), newSendId(organizationId)];

    expect(feedbackIdOf(one)).toBe(feedbackIdOf(one));
    expect(feedbackIdOf(one)).not.toBe(feedbackIdOf(other));
  });

  it("does not contain the send id's own part", () => {
    for (let round = 0; round < 100; round += 1) {
      const sendId = newSendId(newOrganizationId());
      const ownPart = sendId.slice(-16);

      expect(feedbackIdOf(sendId)).not.toContain(ownPart);
      expect(feedbackIdOf(sendId).slice(-16)).not.toBe(ownPart);
    }
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
