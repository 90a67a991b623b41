import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Organization } from '#shared/organizations/organization';
import {
  contentPlaceOf,
  contentUntil,
  type KeptContent,
  keptContentSchema,
} from '#shared/sending/kept-content';
import type { Send } from '#shared/sending/send';
import { contentKeeper } from '#shared/sending/sending';
import { readSendFiles } from '#shared/sends/send-content';
import { keptDays } from '#shared/stored-content/content-kinds';
import { organizationIdOf } from '#shared/tokens/resource-id';
import { keptFor, memoryContents } from '../../support/memory-contents.ts';
import { buildSend } from '../../support/send-builder.ts';
import { sendingNow } from '../../support/sending-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { argsOf, bounced, failing, namesOf, prepare, refused, unknown } from './send-scenario.ts';

const keeps = { keepContentDays: 30 } satisfies Partial<Organization>;

const keepingIn = (effects: Parameters<typeof argsOf>[0]) => argsOf(effects, 'keepContent')[0]?.[0];

describe("an email's stored content", () => {
  it('is stored beside the commit once SES has the email, as it was before links were replaced', async () => {
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
      files: [Buffer.from('Hello')],
      sealKey: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(response.status).toBe('sent');
  });

  it("contains no token of the service, but the email's footer", async () => {
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
  ] as const)("isn't stored, and creates no key, where %s", async (_what, organization, body) => {
    const { run, effects } = prepare({ organization, body });

    await run();

    expect(namesOf(effects)).not.toContain('keepContent');
    expect(argsOf(effects, 'claims.claim')[0]?.[0]).not.toHaveProperty('contentKey');
  });

  it("isn't stored when nothing is sent", async () => {
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
  ] as const)("isn't stored while the email is %s", async (_what, outcome) => {
    const { run, effects } = prepare({
      organization: keeps,
      overrides: { callProvider: async () => outcome },
    });

    await expect(run()).rejects.toThrow();

    expect(namesOf(effects)).not.toContain('keepContent');
  });

  it("doesn't fail the send when it can't be stored", async () => {
    const { run, lines } = prepare({ organization: keeps, overrides: { keepContent: failing } });

    const { response } = await run();

    expect(response.status).toBe('sent');
    expect(lines).toMatchObject([{ level: 'error', message: 'side effect failed' }]);
  });

  it('has its own place and key for each of two attempts', async () => {
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

  it('survives storage, whatever was sent', () => {
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

describe('stored attachments', () => {
  const send = buildSend({ ...keptFor(7), attachmentCount: 1 });
  const content: KeptContent = {
    subject: 'Your receipt',
    attachments: [{ filename: 'a.txt', size: 5 }],
  };
  const sealKey = `${send.contentKey}`;
  const place = contentPlaceOf(send);
  /** Fails at this many writes, starting with the first. */
  const keep = async (failures: readonly number[], files = [Buffer.from('Hello')]) => {
    let writes = 0;
    const contents = memoryContents((effect) => {
      if (effect === 'put' && failures.includes(writes++)) throw new Error('S3 answered 503');
    });
    if (place === undefined) throw new Error('The send keeps no content');
    const given = files.length === 0 ? { ...content, attachments: [] } : content;
    const [kept] = await Promise.allSettled([
      contentKeeper(contents)({ place, content: given, files, sealKey }),
    ]);
    const stored = keptContentSchema.safeParse(await contents.get(place, sealKey)).data;
    const read = () =>
      readSendFiles({ send, content: keptContentSchema.parse(stored) }, { contents });
    return { kept: kept.status, contents, stored, read };
  };

  it('are stored before the text that lists them, and read back unchanged', async () => {
    const { kept, stored, read } = await keep([]);

    expect([kept, stored?.hasFiles]).toEqual(['fulfilled', true]);
    expect((await read()).map((one) => Buffer.from(one, 'base64').toString())).toEqual(['Hello']);
  });

  it("that can't be stored are reported and don't affect the text", async () => {
    const { kept, stored, read } = await keep([0]);

    expect(kept).toBe('rejected');
    expect(stored).toEqual(content);
    expect(await serviceErrorOf(read)).toMatchObject({ code: 'attachments_not_kept' });
  });

  it("can't be read without the text", async () => {
    const { kept, stored, contents } = await keep([1]);

    expect([kept, stored, contents.objects.size]).toEqual(['rejected', undefined, 1]);
  });

  it('add no cost to an email without any', async () => {
    const { contents, read } = await keep([], []);

    expect(contents.objects.size).toBe(1);
    expect(await read()).toEqual([]);
  });
});

describe('retention of stored content', () => {
  const sentFor = (days: number, more: Partial<Send> = {}) =>
    buildSend({ sentAt: sendingNow, ...keptFor(days), ...more });

  it('starts when SES took the email', () => {
    expect(contentUntil(sentFor(7))).toBe(sendingNow + 7 * 86_400_000);
  });

  it("is never longer than its send's", () => {
    const expiresAt = sendingNow / 1000 + 60;

    expect(contentUntil(sentFor(7, { expiresAt }))).toBe(sendingNow + 60_000);
  });

  it.each([
    ['was not sent', { sentAt: undefined }],
    ['lost its key to an erasure', { contentKey: undefined }],
    ['was to be kept for no days', { contentDays: undefined }],
  ])('is zero if the email %s', (_what, missing) => {
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
