import { describe, expect, it } from 'vitest';
import {
  type ApiKey,
  authenticate,
  createApiKey,
  type PresentedKey,
  parseApiKey,
} from '#shared/organizations/api-key';
import { requireScope, scopes } from '#shared/organizations/scopes';
import { newOrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const now = 1_750_000_000_000;

function present(text: string): PresentedKey {
  const presented = parseApiKey(text);
  if (presented === undefined) throw new Error('not of the form of a key');
  return presented;
}

const refusalOf = (text: string, stored: ApiKey | undefined) =>
  serviceErrorOf(() => authenticate(present(text), stored, now));

describe('an API key', () => {
  it('is admitted with its secret', () => {
    const { text, apiKey } = buildApiKey();

    expect(authenticate(present(text), apiKey, now)).toEqual(apiKey);
  });

  it('leads to its organization and to its stored id', () => {
    const organizationId = newOrganizationId();

    const { text, apiKey } = buildApiKey({ organizationId });

    expect(present(text).id).toBe(apiKey.id);
    expect(organizationIdOf(present(text).id)).toBe(organizationId);
  });

  it('is stored without its secret', () => {
    const { text, apiKey } = buildApiKey();
    const secret = text.split('_').at(-1);

    expect(secret).toHaveLength(32);
    expect(JSON.stringify(apiKey)).not.toContain(secret);
    expect(apiKey.secretHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('keeps the settings it was made with', () => {
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
    expect(new Set(texts.map((text) => text.slice(-32))).size).toBe(1_000);
  });
});

describe('authenticate', () => {
  it('gives an unknown, a wrong, a revoked and an expired key one and the same answer', async () => {
    const { text, apiKey } = buildApiKey();
    const wrongSecret = text.slice(0, -32) + buildApiKey().text.slice(-32);

    const refusals = await Promise.all([
      refusalOf(text, undefined),
      refusalOf(wrongSecret, apiKey),
      refusalOf(text, { ...apiKey, revokedAt: now - 1 }),
      refusalOf(text, { ...apiKey, validUntil: now - 1 }),
    ]);

    expect(refusals.map(({ code }) => code)).toEqual(refusals.map(() => 'invalid_api_key'));
    expect(new Set(refusals.map(({ message }) => message)).size).toBe(1);
  });

  it('refuses a key from the millisecond of its revocation on', async () => {
    const { text, apiKey } = buildApiKey({ revokedAt: now });

    expect(authenticate(present(text), apiKey, now - 1)).toEqual(apiKey);
    expect((await refusalOf(text, apiKey)).code).toBe('invalid_api_key');
  });

  it('refuses a key from the millisecond of its expiry on', async () => {
    const { text, apiKey } = buildApiKey({ validUntil: now });

    expect(authenticate(present(text), apiKey, now - 1)).toEqual(apiKey);
    expect((await refusalOf(text, apiKey)).code).toBe('invalid_api_key');
  });
});

describe('parseApiKey', () => {
  const { text } = buildApiKey();

  it.each([
    ['nothing', ''],
    ['a word', 'secret'],
    ['another prefix', text.replace('esk_', 'sk_')],
    ['upper case', text.toUpperCase()],
    ['a shortened secret', text.slice(0, -1)],
    ['a lengthened secret', `${text}a`],
    ['a character that base32 lacks', text.replace(/.$/, '1')],
    ['a trailing line break', `${text}\n`],
    ['spaces around', ` ${text} `],
    ['two keys', `${text},${text}`],
  ])('knows %s for no key of ours', (_what, presented) => {
    expect(parseApiKey(presented)).toBeUndefined();
  });
});

describe('requireScope', () => {
  it('lets a key with the scope pass', () => {
    const { apiKey } = buildApiKey({ scopes: ['read_sends'] });

    expect(() => requireScope(apiKey, 'read_sends')).not.toThrow();
  });

  it('names the scope that is missing', async () => {
    const { apiKey } = buildApiKey({ scopes: ['read_sends'] });

    const error = await serviceErrorOf(() => requireScope(apiKey, 'send_email'));

    expect(error.code).toBe('missing_scope');
    expect(error.message).toContain('send_email');
  });
});
