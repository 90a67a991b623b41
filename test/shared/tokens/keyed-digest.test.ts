import { describe, expect, it } from 'vitest';
import { bareAddressKey } from '#shared/table/keys';
import { keyedDigest } from '#shared/tokens/keyed-digest';
import {
  contactIdOf,
  hasKeyedContacts,
  newOrganizationId,
  organizationIdSchema,
} from '#shared/tokens/resource-id';
import { useDigestKey } from '../../support/digest-key.ts';

const identity = 'ann@example.com';
const keyA = 'a'.repeat(64);
const keyB = 'b'.repeat(64);

const keyedOrganization = () => {
  useDigestKey(keyA);
  return newOrganizationId();
};

describe('the id of a contact', () => {
  it('is another one under another key, and the same under the same', () => {
    const organizationId = keyedOrganization();
    const ofA = contactIdOf(organizationId, identity);
    useDigestKey(keyB);
    const ofB = contactIdOf(organizationId, identity);
    useDigestKey(keyA);

    expect(ofB).not.toBe(ofA);
    expect(contactIdOf(organizationId, identity)).toBe(ofA);
  });

  it.each([undefined, keyA])(
    'of an organization from before is what it was, whatever key there is: %s',
    (key) => {
      useDigestKey(key);
      const organizationId = organizationIdSchema.parse('org_aaaaaaaaaaaaaaaa');

      expect(contactIdOf(organizationId, identity)).toBe('con_aaaaaaaaaaaaaaaamnox2zcrsasr46r5');
    },
  );

  it('is refused where the key of a keyed organization is missing', () => {
    const organizationId = keyedOrganization();
    useDigestKey(undefined);

    expect(() => contactIdOf(organizationId, identity)).toThrow(
      expect.objectContaining({ code: 'contact_digest_mismatch' }),
    );
  });

  it('takes no key that is too short to be one', () => {
    useDigestKey('short');

    expect(() => newOrganizationId()).toThrow(/CONTACT_DIGEST_KEY/);
  });
});

describe('the id of an organization', () => {
  it.each([undefined, keyA])('says whether its contacts are keyed: %s', (key) => {
    useDigestKey(key);

    const ids = Array.from({ length: 50 }, newOrganizationId);

    expect(ids.map(hasKeyedContacts)).toEqual(ids.map(() => key !== undefined));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('a keyed digest', () => {
  it('for one use is none for another', () => {
    useDigestKey(keyA);

    const digests = [
      keyedDigest('contact', identity),
      keyedDigest('request', identity),
      keyedDigest('key', identity),
    ];

    expect(new Set(digests).size).toBe(3);
  });

  it('names who asks without a token', () => {
    const unkeyed = bareAddressKey(identity, 1);
    useDigestKey(keyA);

    expect(bareAddressKey(identity, 1).pk).toBe(`ADDRESS#${keyedDigest('request', identity)}`);
    expect(bareAddressKey(identity, 1)).not.toEqual(unkeyed);
  });
});
