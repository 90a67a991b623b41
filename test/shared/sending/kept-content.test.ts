import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProviderOutcome } from '#shared/email/email-provider';
import type { Organization } from '#shared/organizations/organization';
import { readSendFiles } from '#shared/send-history/send-content';
import {
  contentPlaceOf,
  contentUntil,
  type KeptContent,
  keepCopy,
  keptContentSchema,
} from '#shared/sending/kept-content';
import type { SentSend } from '#shared/sending/send';
import { recordRejection } from '#shared/sending/send-store';
import { keptDays } from '#shared/stored-content/content-lifetimes';
import { organizationIdOf } from '#shared/tokens/resource-id';
import { keptFor, memoryContents } from '../../support/memory-contents.ts';
import { buildSend } from '../../support/send-builder.ts';
import { openSendWorld, startOfWorld } from '../../support/send-world.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const keeps = { keepContentDays: 30 } satisfies Partial<Organization>;

type World = Parameters<typeof openSendWorld>[0];

/** With a bucket in memory for what is kept. */
async function openKeepingWorld(given: World = { organization: keeps }) {
  const world = await openSendWorld(given);
  const contents = memoryContents();
  Object.assign(world.sending, { keptContents: contents });
  const kept = () => [...contents.objects].map(([name, object]) => ({ name, ...object }));
  return { world, contents, kept };
}

describe("an email's stored content", () => {
  it('is stored once SES has the email, as it was before links were replaced', async () => {
    const { world, contents, kept } = await openKeepingWorld({
      organization: { ...keeps, attachmentsEnabled: true },
    });
    let before: number | undefined;
    world.ses = () => {
      before = contents.objects.size;
      return { kind: 'accepted', providerMessageId: 'message-1' };
    };
    const htmlContent = '<p>Hello <a href="https://example.com/a">Ann</a></p>';
    const attachments = [
      { filename: 'a.txt', contentBase64: 'SGVsbG8=', contentType: 'text/plain' },
    ];

    const { response } = await world.send({ body: { htmlContent, attachments } });

    const { feedbackId, contentKey: sealKey } = world.stored();
    const name = `kept/30/${world.organization.id}/${feedbackId}-1`;
    const content = {
      subject: 'Your receipt',
      content: 'Thank you.',
      htmlContent,
      attachments: [{ filename: 'a.txt', contentType: 'text/plain', size: 5 }],
      hasFiles: true,
    };
    expect([before, response.status]).toEqual([0, 'sent']);
    expect(sealKey).toMatch(/^[\w-]{43}$/);
    expect(kept()).toEqual([
      { name: `${name}-files`, content: ['SGVsbG8='], sealKey },
      { name, content, sealKey },
    ]);
  });

  it("contains no token of the service, but the email's footer", async () => {
    const { world, kept } = await openKeepingWorld({
      organization: { ...keeps, footerText: '1 Example Street' },
    });

    await world.send({
      body: { htmlContent: '<a href="https://example.com">x</a>', policyKey: 'bulk' },
    });

    const footerOf = { name: world.organization.name, footerText: '1 Example Street' };
    expect(JSON.stringify(kept())).not.toMatch(/token|\/t\/[co]\//);
    expect(kept()).toMatchObject([{ content: { footerOf } }]);
  });

  it.each<[string, World]>([
    ['the organization keeps none', { organization: {} }],
    [
      'the policy keeps none',
      {
        organization: {
          ...keeps,
          policies: { transactional: { kind: 'transactional', keepsContent: false } },
        },
      },
    ],
    ['nothing is sent', { organization: keeps, contacts: [{ bounce: { at: 1 } }] }],
  ])("isn't stored, and creates no key, where %s", async (_what, given) => {
    const { world, kept } = await openKeepingWorld(given);

    await world.send();

    expect(kept()).toEqual([]);
    expect(world.stored()).not.toHaveProperty('contentKey');
  });

  it.each<[string, ProviderOutcome]>([
    ['refused', { kind: 'refused', reason: 'MessageRejected' }],
    ['in doubt', { kind: 'unknown', cause: new Error('socket hang up') }],
  ])("isn't stored while the email is %s", async (_what, outcome) => {
    const { world, kept } = await openKeepingWorld();
    world.ses = () => outcome;

    await serviceErrorOf(() => world.send());

    expect(kept()).toEqual([]);
  });

  it("doesn't fail the send when it can't be stored", async () => {
    const { world } = await openKeepingWorld();
    Object.assign(world.sending, {
      keptContents: { put: () => Promise.reject(new Error('S3 answered 503')) },
    });

    const { response } = await world.send();

    expect(response.status).toBe('sent');
    expect(world.lines).toMatchObject([{ level: 'error', message: 'side effect failed' }]);
  });

  it('has its own place and key for each of two attempts', async () => {
    const { world, kept } = await openKeepingWorld();
    await world.send({ idempotencyKey: 'key-1' });
    const acceptance = { providerMessageId: 'message-1', at: startOfWorld };
    await recordRejection(world.sending.table, world.stored(), acceptance, 'Bad content');

    await world.send({ idempotencyKey: 'key-1' });

    const [first, second] = kept();
    expect(second?.name).toBe(first?.name.replace(/-1$/, '-2'));
    expect(second?.sealKey).not.toBe(first?.sealKey);
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
      keepCopy(contents, { place, content: given, files, sealKey }),
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
  const sentFor = (days: number, more: Partial<SentSend> = {}) =>
    buildSend({ status: 'sent', sentAt: startOfWorld, ...keptFor(days), ...more });

  it('starts when SES took the email', () => {
    expect(contentUntil(sentFor(7))).toBe(startOfWorld + 7 * 86_400_000);
  });

  it("is never longer than its send's", () => {
    const expiresAt = startOfWorld / 1000 + 60;

    expect(contentUntil(sentFor(7, { expiresAt }))).toBe(startOfWorld + 60_000);
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
