import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keptDays } from '#shared/content/content-kinds';
import type { Organization } from '#shared/organizations/organization';
import {
  contentPlaceOf,
  contentUntil,
  type KeptContent,
  keptContentSchema,
} from '#shared/sending/kept-content';
import type { Send } from '#shared/sending/send';
import { organizationIdOf } from '#shared/tokens/resource-id';
import { keptFor } from '../../support/memory-contents.ts';
import { buildSend } from '../../support/send-builder.ts';
import { sendingNow } from '../../support/sending-builder.ts';
import { argsOf, bounced, failing, namesOf, prepare, refused, unknown } from './send-scenario.ts';

const keeps = { keepContentDays: 30 } satisfies Partial<Organization>;

const keepingIn = (effects: Parameters<typeof argsOf>[0]) => argsOf(effects, 'keepContent')[0]?.[0];

describe('the content of an email', () => {
  it('is kept once SES has the email, beside the commit, as it was before the links were put in', async () => {
    const organization = { ...keeps, attachmentsEnabled: true };
    const htmlContent = '<p>Hello <a href="https://example.com/a">Ann</a></p>';
    const body = {
      htmlContent,
      attachments: [{ filename: 'a.txt', contentBase64: 'SGVsbG8=', contentType: 'text/plain' }],
    };
    const { run, effects, organization: owner } = prepare({ organization, body });

    const { response } = await run();

    const names = namesOf(effects);
    expect(names.indexOf('keepContent')).toBeGreaterThan(names.indexOf('callProvider'));
    expect(keepingIn(effects)).toEqual({
      place: {
        kind: 'kept/30',
        organizationId: owner.id,
        name: expect.stringMatching(/^fbk_.*-1$/),
      },
      content: {
        subject: 'Your receipt',
        content: expect.any(String),
        htmlContent,
        attachments: [{ filename: 'a.txt', contentType: 'text/plain', size: 5 }],
      } satisfies KeptContent,
      sealKey: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(response.status).toBe('sent');
  });

  it('has no token of the service, and whose footer the email ended with', async () => {
    const organization = { ...keeps, footerText: '1 Example Street' };
    const {
      run,
      effects,
      organization: owner,
    } = prepare({
      organization,
      body: { htmlContent: '<a href="https://example.com">x</a>', policyKey: 'bulk' },
    });

    await run();

    const { content } = JSON.parse(JSON.stringify(keepingIn(effects)));
    expect(JSON.stringify(content)).not.toMatch(/token|\/t\/[co]\//);
    expect(content.footerOf).toEqual({ name: owner.name, footerText: '1 Example Street' });
  });

  it.each([
    ['the organization keeps none', {}, {}],
    [
      'the policy keeps none',
      {
        ...keeps,
        policies: { transactional: { kind: 'transactional', keepsContent: false } },
      },
      {},
    ],
  ] as const)('is not kept, and no key is made, where %s', async (_what, organization, body) => {
    const { run, effects } = prepare({ organization, body });

    await run();

    expect(namesOf(effects)).not.toContain('keepContent');
    expect(argsOf(effects, 'claims.claim')[0]?.[0]).not.toHaveProperty('contentKey');
  });

  it('is not kept where nothing goes out', async () => {
    const contacts = [bounced('ann@example.com')];
    const { run, effects } = prepare({
      organization: keeps,
      contacts,
      body: { to: 'ann@example.com' },
    });

    const { response } = await run();

    expect(response.status).toBe('suppressed');
    expect(argsOf(effects, 'claims.claim')[0]?.[0]).not.toHaveProperty('contentKey');
  });

  it.each([
    ['refused', refused],
    ['in doubt', unknown],
  ] as const)('is not kept while the email is %s', async (_what, outcome) => {
    const { run, effects } = prepare({
      organization: keeps,
      overrides: { callProvider: async () => outcome },
    });

    await expect(run()).rejects.toThrow();

    expect(namesOf(effects)).not.toContain('keepContent');
  });

  it('that can’t be stored fails no send', async () => {
    const { run, lines } = prepare({ organization: keeps, overrides: { keepContent: failing } });

    const { response } = await run();

    expect(response.status).toBe('sent');
    expect(lines).toMatchObject([{ level: 'error', message: 'side effect failed' }]);
  });

  it('of two attempts has two places and two keys', async () => {
    const first = prepare({ organization: keeps, idempotencyKey: 'key-1' });
    await first.run();
    const second = prepare({ organization: keeps, idempotencyKey: 'key-1' });
    await second.run();

    const keyOf = (effects: typeof first.effects) =>
      JSON.parse(JSON.stringify(keepingIn(effects))).sealKey;
    expect(keyOf(first.effects)).not.toBe(keyOf(second.effects));
    const send = buildSend(keptFor(7));
    expect(contentPlaceOf(send)).not.toEqual(contentPlaceOf({ ...send, attempt: 2 }));
  });

  it('survives being stored, whatever was sent', () => {
    fc.assert(
      fc.property(
        fc.record(
          {
            subject: fc.string(),
            content: fc.string(),
            htmlContent: fc.string(),
            attachments: fc.constant([]),
          },
          { requiredKeys: ['subject', 'attachments'] },
        ),
        (content) => {
          const stored: unknown = JSON.parse(JSON.stringify(content));
          expect(keptContentSchema.parse(stored)).toEqual(content);
        },
      ),
    );
  });
});

describe('how long a content is kept', () => {
  const sentFor = (days: number, more: Partial<Send> = {}) =>
    buildSend({ sentAt: sendingNow, ...keptFor(days), ...more });

  it('follows from when SES took the email', () => {
    expect(contentUntil(sentFor(7))).toBe(sendingNow + 7 * 86_400_000);
  });

  it('is never longer than its send', () => {
    const expiresAt = sendingNow / 1000 + 60;

    expect(contentUntil(sentFor(7, { expiresAt }))).toBe(sendingNow + 60_000);
  });

  it.each([
    ['was not sent', { sentAt: undefined }],
    ['lost its key to an erasure', { contentKey: undefined }],
    ['was to be kept for no days', { contentDays: undefined }],
  ])('is not at all if the email %s', (_what, missing) => {
    const { sentAt, contentKey, contentDays, ...rest } = { ...sentFor(7), ...missing };
    const given = Object.entries({ sentAt, contentKey, contentDays }).filter(
      ([, value]) => value !== undefined,
    );

    expect(contentUntil({ ...rest, ...Object.fromEntries(given) })).toBeUndefined();
  });

  it.each([...keptDays, 2, 45, 1_000])('of %d days has a place whose lifecycle lasts', (days) => {
    const send = sentFor(days);

    const place = contentPlaceOf(send);

    const daysInBucket = Number(place?.kind.split('/')[1]);
    expect(daysInBucket).toBe(keptDays.find((one) => one >= days) ?? 365);
    expect(place?.organizationId).toBe(organizationIdOf(send.id));
  });
});
