import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { Organization } from '#shared/organizations/organization';
import { readBatch } from '#shared/sending/batch/batch-request';
import type { Outcome } from '#shared/sending/batch/judged-email';
import { sendBatch } from '#shared/sending/batch/send-batch';
import type { Send } from '#shared/sending/send';
import {
  newOrganizationId,
  newTemplateId,
  newUploadId,
  slotIdIn,
} from '#shared/tokens/resource-id';
import { buildApiKey } from '../../../support/api-key-builder.ts';
import { buildAttachmentField } from '../../../support/attachment-builder.ts';
import { buildContact } from '../../../support/contact-builder.ts';
import { buildOrganization } from '../../../support/organization-builder.ts';
import { recordLog } from '../../../support/recorded-log.ts';
import { buildSendBody } from '../../../support/send-body-builder.ts';
import {
  fakeSending,
  type SendingOverrides,
  type SendingWorld,
  sendingNow,
} from '../../../support/sending-builder.ts';
import { serviceErrorOf } from '../../../support/service-error.ts';
import { buildTemplate } from '../../../support/template-builder.ts';

type Scenario = {
  readonly emails?: readonly unknown[];
  /** Replaces a batch of the emails. */
  readonly body?: unknown;
  readonly validation?: 'strict' | 'permissive';
  readonly batchKey?: string;
  readonly key?: Parameters<typeof buildApiKey>[0];
  readonly organization?: Partial<Organization>;
  readonly contacts?: Parameters<typeof buildContact>[0][];
  readonly templates?: SendingWorld['templates'];
  readonly overrides?: SendingOverrides;
};

/** A batch to a, b, c … that succeeds unless the scenario says otherwise. */
function prepare(scenario: Scenario = {}) {
  const organization = buildOrganization(scenario.organization);
  const { text, apiKey } = buildApiKey({ organizationId: organization.id, ...scenario.key });
  const contacts = scenario.contacts?.map((contact) => buildContact(contact));
  const { sending, effects } = fakeSending(
    {
      apiKey,
      organization,
      ...(contacts && { contacts }),
      ...(scenario.templates && { templates: scenario.templates }),
    },
    scenario.overrides,
  );
  const { log, lines } = recordLog();
  const { emails = mailsTo('a', 'b', 'c'), validation } = scenario;
  const body = scenario.body ?? { emails, ...(validation && { validation }) };
  const run = () =>
    sendBatch(
      {
        credential: text,
        batch: readBatch(() => body, scenario.batchKey),
        log,
        logOf: (place) => log.part({ place }),
        onKey: () => {},
        onRateLimit: () => {},
        onAttachments: () => {},
      },
      sending,
    );
  const argsOf = (wanted: string) =>
    effects.filter(({ name }) => name === wanted).map(({ args }) => args);
  return { run, effects, argsOf, lines };
}

const mailsTo = (...names: readonly string[]) =>
  names.map((name) => buildSendBody({ to: `${name}@example.com` }));

/** `sent`, or the error code. */
const codesOf = (outcomes: readonly Outcome[]) =>
  outcomes.map((outcome) => (outcome.ok ? outcome.response.status : outcome.error.code));

/** Claims as a table does that keeps earlier claims. */
function remembering(): SendingOverrides {
  const stored = new Map<string, Send>();
  const key = ({ idempotencyKey }: Send) => `${idempotencyKey}`;
  return {
    claims: {
      claim: async (wanted, judge) => {
        const existing = stored.get(key(wanted));
        if (existing !== undefined) {
          const verdict = judge(existing, wanted);
          if (verdict.kind !== 'next_attempt') return verdict;
        }
        stored.set(key(wanted), wanted);
        return { kind: 'claimed', send: wanted };
      },
      get: async (slotId) => [...stored.values()].find(({ id }) => slotIdIn(id) === slotId),
    },
    settlements: {
      commitAcceptance: async (send, { providerMessageId, at }) => {
        const settled = { ...send, status: 'sent', providerMessageId, sentAt: at } as const;
        stored.set(key(send), settled);
        return { kind: 'settled', send: settled };
      },
    },
  };
}

describe('a batch', () => {
  it('reads once, then claims, hands over and commits each email', async () => {
    const { run, effects, argsOf } = prepare();

    expect(codesOf(await run())).toEqual(['sent', 'sent', 'sent']);
    expect(effects[0]?.name).toBe('contexts.read');
    for (const [name, times] of [
      ['contexts.read', 1],
      ['contexts.readContacts', 1],
      ['claims.claim', 3],
      ['callProvider', 3],
      ['settlements.commitAcceptance', 3],
      ['claims.get', 0],
    ] as const) {
      expect(argsOf(name)).toHaveLength(times);
    }
  });

  it('answers in the order of its emails, whichever finishes first', async () => {
    const callProvider: SendingOverrides['callProvider'] = async ({ to }) => {
      const [name = ''] = to.map(({ address }) => address);
      await sleep(name.startsWith('a') ? 20 : 0);
      return { kind: 'accepted', providerMessageId: name };
    };
    const { run } = prepare({ overrides: { callProvider } });

    const ids = (await run()).map((outcome) => outcome.ok && outcome.response.messageId);

    expect(ids).toEqual(['a@example.com', 'b@example.com', 'c@example.com']);
  });

  it('reports suppressed, refused, failed and unknown emails beside the sent ones', async () => {
    const outcomesOf: Record<string, Awaited<ReturnType<ProviderCall>>> = {
      'failed@example.com': { kind: 'rejected', reason: 'MessageRejected' },
      'unknown@example.com': { kind: 'unknown', cause: new Error('socket hang up') },
      'busy@example.com': { kind: 'throttled' },
    };
    const callProvider: ProviderCall = async ({ to: [first] }) =>
      outcomesOf[first?.address ?? ''] ?? { kind: 'accepted', providerMessageId: 'message-1' };
    const { run, lines } = prepare({
      emails: [
        ...mailsTo('bounced', 'nobody@', 'failed', 'unknown', 'busy', 'fine'),
        buildSendBody({ policyKey: 'nope' }),
        buildSendBody({ attachments: [buildAttachmentField()] }),
        'nothing',
      ],
      contacts: [{ email: 'bounced@example.com', bounce: { at: 1 } }],
      overrides: { callProvider },
    });

    expect(codesOf(await run())).toEqual([
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
    expect(lines.every(({ fields }) => !JSON.stringify(fields).includes('example.com'))).toBe(true);
  });

  it('continues when a store fails for one email', async () => {
    const overrides: SendingOverrides = {
      claims: {
        claim: async (send) => {
          if (send.toEmail === 'b@example.com') throw new Error('table is gone');
          return { kind: 'claimed', send };
        },
      },
    };

    expect(codesOf(await prepare({ overrides }).run())).toEqual(['sent', 'internal_error', 'sent']);
  });

  it('reads a template once when several emails use it', async () => {
    const organization = buildOrganization();
    const template = buildTemplate({ id: newTemplateId(organization.id) });
    const emails = ['a', 'b'].map((name) => ({
      to: `${name}@example.com`,
      templateId: template.id,
      variables: { name },
    }));
    const { run, argsOf } = prepare({ emails, organization, templates: [template] });

    expect(codesOf(await run())).toEqual(['sent', 'sent']);
    expect(argsOf('templates.read')).toHaveLength(1);
  });
});

type ProviderCall = NonNullable<SendingOverrides['callProvider']>;

describe('a strict batch', () => {
  it('sends nothing when emails are invalid, and reports every error', async () => {
    const { run, argsOf } = prepare({
      validation: 'strict',
      key: { perMinuteCap: 60 },
      emails: [
        ...mailsTo('a'),
        buildSendBody({ to: 'nobody', subject: '' }),
        buildSendBody({ policyKey: 'nope' }),
        buildSendBody({ attachments: [buildAttachmentField()] }),
      ],
    });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('validation_failed');
    expect(error.errors?.map(({ path }) => path)).toEqual([
      'emails.1.to',
      'emails.1.subject',
      'emails.2.policyKey',
      'emails.3.attachments',
    ]);
    expect(argsOf('claims.claim')).toEqual([]);
    expect(argsOf('rateWindows.count')).toEqual([
      [expect.anything(), sendingNow, { recipients: 1, cap: 60 }],
    ]);
  });

  it('is sent when all emails are valid, even if SES refuses one', async () => {
    const callProvider: ProviderCall = async ({ to: [first] }) =>
      first?.address === 'a@example.com'
        ? { kind: 'rejected', reason: 'MessageRejected' }
        : { kind: 'accepted', providerMessageId: 'message-1' };
    const { run } = prepare({ validation: 'strict', overrides: { callProvider } });

    expect(codesOf(await run())).toEqual(['provider_rejected', 'sent', 'sent']);
  });

  const withFiles = { attachmentsEnabled: true, id: buildOrganization().id };
  const gone: NonNullable<SendingOverrides['fetchFile']> = async () => ({
    kind: 'failed',
    reason: 'was answered 404',
  });
  const logo = { url: 'https://files.example.com/logo.png' };
  const upload = () => ({
    filename: 'terms.pdf',
    contentType: 'application/pdf',
    uploadId: newUploadId(withFiles.id, 8),
  });

  it.each([
    ['a file that cannot be fetched', { attachments: [logo] }, 'attachments.0.url'],
    ['an upload that never arrived', { attachments: [upload()] }, 'attachments.0.uploadId'],
    ['a file of an email for later', { attachments: [logo], mode: 'queued' }, 'attachments.0.url'],
    ['a time too far ahead', { sendAt: sendingNow + 31 * 86_400_000 }, 'sendAt'],
    ['a time long past', { sendAt: sendingNow - 6 * 60_000 }, 'sendAt'],
    ['a second way out', { headers: { 'List-Unsubscribe': '<x>' } }, 'headers.List-Unsubscribe'],
  ])('sends and stores nothing for %s', async (_, fields, path) => {
    const { run, effects } = prepare({
      validation: 'strict',
      organization: withFiles,
      emails: [...mailsTo('a'), buildSendBody({ ...fields })],
      overrides: { fetchFile: gone, fetchUpload: async () => undefined },
    });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('validation_failed');
    expect(error.errors?.map((one) => one.path)).toEqual([`emails.1.${path}`]);
    expect(effects.map(({ name }) => name)).not.toContain('claims.claim');
    expect(effects.map(({ name }) => name)).not.toContain('rateWindows.countOfOrganization');
  });

  it('loads each file once, before the first email is claimed', async () => {
    const emails = ['a', 'b'].map((name) =>
      buildSendBody({
        to: `${name}@example.com`,
        attachments: [{ ...logo, url: `${logo.url}?${name}` }],
      }),
    );
    const { run, effects } = prepare({ validation: 'strict', organization: withFiles, emails });

    expect(codesOf(await run())).toEqual(['sent', 'sent']);

    const names = effects.map(({ name }) => name);
    expect(names.filter((name) => name === 'fetchFile')).toHaveLength(2);
    expect(names.lastIndexOf('fetchFile')).toBeLessThan(names.indexOf('claims.claim'));
  });

  it('loads no file of an email without recipients', async () => {
    const { run } = prepare({
      validation: 'strict',
      organization: withFiles,
      contacts: [{ email: 'a@example.com', bounce: { at: 1 } }],
      emails: [buildSendBody({ to: 'a@example.com', attachments: [logo] })],
      overrides: { fetchFile: gone },
    });

    expect(codesOf(await run())).toEqual(['suppressed']);
  });

  it('replays each email even if its file is gone and the limit is used up', async () => {
    const emails = ['a', 'b'].map((name) =>
      buildSendBody({ to: `${name}@example.com`, attachments: [logo] }),
    );
    const overrides = remembering();
    const batch = { validation: 'strict', batchKey: 'digest', emails } as const;
    const first = await prepare({ ...batch, organization: withFiles, overrides }).run();
    const limits = { recipientsPerDay: 0 };

    const second = await prepare({
      ...batch,
      organization: { ...withFiles, limits },
      overrides: { ...overrides, fetchFile: gone },
    }).run();

    expect(codesOf(first)).toEqual(['sent', 'sent']);
    expect(second).toEqual(first.map((outcome) => ({ ...outcome, replayed: true })));
  });

  it('sends nothing when a key was used with another body', async () => {
    const overrides = remembering();
    const organization = { id: buildOrganization().id };
    const batch = { validation: 'strict', batchKey: 'digest', organization, overrides } as const;
    await prepare({ ...batch, emails: mailsTo('a') }).run();
    const { run, argsOf } = prepare({ ...batch, emails: mailsTo('x', 'b') });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('validation_failed');
    expect(error.errors).toEqual([
      { path: 'emails.0', message: expect.stringContaining('idempotency key') },
    ]);
    expect(argsOf('claims.claim')).toEqual([]);
  });

  it.each([
    ['the day', { recipientsPerDay: 5 }, 'daily_recipients_exhausted'],
    ['the rate', { sendsPerSecond: 1 }, 'organization_rate_limited'],
  ])('sends nothing when %s has room for only some emails', async (_, limits, code) => {
    const day = new Date(sendingNow).toISOString().slice(0, 10);
    const { run, argsOf } = prepare({
      validation: 'strict',
      organization: { limits, dayUse: { day, recipients: 3, stored: 3 } },
      overrides: { rateWindows: { countOfOrganization: async () => 8 } },
    });

    const error = await serviceErrorOf(run);

    expect(error).toMatchObject({ code, retryAfterSeconds: expect.any(Number) });
    expect(argsOf('claims.claim')).toEqual([]);
  });

  it("gets a permanent error when it exceeds a whole day's limit", async () => {
    const { run, argsOf } = prepare({
      validation: 'strict',
      organization: { limits: { recipientsPerDay: 2, sendsPerSecond: 50 } },
    });

    expect((await serviceErrorOf(run)).code).toBe('recipients_exceed_cap');
    expect(argsOf('rateWindows.countOfOrganization')).toEqual([]);
  });

  it('gives back what scheduled emails counted when a limit refuses the others', async () => {
    const giveBack = vi.fn(async () => {});
    const take = vi.fn(async (..._: readonly unknown[]) => true);
    const { run, argsOf } = prepare({
      validation: 'strict',
      emails: [buildSendBody({ mode: 'queued' }), ...mailsTo('a', 'b')],
      organization: { limits: { recipientsPerDay: 0 } },
      overrides: { dayQuotas: { take, giveBack } },
    });

    expect((await serviceErrorOf(run)).code).toBe('recipients_exceed_cap');

    const [, , bytes] = take.mock.calls[0] ?? [];
    expect(take).toHaveBeenCalledOnce();
    expect(giveBack).toHaveBeenCalledExactlyOnceWith(
      expect.anything(),
      'WAITING',
      bytes,
      sendingNow,
    );
    expect(argsOf('claims.claim')).toEqual([]);
  });

  it("reserves the bytes of all scheduled emails at once, and stores none if they don't fit", async () => {
    const emails = ['a', 'b'].map((name) =>
      buildSendBody({ to: `${name}@example.com`, mode: 'queued' }),
    );
    const put = vi.fn(async () => {});
    const fits = vi.fn(async (..._: readonly unknown[]) => true);
    const batch = { validation: 'strict', emails } as const;
    await prepare({ ...batch, overrides: { contents: { put }, dayQuotas: { take: fits } } }).run();
    const full = prepare({ ...batch, overrides: { dayQuotas: { take: async () => false } } });

    const error = await serviceErrorOf(full.run);

    const bytes = emails.reduce((sum, email) => sum + JSON.stringify(email).length, 0);
    expect(fits).toHaveBeenCalledOnce();
    expect(fits.mock.calls[0]?.[2]).toBe(bytes);
    expect(put).toHaveBeenCalledTimes(2);
    expect(error.code).toBe('waiting_limit_reached');
    expect(full.argsOf('claims.claim')).toEqual([]);
  });

  it('gives back the bytes of an email that another request claimed in between', async () => {
    const giveBack = vi.fn(async (..._: readonly unknown[]) => {});
    const remembered = remembering();
    const email = buildSendBody({ mode: 'queued', idempotencyKey: 'one' });
    const organization = { id: buildOrganization().id };
    const contents = { put: async () => {}, remove: async () => {} };
    let reads = 0;
    const { run } = prepare({
      validation: 'strict',
      emails: [email],
      organization,
      overrides: {
        ...remembered,
        contents,
        dayQuotas: { take: async () => true, giveBack },
        claims: {
          ...remembered.claims,
          get: async (slotId, now) => {
            reads += 1;
            if (reads === 2) await other.run();
            return remembered.claims?.get?.(slotId, now);
          },
        },
      },
    });
    const other = prepare({
      emails: [email],
      organization,
      overrides: { ...remembered, contents },
    });

    expect(await run()).toMatchObject([{ ok: true, replayed: true }]);

    expect(giveBack.mock.calls.map(([, , bytes]) => bytes)).toEqual([JSON.stringify(email).length]);
  });
});

describe('a repeated batch', () => {
  it('replays each email, and sends none', async () => {
    const { run, argsOf } = prepare({ batchKey: 'digest', overrides: remembering() });
    const first = await run();

    const second = await run();

    expect(second).toEqual(first.map((outcome) => ({ ...outcome, replayed: true })));
    expect(argsOf('callProvider')).toHaveLength(3);
  });

  it('refuses the one email that changed, and replays the others', async () => {
    const overrides = remembering();
    await prepareFor(overrides, mailsTo('a', 'b', 'c'))();

    const outcomes = await prepareFor(overrides, mailsTo('a', 'x', 'c'))();

    expect(codesOf(outcomes)).toEqual(['sent', 'idempotency_key_reused', 'sent']);
    expect(outcomes.map((outcome) => outcome.ok && outcome.replayed)).toEqual([true, false, true]);
  });

  it('sends an invalid email once it is fixed', async () => {
    const overrides = remembering();
    await prepareFor(overrides, [...mailsTo('a'), buildSendBody({ to: 'nobody' })])();

    const outcomes = await prepareFor(overrides, mailsTo('a', 'b'))();

    expect(outcomes).toMatchObject([
      { ok: true, replayed: true },
      { ok: true, replayed: false },
    ]);
  });

  /** All of one organization. */
  const organization = { id: buildOrganization().id };
  const prepareFor = (overrides: SendingOverrides, emails: readonly object[]) =>
    prepare({ batchKey: 'digest', overrides, emails, organization }).run;
});

describe("a key's caps", () => {
  const key = { perMinuteCap: 60, dailyCap: 90 };

  it("count all emails' recipients at once, and one for each invalid email", async () => {
    const emails = [
      buildSendBody({ to: ['a@example.com', 'b@example.com'] }),
      buildSendBody({ to: 'nobody' }),
      ...mailsTo('c'),
    ];
    const { run, argsOf } = prepare({ key, emails });

    await run();

    expect(argsOf('rateWindows.count')).toEqual([
      [expect.anything(), sendingNow, { recipients: 4, cap: 60 }],
    ]);
    expect(argsOf('rateWindows.countOfDay')).toHaveLength(1);
  });

  it('refuse the whole batch, before anything is claimed', async () => {
    const rateWindows = { count: async () => ({ count: 61, fits: false }) };
    const { run, argsOf } = prepare({ key, overrides: { rateWindows } });

    const error = await serviceErrorOf(run);

    expect(error).toMatchObject({ code: 'rate_limited', retryAfterSeconds: expect.any(Number) });
    expect(argsOf('claims.claim')).toEqual([]);
  });

  it('report when the batch can never fit', async () => {
    const rateWindows = { count: async () => ({ count: 3, fits: false }) };
    const { run } = prepare({ key: { perMinuteCap: 2 }, overrides: { rateWindows } });

    expect((await serviceErrorOf(run)).code).toBe('recipients_exceed_cap');
  });

  it.each([[{}], [{ emails: 'none' }], [[]]])(
    'count an invalid batch body as one request: %j',
    async (body) => {
      const { run, effects, argsOf } = prepare({ body, key: { perMinuteCap: 60 } });

      const error = await serviceErrorOf(run);

      expect(error.code).toBe('validation_failed');
      expect(argsOf('contexts.readContacts')).toEqual([[expect.anything(), []]]);
      expect(effects.at(-1)?.name).toBe('rateWindows.count');
    },
  );
});

describe("an organization's daily storage limit", () => {
  const contacts = ['a', 'b', 'c'].map((name) => ({
    email: `${name}@example.com`,
    bounce: { at: 1 },
  }));
  const limits = { recipientsPerDay: 2 };

  it("counts an email's recipients even when all are suppressed", async () => {
    const { run, argsOf } = prepare({ contacts, organization: { limits } });

    expect(codesOf(await run())).toEqual([
      'suppressed',
      'suppressed',
      'daily_recipients_exhausted',
    ]);
    expect(argsOf('claims.claim')).toHaveLength(2);
  });

  it('stores nothing of a strict batch that exceeds it', async () => {
    const { run, argsOf } = prepare({ contacts, organization: { limits }, validation: 'strict' });

    expect((await serviceErrorOf(run)).code).toBe('daily_recipients_exhausted');
    expect(argsOf('claims.claim')).toEqual([]);
  });
});

describe("an organization's sending limits", () => {
  const limits = { sendsPerSecond: 1 };
  /** This many of ten are used in a period. */
  const used = (count: number): SendingOverrides => ({
    rateWindows: { countOfOrganization: async () => count },
  });

  it('let through as many emails as there is room for, in order', async () => {
    const { run, argsOf } = prepare({
      organization: { limits },
      overrides: { ...used(8), claims: { get: async () => undefined } },
    });

    expect(codesOf(await run())).toEqual(['sent', 'sent', 'organization_rate_limited']);
    expect(argsOf('rateWindows.countOfOrganization')).toEqual([
      [expect.anything(), sendingNow, 3, undefined],
    ]);
  });

  it('need no read of the sends while there is room for all', async () => {
    const { run, argsOf } = prepare({ organization: { limits }, overrides: used(7) });

    expect(codesOf(await run())).toEqual(['sent', 'sent', 'sent']);
    expect(argsOf('claims.get')).toEqual([]);
  });

  it('let a repeated batch get further each time, however little room there is', async () => {
    const overrides = { ...remembering(), ...used(8) };
    const id = buildOrganization().id;
    const batch = { batchKey: 'digest', organization: { id, limits }, overrides };
    const emails = mailsTo('a', 'b', 'c', 'd', 'e');
    const counts: number[] = [];
    for (let round = 1; round <= 3; round += 1) {
      const outcomes = await prepare({ ...batch, emails }).run();
      counts.push(outcomes.filter(({ ok }) => ok).length);
    }

    expect(counts).toEqual([2, 4, 5]);
  });

  it('refuse each email when the daily limit is used up', async () => {
    const day = new Date(sendingNow).toISOString().slice(0, 10);
    const { run } = prepare({
      organization: { limits: { recipientsPerDay: 5 }, dayUse: { day, recipients: 4, stored: 4 } },
    });

    expect(codesOf(await run())).toEqual([
      'sent',
      'daily_recipients_exhausted',
      'daily_recipients_exhausted',
    ]);
  });

  it("refuse a paused organization's whole batch", async () => {
    const { run, argsOf } = prepare({ organization: { paused: true } });

    expect((await serviceErrorOf(run)).code).toBe('tenant_paused');
    expect(argsOf('claims.claim')).toEqual([]);
  });
});

describe('the pace of a batch', () => {
  const names = Array.from({ length: 100 }, (_, index) => `n${index}`);

  /** Counts concurrent calls, each of which takes some time. */
  function slowProvider(tookMs: number, answer: ProviderCall) {
    let clock = sendingNow;
    let underWay = 0;
    const widths: number[] = [];
    const overrides: SendingOverrides = {
      now: () => clock,
      callProvider: async (...args) => {
        underWay += 1;
        widths.push(underWay);
        await sleep(1);
        clock += tookMs;
        underWay -= 1;
        return answer(...args);
      },
    };
    return { overrides, widths };
  }
  const accepting: ProviderCall = async () => ({ kind: 'accepted', providerMessageId: 'm' });

  it('allows at most 16 emails in flight', async () => {
    const { overrides, widths } = slowProvider(0, accepting);

    await prepare({ emails: mailsTo(...names), overrides }).run();

    expect(Math.max(...widths)).toBe(16);
  });

  it('drops to one in flight when SES throttles', async () => {
    let calls = 0;
    const throttling: ProviderCall = async () => {
      calls += 1;
      return calls <= 16 ? { kind: 'throttled' } : { kind: 'accepted', providerMessageId: 'm' };
    };
    const { overrides, widths } = slowProvider(0, throttling);

    const outcomes = await prepare({ emails: mailsTo(...names), overrides }).run();

    expect(widths.slice(-60)).toEqual(Array.from({ length: 60 }, () => 1));
    expect(codesOf(outcomes).filter((code) => code === 'sent')).toHaveLength(84);
  });

  it.each([
    ['leaves to workers what SES throttles', true, true, 'queued'],
    ['asks again for what SES throttles where no more may be stored', true, false, undefined],
    [
      'asks again for what SES throttles without a key: it would be another send',
      false,
      true,
      undefined,
    ],
  ])('%s', async (_, hasKey, hasRoom, queued) => {
    const put = vi.fn(async () => {});
    let calls = 0;
    const { run, argsOf } = prepare({
      emails: mailsTo('a', 'b'),
      ...(hasKey && { batchKey: 'monday' }),
      overrides: {
        contents: { put },
        claims: { get: async () => undefined },
        dayQuotas: { take: async () => hasRoom },
        callProvider: async () => {
          calls += 1;
          return calls === 1 ? { kind: 'throttled' } : { kind: 'accepted', providerMessageId: 'm' };
        },
      },
    });

    expect(codesOf(await run())).toEqual([queued ?? 'provider_throttled', 'sent']);
    expect(put).toHaveBeenCalledTimes(queued ? 1 : 0);
    expect(argsOf('settlements.recordFailure')).toHaveLength(1);
  });

  it('leaves emails not begun after 15 s to the workers', async () => {
    const { overrides } = slowProvider(1_000, accepting);
    const put = vi.fn(async () => {});
    const deferring = { ...overrides, contents: { put } };
    const { run, argsOf } = prepare({ emails: mailsTo(...names), overrides: deferring });

    const outcomes = await run();

    const left = outcomes.filter((outcome) => outcome.ok && outcome.response.status === 'queued');
    expect(left.length).toBeGreaterThan(35);
    expect(argsOf('callProvider')).toHaveLength(names.length - left.length);
    expect(put).toHaveBeenCalledTimes(left.length);
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
  });

  it("asks the caller to retry emails not begun when the day's storage limit is used up", async () => {
    const { overrides } = slowProvider(1_000, accepting);
    const dayQuotas = { take: async () => false };
    const { run, argsOf } = prepare({
      emails: [buildSendBody({ mode: 'queued' }), ...mailsTo(...names.slice(1))],
      overrides: { ...overrides, dayQuotas },
    });

    const [later, ...others] = codesOf(await run());

    expect(later).toBe('waiting_limit_reached');
    expect(new Set(others)).toEqual(new Set(['sent', 'provider_throttled']));
    expect(argsOf('claims.claim')).toHaveLength(others.filter((code) => code === 'sent').length);
  });

  it('claims nothing for an email when there is no time left to store it', async () => {
    const { overrides } = slowProvider(30_000, accepting);
    const { run, argsOf } = prepare({ emails: mailsTo(...names), overrides });

    const outcomes = await run();

    const begun = argsOf('claims.claim').length;
    expect(begun).toBeLessThan(35);
    expect(new Set(codesOf(outcomes.slice(begun)))).toEqual(new Set(['provider_throttled']));
  });

  it('replays earlier sends, however little time is left', async () => {
    const before = remembering();
    const emails = names.map((name) =>
      buildSendBody({ to: `${name}@example.com`, idempotencyKey: name }),
    );
    const organization = { id: newOrganizationId() };
    await prepare({ emails: emails.slice(20, 60), organization, overrides: before }).run();
    const { overrides } = slowProvider(30_000, accepting);
    const { run } = prepare({ emails, organization, overrides: { ...before, ...overrides } });

    const outcomes = await run();

    const [sentBefore, others] = [outcomes.slice(20, 60), outcomes.slice(60)];
    expect(sentBefore.every((outcome) => outcome.ok && outcome.replayed)).toBe(true);
    expect(new Set(codesOf(others))).toEqual(new Set(['provider_throttled']));
  });

  it.each(['strict', 'permissive'] as const)(
    'counts all tests of a %s batch, including those without recipients',
    async (validation) => {
      const { run, argsOf } = prepare({
        validation,
        key: { test: true },
        contacts: [{ email: 'a@example.com', bounce: { at: 1 } }],
        emails: mailsTo('a', 'b'),
      });

      expect(codesOf(await run())).toEqual(['suppressed', 'sent']);
      expect(argsOf('rateWindows.countOfTests').map(([, , recipients]) => recipients)).toEqual([2]);
    },
  );

  it('leaves scheduled emails to workers, and counts them later', async () => {
    const put = vi.fn(async () => {});
    const queued = buildSendBody({ mode: 'queued' });
    const { run, argsOf } = prepare({
      emails: [queued, ...mailsTo('a')],
      organization: { limits: { sendsPerSecond: 1 } },
      overrides: { contents: { put } },
    });

    expect(codesOf(await run())).toEqual(['queued', 'sent']);
    expect(put).toHaveBeenCalledExactlyOnceWith(expect.anything(), queued, expect.any(String));
    expect(argsOf('rateWindows.countOfOrganization')).toEqual([
      [expect.anything(), sendingNow, 1, undefined],
    ]);
  });

  it("stores each email's own body", async () => {
    const put = vi.fn(async (..._: readonly unknown[]) => {});
    const emails = mailsTo('a', 'b', 'c').map((email) => ({ ...email, mode: 'queued' }));

    await prepare({ emails, overrides: { contents: { put } } }).run();

    expect(put.mock.calls.map(([, body]) => body)).toEqual(emails);
  });

  it('gives each email the full time of an attempt, from when it starts', async () => {
    const { overrides } = slowProvider(1_000, accepting);
    const { run, argsOf } = prepare({ emails: mailsTo(...names.slice(0, 20)), overrides });

    await run();

    const claims = argsOf('claims.claim').map(([send]) => send);
    const late = claims.at(-1);
    expect(late).toMatchObject({ claimedAt: expect.any(Number) });
    expect(late).not.toMatchObject({ claimedAt: sendingNow });
  });
});
