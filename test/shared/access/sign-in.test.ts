import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import { apiKeyViewSchema, toApiKeyView } from '#shared/access/api-key-fields';
import { apiKeyItemOf } from '#shared/access/api-key-store';
import { readCredential } from '#shared/access/credential-text';
import { scopes } from '#shared/access/scopes';
import {
  findSignIn,
  maxSessions,
  newLink,
  newSession,
  openSessionsIn,
  requireShownKey,
  type SignIn,
  usedAtName,
  withoutSignIn,
  withSignIn,
} from '#shared/access/sign-in';
import { itemSize } from '../../bench/request-units.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const now = 1_750_000_000_000;

/** A personal key with every field set, and as many sessions and links as allowed. */
function buildFullKey() {
  const moments = { revokedAt: now, validUntil: now * 2, lastUsedAt: now };
  const caps = { perMinuteCap: 999_999_999, dailyCap: 999_999_999 };
  const { apiKey } = buildApiKey({
    // As `newPerson` names them all.
    name: 'personal',
    scopes: [...scopes],
    person: { email: `${'a'.repeat(242)}@example.com`, role: 'developer' },
    ...moments,
    ...caps,
  });
  let signIns: readonly SignIn[] = [];
  for (let count = 0; count < maxSessions + 1; count += 1) {
    signIns = withSignIn(
      signIns,
      newSession(apiKey, { by: 'mail', device: 'Samsung Internet on Chrome OS' }, now).signIn,
      now,
    );
    signIns = withSignIn(signIns, newLink(apiKey, now).signIn, now);
  }
  const sessionsUsedAt = Object.fromEntries(
    openSessionsIn(signIns, now).map((session) => [usedAtName(session), now]),
  );
  return { ...apiKey, replacedBy: apiKey.id, signIns, sessionsUsedAt };
}

describe("a key's sign-ins", () => {
  it('keep its item small enough for a read of one unit', () => {
    const apiKey = buildFullKey();

    const ofKind = Object.groupBy(apiKey.signIns, ({ kind }) => kind);
    expect(ofKind.session).toHaveLength(maxSessions);
    expect(ofKind.link).toHaveLength(3);
    expect(Object.keys(apiKey.sessionsUsedAt)).toHaveLength(maxSessions);
    expect(itemSize(marshall(apiKeyItemOf(apiKey)))).toBeLessThan(4_096);
  });

  it('appear in none of its views', () => {
    const apiKey = buildFullKey();

    const view = apiKeyViewSchema.parse(toApiKeyView(apiKey, now));

    expect(view).not.toHaveProperty('signIns');
    expect(view).not.toHaveProperty('sessionsUsedAt');
    for (const { secretHash } of apiKey.signIns) {
      expect(JSON.stringify(view)).not.toContain(secretHash);
    }
  });

  it('are found by their secret with their kind until they end', () => {
    const { apiKey } = buildApiKey();
    const { text, signIn } = newLink(apiKey, now);
    const { kind, secretHash } = readCredential(text) ?? { kind: 'key', secretHash: '' };
    const all = withSignIn(undefined, signIn, now);

    expect(kind).toBe('link');
    expect(findSignIn(all, { kind: 'link', secretHash }, now)).toEqual(signIn);
    expect(findSignIn(all, { kind: 'session', secretHash }, now)).toBeUndefined();
    expect(findSignIn(all, { kind: 'link', secretHash }, signIn.expiresAt)).toBeUndefined();
    expect(findSignIn(all, { kind: 'link', secretHash: '' }, now)).toBeUndefined();
    expect(withoutSignIn(all, signIn)).toEqual([]);
  });
});

describe('requireShownKey', () => {
  const { apiKey } = buildApiKey();
  const { keyShownAt, ...signIn } = newSession(apiKey, { by: 'key' }, now).signIn;

  it('accepts the key itself, and a session within five minutes after it showed the key', () => {
    const session = { ...signIn, keyShownAt: now };
    expect(() => requireShownKey({ session: undefined, apiKey }, now)).not.toThrow();
    expect(() => requireShownKey({ session, apiKey }, now + 299_999)).not.toThrow();
  });

  it.each([
    ['showed the key five minutes ago', { ...signIn, keyShownAt: now - 300_000 }],
    ['never showed it', signIn],
  ])('requires the key from a session that %s', async (_which, session) => {
    const error = await serviceErrorOf(() => requireShownKey({ session, apiKey }, now));

    expect(error.code).toBe('key_confirmation_required');
    expect(error.message).toContain('within 5 minutes');
  });
});

describe('a credential', () => {
  it.each(['session', 'link'] as const)(
    "isn't a valid %s when any character is changed",
    (kind) => {
      const { apiKey } = buildApiKey();
      const { text } =
        kind === 'link' ? newLink(apiKey, now) : newSession(apiKey, { by: 'key' }, now);

      expect(readCredential(text)?.kind).toBe(kind);
      for (const index of text.split('').keys()) {
        const other = text[index] === 'a' ? 'b' : 'a';
        expect(
          readCredential(text.slice(0, index) + other + text.slice(index + 1)),
        ).toBeUndefined();
      }
      // The checksum covers the kind, so one can't be presented as the other.
      const prefix = kind === 'session' ? 'esl' : 'ess';
      expect(readCredential(`${prefix}${text.slice(3)}`)).toBeUndefined();
    },
  );
});
