import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ApiKey,
  authenticate,
  createApiKey,
  keyByIam,
  maySignInByAddress,
  maySwitchTo,
  type PresentedKey,
  parseApiKey,
} from '#shared/access/api-key';
import { readCredential } from '#shared/access/credential-text';
import { requireScope, scopes } from '#shared/access/scopes';
import { newSession, withSignIn } from '#shared/access/sign-in';
import { newOrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { buildApiKey, withChecksum } from '../../support/api-key-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const now = 1_750_000_000_000;

const refusalOf = (text: string, stored: ApiKey | undefined) =>
  serviceErrorOf(() => authenticate(parseApiKey(text), stored, now));

describe('an API key', () => {
  it('is accepted with its secret', () => {
    const { text, apiKey } = buildApiKey();

    expect(authenticate(parseApiKey(text), apiKey, now)).toEqual(apiKey);
  });

  it("contains its organization's id and its own stored id", () => {
    const organizationId = newOrganizationId();

    const { text, apiKey } = buildApiKey({ organizationId });

    expect(parseApiKey(text).id).toBe(apiKey.id);
    expect(organizationIdOf(parseApiKey(text).id)).toBe(organizationId);
  });

  it('is stored without its secret', () => {
    const { text, apiKey } = buildApiKey();
    const secret = text.split('_').at(-1)?.slice(0, -8) ?? '';

    expect(secret).toHaveLength(32);
    expect(JSON.stringify(apiKey)).not.toContain(secret);
    expect(apiKey.secretHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('keeps the settings it was created with', () => {
    const settings = {
      name: 'billing',
      scopes: [...scopes],
      createdAt: now,
      perMinuteCap: 60,
      validUntil: now + 1,
    };

    const { apiKey } = createApiKey(newOrganizationId(), settings);

    expect(apiKey).toMatchObject(settings);
  });

  it('is never the same twice', () => {
    const organizationId = newOrganizationId();

    const texts = Array.from({ length: 1_000 }, () => buildApiKey({ organizationId }).text);

    expect(new Set(texts).size).toBe(1_000);
    expect(new Set(texts.map((text) => text.slice(-40, -8))).size).toBe(1_000);
  });
});

describe('authenticate', () => {
  it('gives unknown, wrong, revoked and expired keys the same answer', async () => {
    const { text, apiKey } = buildApiKey();
    const wrongSecret = withChecksum(text.slice(0, -40) + buildApiKey().text.slice(-40, -8));

    const refusals = await Promise.all([
      refusalOf(text, undefined),
      refusalOf(wrongSecret, apiKey),
      refusalOf(text, { ...apiKey, revokedAt: now - 1 }),
      refusalOf(text, { ...apiKey, validUntil: now - 1 }),
    ]);

    expect(refusals.map(({ code }) => code)).toEqual(refusals.map(() => 'invalid_api_key'));
    expect(new Set(refusals.map(({ message }) => message)).size).toBe(1);
  });

  it.each(['revokedAt', 'validUntil'])(
    'refuses a key from the millisecond when %s',
    async (end) => {
      const { text, apiKey } = buildApiKey({ [end]: now });

      expect(authenticate(parseApiKey(text), apiKey, now - 1)).toEqual(apiKey);
      expect((await refusalOf(text, apiKey)).code).toBe('invalid_api_key');
    },
  );
});

describe('authenticate, with a session', () => {
  const { apiKey } = buildApiKey({ scopes: ['manage_organization'] });
  const { text, signIn } = newSession(apiKey, { by: 'key' }, now);
  const signedIn: ApiKey = { ...apiKey, signIns: withSignIn(undefined, signIn, now) };
  const presented = (secretHash = readCredential(text)?.secretHash ?? ''): PresentedKey => ({
    id: apiKey.id,
    secretHash,
    isSession: true,
  });

  it('accepts it by its secret until it ends', () => {
    expect(authenticate(presented(), signedIn, signIn.expiresAt - 1)).toEqual(signedIn);
  });

  it.each<[string, PresentedKey, ApiKey | undefined, number]>([
    ['the key is unknown', presented(), undefined, now],
    ['the key has no such session', presented(), apiKey, now],
    ['its secret is another', presented(apiKey.secretHash), signedIn, now],
    ['it has ended', presented(), signedIn, signIn.expiresAt],
    ['the key is revoked', presented(), { ...signedIn, revokedAt: now }, now],
    ['the key may not manage any more', presented(), { ...signedIn, scopes: [] }, now],
  ])('refuses it when %s', async (_when, session, stored, at) => {
    const { code } = await serviceErrorOf(() => authenticate(session, stored, at));

    expect(code).toBe('invalid_api_key');
  });
});

describe('parseApiKey', () => {
  const { text, apiKey } = buildApiKey();

  it('parses a key', () => {
    expect(parseApiKey(text)).toEqual({ id: apiKey.id, secretHash: apiKey.secretHash });
  });

  it.each([undefined, ''])('reports a missing key for %j', async (presented) => {
    const error = await serviceErrorOf(() => parseApiKey(presented));

    expect(error.code).toBe('invalid_api_key');
    expect(error.message).toContain('missing');
  });

  it.each([
    ['a word', 'secret'],
    ['another prefix', text.replace('esk_', 'sk_')],
    ['upper case', text.toUpperCase()],
    ['a key without its checksum', text.slice(0, -8)],
    ['a shortened key', text.slice(0, -1)],
    ['a lengthened key', `${text}a`],
    ['a character that base32 lacks', text.replace(/.$/, '1')],
    ['a trailing line break', `${text}\n`],
    ['spaces around', ` ${text} `],
    ['two keys', `${text},${text}`],
  ])('reports a mistyped key for %s', async (_what, presented) => {
    const error = await serviceErrorOf(() => parseApiKey(presented));

    expect(error.code).toBe('invalid_api_key');
    expect(error.message).toContain('mistyped');
    expect(error.message).not.toContain(presented);
  });

  it('detects every wrong character and every swapped pair', () => {
    const letters = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz234567');
    const places = fc.integer({ min: 'esk_'.length, max: text.length - 2 });
    fc.assert(
      fc.property(places, letters, fc.boolean(), (place, letter, swaps) => {
        const [one = '', other = ''] = text.slice(place, place + 2);
        const typo =
          text.slice(0, place) + (swaps ? other + one : letter + other) + text.slice(place + 2);
        fc.pre(typo !== text);

        expect(() => parseApiKey(typo)).toThrow('mistyped');
      }),
    );
  });
});

describe('requireScope', () => {
  it('names the missing scope', async () => {
    const { apiKey } = buildApiKey({ scopes: ['read_sends'] });

    const error = await serviceErrorOf(() => requireScope(apiKey, 'send_email'));

    expect(error.code).toBe('missing_scope');
    expect(error.message).toContain('send_email');
  });
});

it('a personal key is used by sessions only, even by a caller whom IAM allows to use it', async () => {
  const { apiKey, text } = buildApiKey({ person: { email: 'carol@example.com', role: 'admin' } });

  for (const presented of [parseApiKey(text), keyByIam(apiKey.id)]) {
    const error = await serviceErrorOf(() => authenticate(presented, apiKey, 0));
    expect(error.code).toBe('invalid_api_key');
  }
});

describe('who may go on in another organization', () => {
  const startedAt = now - 1;
  const account = 'digest of an account';
  const person = { email: 'ann@example.com', role: 'support' } as const;
  const invited = buildApiKey({ person, lastUsedAt: now }).apiKey;
  const ofAccount = buildApiKey({
    person: { ...person, subject: account },
    lastUsedAt: now,
  }).apiKey;
  const byLink = { startedAt };
  const atIssuer = { startedAt, oidc: { subject: account } };
  const verified = { startedAt, oidc: { subject: account, isVerified: true } } as const;
  const other = { startedAt, oidc: { subject: 'another one', isVerified: true } } as const;

  it.each([
    ['from a link to an invitation', byLink, invited, true],
    ['from a link to what the issuer made', byLink, ofAccount, false],
    ['from an account with a verified address to an invitation', verified, invited, true],
    ['from an account that only says its address to an invitation', atIssuer, invited, false],
    ['from an account to what the issuer made for it', atIssuer, ofAccount, true],
    ['from another account of the address to what the issuer made', other, ofAccount, false],
  ])('is judged by what the session has shown: %s', (_way, session, apiKey, may) => {
    expect(maySwitchTo(apiKey, session, now)).toBe(may);
  });

  it("isn't an account whose logout wouldn't find the session: the person came after its sign-in", () => {
    const later = { ...ofAccount, createdAt: startedAt + 1 };

    expect(maySwitchTo(later, atIssuer, now)).toBe(false);
    expect(maySwitchTo({ ...invited, createdAt: startedAt + 1 }, byLink, now)).toBe(true);
  });

  it('is nobody who was removed, and no key of a program', () => {
    expect(maySwitchTo({ ...invited, revokedAt: now }, byLink, now)).toBe(false);
    expect(maySwitchTo({ ...ofAccount, revokedAt: now }, verified, now)).toBe(false);
    const { apiKey } = buildApiKey({ scopes: ['manage_organization'] });
    expect([maySwitchTo(apiKey, byLink, now), maySwitchTo(apiKey, verified, now)]).toEqual([
      false,
      false,
    ]);
  });

  it('is nobody whom the claims no longer name, though they are the last manager', () => {
    const last = {
      ...ofAccount,
      person: { ...person, subject: account, isUnnamed: true },
    } as const;

    expect(maySwitchTo(last, atIssuer, now)).toBe(false);
  });

  it('comes by a link or a passkey only if somebody invited them', () => {
    expect(maySignInByAddress(invited, now)).toBe(true);
    expect(maySignInByAddress(ofAccount, now)).toBe(false);
  });
});
