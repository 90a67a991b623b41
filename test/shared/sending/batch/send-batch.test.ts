import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { newRequestContext } from '#shared/access/request-context';
import { readRequestQuota } from '#shared/access/request-quota-store';
import type { ProviderOutcome } from '#shared/email/email-provider';
import type { Outcome } from '#shared/sending/batch/batch-email';
import { readBatch } from '#shared/sending/batch/batch-request';
import { sendBatch } from '#shared/sending/batch/send-batch';
import { dayOf } from '#shared/timing/day';
import { newOrganizationId, newUploadId } from '#shared/tokens/resource-id';
import { buildAttachmentField } from '../../../support/attachment-builder.ts';
import { memoryContents } from '../../../support/memory-contents.ts';
import { recordLog } from '../../../support/recorded-log.ts';
import { buildSendBody } from '../../../support/send-body-builder.ts';
import { openSendWorld, startOfWorld } from '../../../support/send-world.ts';
import { serviceErrorOf } from '../../../support/service-error.ts';

type Batch = {
  /** To a, b and c unless told otherwise. */
  readonly emails?: readonly unknown[];
  /** Replaces a batch of the emails. */
  readonly body?: unknown;
  readonly validation?: 'strict' | 'permissive';
  readonly batchKey?: string;
};

const mailsTo = (...names: readonly string[]) =>
  names.map((name) => buildSendBody({ to: `${name}@example.com` }));
const several = (count: number) =>
  mailsTo(...Array.from({ length: count }, (_, index) => `n${index}`));
const queued = buildSendBody({ mode: 'queued' });

const bounced = (...names: readonly string[]) =>
  names.map((name) => ({ email: `${name}@example.com`, bounce: { at: 1 } }));

async function openBatches(given: Parameters<typeof openSendWorld>[0] = {}) {
  const world = await openSendWorld(given);
  const contents = memoryContents();
  Object.assign(world.sending, { contents });
  const { table } = world.sending;
  const { log, lines } = recordLog();
  const context = newRequestContext(log);
  return Object.assign(world, {
    ...{ contents, lines, context },
    run: ({ emails = mailsTo('a', 'b', 'c'), validation, batchKey, ...rest }: Batch = {}) => {
      const { body = { emails, ...(validation && { validation }) } } = rest;
      const batch = readBatch({ ok: true, value: body }, batchKey);
      return sendBatch({ credential: world.credential, batch, context }, world.sending);
    },
    attach: (files: Partial<typeof world.sending.attachments>) => {
      Object.assign(world.sending.attachments, files);
    },
    /** Bytes of emails for later that count today. */
    bytesWaiting: () => readRequestQuota(table, world.organization.id, 'WAITING', world.now),
    countOf: (call: RegExp) => world.calls.filter((name) => call.test(name)).length,
  });
}

type World = Awaited<ReturnType<typeof openBatches>>;

/** Of a minute, or ten seconds. */
const counting = /^UpdateItem \d+$/;

/** `sent`, or the error code. */
const codesOf = (outcomes: readonly Outcome[]) =>
  outcomes.map((outcome) => (outcome.ok ? outcome.response.status : outcome.error.code));
const replaysOf = (outcomes: readonly Outcome[]) =>
  outcomes.map((outcome) => outcome.ok && outcome.replayed);

const recipientOf = ({ mailbox }: World) => mailbox.at(-1)?.to[0]?.address ?? '';
const throttled = { kind: 'throttled' } as const;
const refused = { kind: 'refused', reason: 'MessageRejected' } as const;
const accepted = { kind: 'accepted', providerMessageId: 'message-1' } as const;
const gone = async () => ({ kind: 'failed', reason: 'was answered 404' }) as const;

describe('a batch', () => {
  it('reads once, then claims, hands over and commits each email', async () => {
    const contacts = ['a', 'b', 'c'].map((name) => ({ email: `${name}@example.com` }));
    const world = await openBatches({ contacts });

    expect(codesOf(await world.run({ batchKey: 'digest' }))).toEqual(['sent', 'sent', 'sent']);

    const each = ['PutItem SEND', 'SES', 'UpdateItem SEND'];
    expect(world.calls.toSorted()).toEqual(
      ['BatchGetItem', 'BatchGetItem', ...each, ...each, ...each].sort(),
    );
  });

  it('answers in the order of its emails, whichever finishes first', async () => {
    const world = await openBatches();
    world.ses = async () => {
      const providerMessageId = recipientOf(world);
      await sleep(providerMessageId.startsWith('a') ? 20 : 0);
      return { kind: 'accepted', providerMessageId };
    };

    const ids = (await world.run()).map((outcome) => outcome.ok && outcome.response.messageId);

    expect(ids).toEqual(['a@example.com', 'b@example.com', 'c@example.com']);
  });

  it('reports suppressed, refused, failed and unknown emails beside the sent ones', async () => {
    const answers: Readonly<Record<string, ProviderOutcome>> = {
      'failed@example.com': refused,
      'unknown@example.com': { kind: 'unknown', cause: new Error('socket hang up') },
      'busy@example.com': throttled,
    };
    const world = await openBatches({ contacts: bounced('bounced') });
    world.ses = () => answers[recipientOf(world)] ?? accepted;

    const outcomes = await world.run({
      emails: [
        ...mailsTo('bounced', 'nobody@', 'failed', 'unknown', 'busy', 'fine'),
        buildSendBody({ policyKey: 'nope' }),
        buildSendBody({ attachments: [buildAttachmentField()] }),
        'nothing',
      ],
    });

    expect(codesOf(outcomes)).toEqual([
      'suppressed',
      'validation_failed',
      'provider_rejected',
      'provider_outcome_unknown',
      'provider_throttled',
      'sent',
      'unknown_policy',
      'plan_required',
      'validation_failed',
    ]);
    expect(JSON.stringify(world.lines.map(({ fields }) => fields))).not.toContain('example.com');
  });

  it('continues when the table fails for one email', async () => {
    const world = await openBatches();
    world.disturb = async (call) => {
      const claims = world.countOf(/^PutItem SEND$/);
      if (call === 'PutItem SEND' && claims === 2) throw new Error('the table is gone');
    };

    expect(codesOf(await world.run())).toEqual(['sent', 'internal_error', 'sent']);
  });

  it('reads a template once when several emails use it, and remembers its alias', async () => {
    const world = await openBatches();
    await world.putTemplate({ alias: 'receipt' });
    const emails = ['a', 'b'].map((name) => ({
      ...{ to: `${name}@example.com`, template: 'receipt', variables: { name } },
    }));
    const readsOf = async () => {
      world.calls.length = 0;
      expect(codesOf(await world.run({ emails }))).toEqual(['sent', 'sent']);
      return world.countOf(/^(BatchGetItem|GetItem|Query)/);
    };

    // Of the caller, the contacts, the alias and the template.
    expect(await readsOf()).toBe(4);
    expect(await readsOf()).toBe(3);
  });
});

describe('a strict batch', () => {
  const validation = 'strict';

  it('sends nothing when emails are invalid, reports every error, and counts as one', async () => {
    const world = await openBatches({ key: { perMinuteCap: 60 } });

    const error = await serviceErrorOf(() =>
      world.run({
        validation,
        emails: [
          ...mailsTo('a'),
          buildSendBody({ to: 'nobody', subject: '' }),
          buildSendBody({ policyKey: 'nope' }),
          buildSendBody({ attachments: [buildAttachmentField()] }),
        ],
      }),
    );

    expect(error.code).toBe('validation_failed');
    expect(error.errors?.map(({ path }) => path)).toEqual([
      'emails.1.to',
      'emails.1.subject',
      'emails.2.policyKey',
      'emails.3.attachments',
    ]);
    expect(world.sends()).toEqual([]);
    expect(world.context.rateLimit).toMatchObject({ remaining: 59 });
  });

  it('is sent when all emails are valid, even if SES refuses one', async () => {
    const world = await openBatches();
    world.ses = () => (recipientOf(world) === 'a@example.com' ? refused : accepted);

    const outcomes = await world.run({ validation });

    expect(codesOf(outcomes)).toEqual(['provider_rejected', 'sent', 'sent']);
  });

  const withFiles = { attachmentsEnabled: true, id: newOrganizationId() };
  const logo = { url: 'https://files.example.com/logo.png' };
  const upload = {
    filename: 'terms.pdf',
    contentType: 'application/pdf',
    uploadId: newUploadId(withFiles.id, 8),
  };

  it.each([
    ['a file that cannot be fetched', { attachments: [logo] }, 'attachments.0.url'],
    ['an upload that never arrived', { attachments: [upload] }, 'attachments.0.uploadId'],
    ['a file of an email for later', { attachments: [logo], mode: 'queued' }, 'attachments.0.url'],
    ['a time too far ahead', { sendAt: startOfWorld + 31 * 86_400_000 }, 'sendAt'],
    ['a time long past', { sendAt: startOfWorld - 6 * 60_000 }, 'sendAt'],
    ['a second way out', { headers: { 'List-Unsubscribe': '<x>' } }, 'headers.List-Unsubscribe'],
  ])('sends, stores and counts nothing for %s', async (_, fields, path) => {
    const world = await openBatches({
      organization: { ...withFiles, limits: { sendsPerSecond: 1 } },
      attachments: { fetchFile: gone },
    });
    const emails = [...mailsTo('a'), buildSendBody(fields)];

    const error = await serviceErrorOf(() => world.run({ validation, emails }));

    expect(error.code).toBe('validation_failed');
    expect(error.errors?.map((one) => one.path)).toEqual([`emails.1.${path}`]);
    expect(world.countOf(/^(Put|Update)Item/)).toBe(0);
    expect(world.contents.objects.size).toBe(0);
  });

  const fetched = {
    kind: 'fetched',
    file: { bytes: Buffer.alloc(1_000_000), contentType: 'image/png', filename: 'logo.png' },
  } as const;
  const withLogo = ['a', 'b'].map((name) =>
    buildSendBody({ to: `${name}@example.com`, attachments: [{ url: `${logo.url}?${name}` }] }),
  );

  it('loads each file once, before the first email is claimed', async () => {
    const world = await openBatches({ organization: withFiles });
    const claimed: number[] = [];
    const fetchFile = async () => {
      claimed.push(world.sends().length);
      return fetched;
    };
    world.attach({ fetchFile });

    const outcomes = await world.run({ validation, emails: withLogo });

    expect(codesOf(outcomes)).toEqual(['sent', 'sent']);
    expect(claimed).toEqual([0, 0]);
    expect(world.mailbox.map(({ attachments }) => attachments.length)).toEqual([1, 1]);
  });

  it('loads no file of an email without recipients', async () => {
    const world = await openBatches({
      organization: withFiles,
      contacts: bounced('a'),
      attachments: { fetchFile: gone },
    });

    const outcomes = await world.run({ validation, emails: withLogo.slice(0, 1) });

    expect(codesOf(outcomes)).toEqual(['suppressed']);
  });

  it('replays each email even if its file is gone and the limit is used up', async () => {
    const world = await openBatches({ organization: withFiles });
    world.attach({ fetchFile: async () => fetched });
    const batch = { validation, batchKey: 'digest', emails: withLogo } as const;
    const first = await world.run(batch);
    world.attach({ fetchFile: gone });
    await world.change({ limits: { recipientsPerDay: 0 } });

    const second = await world.run(batch);

    expect(codesOf(first)).toEqual(['sent', 'sent']);
    expect(second).toEqual(first.map((outcome) => ({ ...outcome, replayed: true })));
  });

  it('sends nothing when a key was used with another body', async () => {
    const world = await openBatches();
    const batch = { validation, batchKey: 'digest' } as const;
    await world.run({ ...batch, emails: mailsTo('a') });

    const error = await serviceErrorOf(() => world.run({ ...batch, emails: mailsTo('x', 'b') }));

    expect(error.code).toBe('validation_failed');
    expect(error.errors).toEqual([
      { path: 'emails.0', message: expect.stringContaining('idempotency key') },
    ]);
    expect(world.mailbox).toHaveLength(1);
  });

  it.each([
    ['the day', { recipientsPerDay: 13 }, 'daily_recipients_exhausted'],
    ['the rate', { sendsPerSecond: 1 }, 'organization_rate_limited'],
  ])('sends nothing when only some emails fit in %s', async (_, limits, code) => {
    const dayUse = { day: dayOf(startOfWorld), recipients: 11, stored: 11 };
    const world = await openBatches({ organization: { limits, dayUse } });
    if (code === 'organization_rate_limited') await world.run({ emails: several(8) });
    world.mailbox.length = 0;

    const error = await serviceErrorOf(() => world.run({ validation }));

    expect(error).toMatchObject({ code, retryAfterSeconds: expect.any(Number) });
    expect(world.mailbox).toEqual([]);
  });

  it('gets a permanent error, and counts nothing, when it exceeds a whole day’s limit', async () => {
    const limits = { recipientsPerDay: 2, sendsPerSecond: 50 };
    const world = await openBatches({ organization: { limits } });

    const { code } = await serviceErrorOf(() => world.run({ validation }));

    expect(code).toBe('recipients_exceed_cap');
    expect(world.countOf(counting)).toBe(0);
  });

  it('gives back what scheduled emails counted when a limit refuses the others', async () => {
    const world = await openBatches({ organization: { limits: { recipientsPerDay: 0 } } });
    const emails = [queued, ...mailsTo('a', 'b')];

    const { code } = await serviceErrorOf(() => world.run({ validation, emails }));

    expect(code).toBe('recipients_exceed_cap');
    expect(world.countOf(/^UpdateItem WAITING$/)).toBe(2);
    expect(await world.bytesWaiting()).toBe(0);
    expect(world.sends()).toEqual([]);
  });

  it('reserves the bytes of all scheduled emails at once, and stores none if they don’t fit', async () => {
    const size = JSON.stringify(queued).length;
    const limits = { waitingBytesPerDay: 4 * size - 1 };
    const world = await openBatches({ organization: { limits } });
    const batch = { validation, emails: [queued, queued] } as const;

    const first = await world.run(batch);
    const counted = world.countOf(/^UpdateItem WAITING$/);
    const error = await serviceErrorOf(() => world.run(batch));

    expect(codesOf(first)).toEqual(['queued', 'queued']);
    expect(counted).toBe(1);
    expect(error.code).toBe('waiting_limit_reached');
    expect(await world.bytesWaiting()).toBe(2 * size);
    expect(world.contents.objects.size).toBe(2);
    expect(world.sends()).toHaveLength(2);
  });

  it('gives back the bytes of an email that another request claimed in between', async () => {
    const world = await openBatches();
    const emails = [{ ...queued, idempotencyKey: 'one' }];
    let reads = 0;
    world.disturb = async (call) => {
      if (call === 'GetItem SEND') reads += 1;
      if (call === 'GetItem SEND' && reads === 2) await world.run({ emails });
    };

    expect(await world.run({ validation, emails })).toMatchObject([{ ok: true, replayed: true }]);

    expect(await world.bytesWaiting()).toBe(JSON.stringify(emails[0]).length);
    expect(world.contents.objects.size).toBe(1);
  });
});

describe('a repeated batch', () => {
  const batchKey = 'digest';

  it('replays each email, and sends none', async () => {
    const world = await openBatches();
    const first = await world.run({ batchKey });

    const second = await world.run({ batchKey });

    expect(second).toEqual(first.map((outcome) => ({ ...outcome, replayed: true })));
    expect(world.mailbox).toHaveLength(3);
  });

  it('refuses the one email that changed, and replays the others', async () => {
    const world = await openBatches();
    await world.run({ batchKey });

    const outcomes = await world.run({ batchKey, emails: mailsTo('a', 'x', 'c') });

    expect(codesOf(outcomes)).toEqual(['sent', 'idempotency_key_reused', 'sent']);
    expect(replaysOf(outcomes)).toEqual([true, false, true]);
  });

  it('sends an invalid email once it is fixed', async () => {
    const world = await openBatches();
    await world.run({ batchKey, emails: [...mailsTo('a'), buildSendBody({ to: 'nobody' })] });

    const outcomes = await world.run({ batchKey, emails: mailsTo('a', 'b') });

    expect(codesOf(outcomes)).toEqual(['sent', 'sent']);
    expect(replaysOf(outcomes)).toEqual([true, false]);
  });
});

describe('a key’s caps', () => {
  it('count all emails’ recipients at once, and one for each invalid email', async () => {
    const world = await openBatches({ key: { perMinuteCap: 60, dailyCap: 4 } });
    const emails = [
      buildSendBody({ to: ['a@example.com', 'b@example.com'] }),
      buildSendBody({ to: 'nobody' }),
      ...mailsTo('c'),
    ];

    await world.run({ emails });

    expect(world.countOf(/^UpdateItem (\d|DAY)/)).toBe(2);
    expect(world.context.rateLimit).toMatchObject({ remaining: 56 });
    const { code } = await serviceErrorOf(() => world.run({ emails: mailsTo('d') }));
    expect(code).toBe('rate_limited');
  });

  it('refuse the whole batch, before anything is claimed', async () => {
    const world = await openBatches({ key: { perMinuteCap: 5 } });
    await world.run();

    const error = await serviceErrorOf(() => world.run());

    expect(error).toMatchObject({ code: 'rate_limited', retryAfterSeconds: expect.any(Number) });
    expect(world.sends()).toHaveLength(3);
  });

  it('report when the batch can never fit', async () => {
    const world = await openBatches({ key: { perMinuteCap: 2 } });

    const { code } = await serviceErrorOf(() => world.run());

    expect(code).toBe('recipients_exceed_cap');
  });

  it.each([[{}], [{ emails: 'none' }], [[]]])(
    'count an invalid batch body as one request, and read nothing for it: %j',
    async (body) => {
      const world = await openBatches({ key: { perMinuteCap: 60 } });

      const { code } = await serviceErrorOf(() => world.run({ body }));

      expect(code).toBe('validation_failed');
      expect(world.calls).toEqual(['BatchGetItem', expect.stringMatching(counting)]);
      expect(world.context.rateLimit).toMatchObject({ remaining: 59 });
    },
  );
});

describe('an organization’s daily storage limit', () => {
  const contacts = bounced('a', 'b', 'c');
  const organization = { limits: { recipientsPerDay: 2 } };

  it('counts emails even when all their recipients are suppressed', async () => {
    const world = await openBatches({ contacts, organization });

    expect(codesOf(await world.run())).toEqual([
      'suppressed',
      'suppressed',
      'daily_recipients_exhausted',
    ]);
    expect(world.sends()).toHaveLength(2);
  });

  it('lets nothing of a strict batch that exceeds it be stored', async () => {
    const world = await openBatches({ contacts, organization });

    const { code } = await serviceErrorOf(() => world.run({ validation: 'strict' }));

    expect(code).toBe('daily_recipients_exhausted');
    expect(world.sends()).toEqual([]);
  });
});

describe('an organization’s sending limits', () => {
  const batchKey = 'digest';

  /** Ten may go out in ten seconds: so many of them have. */
  async function openUsed(used: number) {
    const world = await openBatches({ organization: { limits: { sendsPerSecond: 1 } } });
    await world.run({ emails: several(used) });
    world.calls.length = 0;
    return world;
  }

  it('let through as many emails as fit, in order, and count once', async () => {
    const world = await openUsed(8);

    const outcomes = await world.run({ batchKey });

    expect(codesOf(outcomes)).toEqual(['sent', 'sent', 'organization_rate_limited']);
    expect(world.countOf(counting)).toBe(1);
  });

  it('need no read of the sends while all fit', async () => {
    const world = await openUsed(7);

    expect(codesOf(await world.run({ batchKey }))).toEqual(['sent', 'sent', 'sent']);
    expect(world.countOf(/^GetItem/)).toBe(0);
  });

  it('let a repeated batch get further each time, however few emails fit', async () => {
    const world = await openUsed(8);
    const counts: number[] = [];
    for (let round = 1; round <= 3; round += 1) {
      const outcomes = await world.run({ batchKey, emails: mailsTo('a', 'b', 'c', 'd', 'e') });
      counts.push(outcomes.filter(({ ok }) => ok).length);
      world.now += 10_000;
      await world.run({ emails: several(8) });
    }

    expect(counts).toEqual([2, 4, 5]);
  });

  it('refuse each email when the daily limit is used up', async () => {
    const dayUse = { day: dayOf(startOfWorld), recipients: 4, stored: 4 };
    const world = await openBatches({ organization: { limits: { recipientsPerDay: 5 }, dayUse } });

    expect(codesOf(await world.run())).toEqual([
      'sent',
      'daily_recipients_exhausted',
      'daily_recipients_exhausted',
    ]);
  });

  it('refuse a paused organization’s whole batch', async () => {
    const world = await openBatches({ organization: { paused: true } });

    const { code } = await serviceErrorOf(() => world.run());

    expect(code).toBe('tenant_paused');
    expect(world.sends()).toEqual([]);
  });

  it('count scheduled emails only when they go out', async () => {
    const world = await openBatches({ organization: { limits: { sendsPerSecond: 1 } } });

    const outcomes = await world.run({ emails: [queued, ...mailsTo('a')] });

    expect(codesOf(outcomes)).toEqual(['queued', 'sent']);
    const others = codesOf(await world.run({ emails: several(10) }));
    expect(others.filter((code) => code === 'sent')).toHaveLength(9);
  });

  it.each(['strict', 'permissive'] as const)(
    'count all tests of a %s batch, including those without recipients',
    async (validation) => {
      const world = await openBatches({
        key: { test: true },
        contacts: bounced('a'),
        organization: { limits: { recipientsPerDay: 2 } },
      });

      const outcomes = await world.run({ validation, emails: mailsTo('a', 'b') });

      expect(codesOf(outcomes)).toEqual(['suppressed', 'sent']);
      const further = await world.run({ emails: mailsTo('c') });
      expect(codesOf(further)).toEqual(['daily_recipients_exhausted']);
    },
  );
});

describe('the pace of a batch', () => {
  /** Each call of SES takes some time. Returns how many are under way at each. */
  function slowDown(world: World, tookMs: number, answer = (): ProviderOutcome => accepted) {
    let underWay = 0;
    const widths: number[] = [];
    world.ses = async () => {
      underWay += 1;
      widths.push(underWay);
      await sleep(1);
      world.now += tookMs;
      underWay -= 1;
      return answer();
    };
    return widths;
  }

  it('allows at most 16 emails in flight', async () => {
    const world = await openBatches();
    const widths = slowDown(world, 0);

    await world.run({ emails: several(100) });

    expect(Math.max(...widths)).toBe(16);
  });

  it('drops to one in flight when SES throttles', async () => {
    const world = await openBatches();
    let answers = 0;
    const widths = slowDown(world, 0, () => {
      answers += 1;
      return answers <= 16 ? throttled : accepted;
    });

    const outcomes = await world.run({ emails: several(100) });

    expect(widths.slice(-60)).toEqual(Array.from({ length: 60 }, () => 1));
    expect(codesOf(outcomes).filter((code) => code === 'sent')).toHaveLength(84);
  });

  it.each([
    ['leaves to workers what SES throttles', 'monday', {}, 'queued', 'queued'],
    [
      'asks again for what SES throttles where no more may be stored',
      'monday',
      { waitingBytesPerDay: 1 },
      'provider_throttled',
      'failed',
    ],
    [
      'asks again for what SES throttles without a key: it would be another send',
      undefined,
      {},
      'provider_throttled',
      'failed',
    ],
  ])('%s', async (_, batchKey, limits, code, status) => {
    const world = await openBatches({ organization: { limits } });
    world.ses = () => (recipientOf(world) === 'a@example.com' ? throttled : accepted);

    const outcomes = await world.run({
      ...(batchKey && { batchKey }),
      emails: mailsTo('a', 'b'),
    });

    expect(codesOf(outcomes)).toEqual([code, 'sent']);
    expect(world.sends().find(({ toEmail }) => toEmail === 'a@example.com')).toMatchObject({
      status,
      attempts: [{ reason: 'Throttled' }],
    });
    expect(world.contents.objects.size).toBe(status === 'queued' ? 1 : 0);
  });

  it('leaves emails not begun after 15 s to the workers', async () => {
    const world = await openBatches();
    slowDown(world, 1_000);

    const codes = codesOf(await world.run({ emails: several(100) }));

    const left = codes.filter((code) => code === 'queued').length;
    expect(left).toBeGreaterThan(35);
    expect(codes.filter((code) => code === 'sent')).toHaveLength(100 - left);
    expect(world.mailbox).toHaveLength(100 - left);
    expect(world.contents.objects.size).toBe(left);
  });

  it('asks the caller to retry emails not begun when the day’s storage limit is used up', async () => {
    const limits = { waitingBytesPerDay: 2_000 };
    const world = await openBatches({ organization: { limits } });
    await world.run({ emails: [{ ...queued, content: 'x'.repeat(1_900) }] });
    slowDown(world, 1_000);

    const [later, ...others] = codesOf(await world.run({ emails: [queued, ...several(99)] }));

    expect(later).toBe('waiting_limit_reached');
    expect(new Set(others)).toEqual(new Set(['sent', 'provider_throttled']));
    expect(world.mailbox).toHaveLength(others.filter((code) => code === 'sent').length);
    expect(world.sends()).toHaveLength(world.mailbox.length + 1);
  });

  it('claims nothing for an email when there is no time left to store it', async () => {
    const world = await openBatches();
    slowDown(world, 30_000);

    const codes = codesOf(await world.run({ emails: several(100) }));

    const begun = world.sends().length;
    expect(begun).toBeLessThan(35);
    expect(new Set(codes.slice(begun))).toEqual(new Set(['provider_throttled']));
  });

  it('replays earlier sends, however little time is left', async () => {
    const world = await openBatches();
    const emails = several(100).map((email, place) => ({ ...email, idempotencyKey: `${place}` }));
    await world.run({ emails: emails.slice(20, 60) });
    slowDown(world, 30_000);

    const outcomes = await world.run({ emails });

    expect(new Set(replaysOf(outcomes.slice(20, 60)))).toEqual(new Set([true]));
    expect(new Set(codesOf(outcomes.slice(60)))).toEqual(new Set(['provider_throttled']));
  });

  it('gives each email the full time of an attempt, from when it starts', async () => {
    const world = await openBatches();
    slowDown(world, 1_000);

    await world.run({ emails: several(20) });

    const [first, last] = [world.mailbox[0], world.mailbox.at(-1)];
    expect(last?.beginsBefore).toBeGreaterThan(first?.beginsBefore ?? Infinity);
    expect(last?.endsBefore).toBeGreaterThan(first?.endsBefore ?? Infinity);
  });

  it('leaves each email for later to workers in its own words', async () => {
    const world = await openBatches();
    const emails = mailsTo('a', 'b', 'c').map((email) => ({ ...email, mode: 'queued' }));

    await world.run({ emails });

    const stored = [...world.contents.objects.values()].map(({ content }) => content);
    expect(stored).toEqual(emails);
  });
});
