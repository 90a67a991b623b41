import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { FetchOutcome } from '#shared/attachments/file-fetcher';
import { workBudgetMs } from '#shared/config/attempt-time';
import type { ProviderOutcome } from '#shared/email/email-provider';
import type { Send, SendEndpoint } from '#shared/sending/send';
import type { FailureOutcome } from '#shared/sending/settlement-store';
import {
  feedbackIdOf,
  newOrganizationId,
  newUploadId,
  newWebhookId,
} from '#shared/tokens/resource-id';
import { buildAttachmentField } from '../../support/attachment-builder.ts';
import { buildClaim } from '../../support/claim-builder.ts';
import { buildContact } from '../../support/contact-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { doubtWindowMs } from '../../support/send-builder.ts';
import { type Effect, type SendingOverrides, sendingNow } from '../../support/sending-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import {
  answeringAfter,
  argsOf,
  bounced,
  failing,
  namesOf,
  prepare,
  providing,
  refused,
  type Scenario,
  unknown,
  unreachable,
} from './send-scenario.ts';

/** What happens once the provider has answered. */
const afterHandOver = (names: readonly string[]) => names.slice(names.indexOf('callProvider') + 1);

describe('an email of an organization with an SES tenant', () => {
  const tenant = { sending: 'enabled' } as const;

  it.each([
    ['goes in its name', true, tenant, true],
    ['goes in nobody’s name where the deployment has no tenants', false, tenant, false],
    ['goes in nobody’s name until it is a tenant', true, undefined, false],
  ])('%s', async (_what, usesTenants, known, isNamed) => {
    const organization = buildOrganization(known && { tenant: known });
    const { run, effects } = prepare({ organization, overrides: { usesTenants } });

    await run();

    expect(argsOf(effects, 'callProvider')[0]?.[0]).toMatchObject({
      tenantName: isNamed ? organization.id : undefined,
    });
  });
});

describe('an accepted email', () => {
  it("has the provider's time of acceptance, or else the time of its answer", async () => {
    const accepted = { kind: 'accepted', providerMessageId: 'message-1' } as const;
    const acceptedAt = sendingNow - 3;
    const [said, answered] = [
      prepare({ overrides: providing({ ...accepted, acceptedAt }) }),
      prepare({ overrides: providing(accepted) }),
    ];

    await said.run();
    await answered.run();

    const times = [said, answered].map(
      ({ effects }) => argsOf(effects, 'settlements.commitAcceptance')[0]?.[1],
    );
    expect(times).toMatchObject([{ at: acceptedAt }, { at: sendingNow }]);
  });
});

describe('an email with attachments', () => {
  const body = {
    attachments: [
      buildAttachmentField({ filename: 'a.bin', contentBase64: 'AP8=' }),
      buildAttachmentField({ filename: 'b.txt', contentType: 'text/plain' }),
    ],
  };

  it.each<SendEndpoint>(['send', 'send-global'])(
    'made with %s hands them over byte for byte',
    async (endpoint) => {
      const organization = { attachmentsEnabled: true };
      const { run, effects } = prepare({ endpoint, organization, body });

      const { response } = await run();

      expect(response.status).toBe('sent');
      expect(argsOf(effects, 'callProvider')[0]?.[0]).toMatchObject({
        attachments: [
          { filename: 'a.bin', contentType: undefined, bytes: Buffer.from([0, 255]) },
          { filename: 'b.txt', contentType: 'text/plain', bytes: Buffer.from('Hello') },
        ],
      });
    },
  );

  describe('with an upload', () => {
    const organization = buildOrganization({ attachmentsEnabled: true });
    const uploadId = newUploadId(organization.id, 8);
    const scenario: Scenario = {
      organization,
      idempotencyKey: 'key-1',
      body: { attachments: [{ filename: 'a.txt', uploadId }] },
    };

    it('hands over the uploaded file, fetched after the claim', async () => {
      const { run, effects } = prepare({ ...scenario, contacts: [buildContact()] });

      await run();

      expect(namesOf(effects).slice(1, 5)).toEqual([
        'checkEntitlement',
        'claims.claim',
        'fetchUpload',
        'callProvider',
      ]);
      expect(argsOf(effects, 'fetchUpload')).toEqual([[uploadId]]);
      expect(argsOf(effects, 'callProvider')[0]?.[0]).toMatchObject({
        attachments: [{ contentType: 'text/plain', bytes: Buffer.from('uploaded') }],
      });
    });

    it("isn't handed over without the upload, and a retry may send it", async () => {
      const { run, effects } = prepare({
        ...scenario,
        overrides: { fetchUpload: async () => undefined },
      });

      const error = await serviceErrorOf(run);

      expect(error.code).toBe('unknown_upload');
      expect(error.errors).toMatchObject([{ path: 'attachments.0.uploadId' }]);
      expect(argsOf(effects, 'settlements.recordFailure')).toEqual([
        [expect.anything(), 'AttachmentUnavailable', sendingNow, []],
      ]);
      expect(namesOf(effects)).not.toContain('callProvider');
    });

    it("isn't handed over when the upload can't be read", async () => {
      const { run, effects } = prepare({ ...scenario, overrides: { fetchUpload: failing } });

      await expect(run()).rejects.toThrow();

      expect(namesOf(effects).at(-1)).toBe('settlements.recordFailure');
      expect(namesOf(effects)).not.toContain('callProvider');
    });
  });
});

describe('an email with a file behind a URL', () => {
  const url = 'https://files.example.com/logo.png';
  const scenario: Scenario = {
    organization: { attachmentsEnabled: true },
    contacts: [buildContact()],
    idempotencyKey: 'key-1',
    body: { attachments: [{ url, contentId: 'logo' }, buildAttachmentField()] },
  };

  it('fetches it after the claim, and counts its bytes with the acceptance', async () => {
    const { run, effects } = prepare(scenario);

    await run();

    expect(namesOf(effects).slice(1, 6)).toEqual([
      'checkEntitlement',
      'claims.claim',
      'fetchFile',
      'callProvider',
      'settlements.commitAcceptance',
    ]);
    expect(argsOf(effects, 'claims.claim')).toMatchObject([
      [{ attachmentCount: 2, attachmentBytes: 5 }],
    ]);
    expect(argsOf(effects, 'callProvider')[0]?.[0]).toMatchObject({
      attachments: [
        {
          ...{ filename: 'logo.png', contentType: 'image/png', contentId: 'logo' },
          bytes: Buffer.from('fetched'),
        },
        { bytes: Buffer.from('Hello') },
      ],
    });
    expect(argsOf(effects, 'settlements.commitAcceptance')[0]?.[1]).toMatchObject({
      attachmentBytes: 12,
    });
  });

  it.each<[string, FetchOutcome]>([
    ['attachment_not_fetched', { kind: 'failed', reason: 'answered 404' }],
    ['too_large', { kind: 'too_large' }],
  ])('fails with %s when the URL fails, and a retry may send it', async (code, outcome) => {
    const { run, effects } = prepare({
      ...scenario,
      overrides: { fetchFile: async () => outcome },
    });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe(code);
    expect(error.errors).toMatchObject([{ path: 'attachments.0.url' }]);
    expect(argsOf(effects, 'settlements.recordFailure')).toEqual([
      [expect.anything(), 'AttachmentUnavailable', sendingNow, []],
    ]);
    expect(namesOf(effects)).not.toContain('callProvider');
  });

  it.each([
    [0, false],
    [workBudgetMs - 5_000, false],
    [workBudgetMs, true],
    [workBudgetMs + 60_000, true],
  ])('claimed %d ms before the fetch, leaves time for SES (gives up: %s)', async (late, isOver) => {
    let clock = sendingNow;
    const givenUp: boolean[] = [];
    const { run } = prepare({
      ...scenario,
      overrides: {
        now: () => clock,
        claims: {
          claim: async (send) => {
            clock += late;
            return { kind: 'claimed', send };
          },
        },
        fetchFile: async (_url, _takeRoom, signal) => {
          await setTimeout(20);
          givenUp.push(signal.aborted);
          return { kind: 'failed', reason: 'did not come in time' };
        },
      },
    });

    await serviceErrorOf(run);

    expect(givenUp).toEqual([isOver]);
  });
});

describe('an acceptance', () => {
  /** A world in which an acceptance of the send was reported before its request commits it. */
  const existing = (
    kind: 'known' | 'further' | 'gone',
    change: Partial<Send>,
  ): SendingOverrides => ({
    settlements: { commitAcceptance: async (send) => ({ kind, send: { ...send, ...change } }) },
  });

  it('is answered as if the request were first when an event reported it before', async () => {
    const settled = { status: 'sent', providerMessageId: 'message-1' } as const;
    const { run } = prepare({ overrides: existing('known', settled) });

    const { response, replayed } = await run();

    expect(response).toMatchObject({ status: 'sent', messageId: 'message-1' });
    expect(replayed).toBe(false);
  });

  it('of a further message is answered with the message that every replay names', async () => {
    const settled = { status: 'sent', providerMessageId: 'message-0' } as const;
    const { run } = prepare({ overrides: existing('further', settled) });

    const { response } = await run();

    expect(response).toMatchObject({ status: 'sent', messageId: 'message-0' });
  });

  it('of a deleted send is answered with its own message', async () => {
    const { run } = prepare({ overrides: existing('gone', {}) });

    const { response } = await run();

    expect(response).toMatchObject({ status: 'sent', messageId: 'message-1' });
  });

  it.each<[string, Partial<Send>]>([
    ['SES took the email and then rejected it', { status: 'failed' }],
    ['SES rejected it, and a retry is under way', { status: 'sending', attempt: 2 }],
  ])("isn't a success when %s", async (_what, change) => {
    const rejection = { attempt: 1, at: sendingNow, reason: 'Bad content' };
    const { run } = prepare({
      overrides: existing('known', { ...change, attempts: [rejection] }),
    });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('provider_rejected');
  });

  it("that can't be stored is an unknown outcome, and counted", async () => {
    const { run, effects } = prepare({
      idempotencyKey: 'key-1',
      contacts: [buildContact()],
      overrides: { settlements: { commitAcceptance: failing } },
    });

    const error = await serviceErrorOf(run);

    expect(error).toMatchObject({ code: 'provider_outcome_unknown', retryAfterSeconds: 300 });
    expect(afterHandOver(namesOf(effects))).toEqual(['settlements.commitAcceptance', 'countDoubt']);
    expect(argsOf(effects, 'countDoubt')).toEqual([['unanswered']]);
  });
});

describe('contacts', () => {
  it('are created for new addresses that got the email', async () => {
    const { run, effects, organization } = prepare({
      contacts: [buildContact({ email: 'bob@example.com' }), bounced('di@example.com')],
      body: {
        cc: ['bob@example.com', 'cy@example.com'],
        bcc: ['di@example.com', 'ed@example.com'],
      },
    });

    await run();

    expect(argsOf(effects, 'contacts.ensure')).toEqual(
      ['ann@example.com', 'cy@example.com', 'ed@example.com'].map((identity) => [
        organization.id,
        identity,
        sendingNow,
      ]),
    );
  });

  it.each<[string, ProviderOutcome]>([
    ['refused', refused],
    ['throttled', { kind: 'throttled' }],
    ['not connected to SES', unreachable],
    ['in doubt', unknown],
  ])('are not created when the email is %s', async (_what, outcome) => {
    const { run, effects } = prepare({ overrides: providing(outcome) });

    await serviceErrorOf(run);

    expect(namesOf(effects)).not.toContain('contacts.ensure');
  });
});

describe('an email that SES throttles', () => {
  it('is counted for its organization', async () => {
    const { run, effects, organization } = prepare({
      overrides: providing({ kind: 'throttled' }),
    });

    await serviceErrorOf(run);

    expect(argsOf(effects, 'countThrottled')).toEqual([[organization.id]]);
  });

  it.each([
    [sendingNow + 1, true],
    [sendingNow, false],
    [undefined, false],
  ])(
    'is shed first while its organization is over its share (here until %s)',
    async (until, isShedFirst) => {
      const organization = buildOrganization(until === undefined ? {} : { overShareUntil: until });
      const { run, effects } = prepare({ organization });

      await run();

      expect(argsOf(effects, 'callProvider')[0]?.[0]).toMatchObject({ isShedFirst });
    },
  );
});

describe('usage of a handed-over send', () => {
  it('includes the number of attachments and their total decoded bytes', async () => {
    const organization = buildOrganization({ attachmentsEnabled: true });
    const attachments = [
      { filename: 'a.txt', contentBase64: Buffer.alloc(1_000).toString('base64') },
      { filename: 'b.txt', uploadId: newUploadId(organization.id, 9_000_001) },
    ];
    const { run, effects } = prepare({ organization, body: { attachments } });

    await run();

    expect(argsOf(effects, 'claims.claim')).toMatchObject([
      [{ attachmentCount: 2, attachmentBytes: 9_001_001 }],
    ]);
  });
});

describe('webhooks', () => {
  const webhooks = {
    [newWebhookId(newOrganizationId())]: { eventTypes: [] },
    [newWebhookId(newOrganizationId())]: { eventTypes: ['email.bounced' as const] },
  };

  it('that subscribe get a delivery, which is committed and kept with the send', async () => {
    const { run, effects } = prepare({
      organization: { webhooks },
      overrides: { sendRetentionDays: 7 },
    });

    const { response } = await run();

    const deliveries = [
      expect.objectContaining({
        webhookId: Object.keys(webhooks)[0],
        type: 'email.sent',
        status: 'pending',
        body: expect.stringContaining(response.sendId),
        expiresAt: sendingNow / 1000 + 7 * 86_400,
      }),
    ];
    expect(argsOf(effects, 'settlements.commitAcceptance')).toEqual([
      [expect.anything(), expect.anything(), deliveries],
    ]);
    expect(argsOf(effects, 'wakeQueue')).toEqual([[deliveries]]);
  });

  it('get the failure when SES refuses an email, in the same write', async () => {
    const { run, effects } = prepare({
      organization: { webhooks },
      overrides: providing(refused),
    });

    await serviceErrorOf(run);

    const deliveries = [
      expect.objectContaining({
        type: 'email.failed',
        body: expect.stringContaining('"reason":"MessageRejected"'),
      }),
    ];
    expect(argsOf(effects, 'settlements.recordFailure')).toMatchObject([
      [{}, 'MessageRejected', sendingNow, deliveries],
    ]);
    expect(argsOf(effects, 'wakeQueue')).toEqual([[deliveries]]);
  });

  it.each([
    ['the caller is told to repeat', providing({ kind: 'throttled' })],
    [
      'the table does not take for failed',
      {
        ...providing(refused),
        settlements: { recordFailure: async () => 'held' as const },
      },
    ],
  ])('get nothing about a failure that %s', async (_which, overrides) => {
    const { run, effects } = prepare({ organization: { webhooks }, overrides });

    await serviceErrorOf(run);

    expect(namesOf(effects)).not.toContain('wakeQueue');
  });

  it('get a suppressed email, in the same write as its claim', async () => {
    const told: unknown[] = [];
    const { run, effects } = prepare({
      organization: { webhooks },
      contacts: [bounced('ann@example.com')],
      overrides: {
        claims: {
          claim: async (send, _judge, rowsOf) => {
            told.push(...(rowsOf?.(send) ?? []));
            return { kind: 'claimed', send };
          },
        },
      },
    });

    await run();

    expect(told).toMatchObject([
      { type: 'email.suppressed', body: expect.stringContaining('"reason":"bounce"') },
    ]);
    expect(argsOf(effects, 'wakeQueue')).toEqual([[told]]);
  });
});

describe('a failing side effect', () => {
  it.each<[string, SendingOverrides]>([
    ['contacts.ensure', { contacts: { ensure: failing } }],
    ['wakeQueue', { wakeQueue: failing }],
  ])("in %s is logged and doesn't fail the send", async (_name, overrides) => {
    const { run, lines } = prepare({ endpoint: 'send-global', overrides });

    const { response } = await run();

    expect(response.status).toBe('sent');
    expect(lines).toEqual([
      {
        level: 'error',
        message: 'side effect failed',
        fields: {
          organizationId: expect.any(String),
          feedbackId: feedbackIdOf(response.sendId),
        },
      },
    ]);
  });
});

describe('work beside a commit that fails', () => {
  it('is over when the caller gets an answer, and its own failure is logged', async () => {
    const over: string[] = [];
    const { run, lines } = prepare({
      overrides: {
        settlements: { commitAcceptance: failing },
        contacts: {
          ensure: async () => {
            await setTimeout(1);
            over.push('ensure');
            throw new Error('no contact');
          },
        },
      },
    });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('provider_outcome_unknown');
    expect(over).toEqual(['ensure']);
    expect(lines.map(({ message }) => message)).toContain('side effect failed');
  });
});

describe('a definite refusal by SES', () => {
  it('fails the send with the reason', async () => {
    const { run, effects } = prepare({
      idempotencyKey: 'key-1',
      overrides: providing(refused),
    });

    const error = await serviceErrorOf(run);

    expect(error).toMatchObject({ code: 'provider_rejected', retryAfterSeconds: undefined });
    expect(error.message).toContain('MessageRejected');
    expect(namesOf(effects)).toEqual([
      'contexts.read',
      'claims.claim',
      'callProvider',
      'settlements.recordFailure',
      'countRefused',
    ]);
    expect(argsOf(effects, 'settlements.recordFailure')).toMatchObject([
      [{ status: 'sending', idempotencyKey: 'key-1' }, 'MessageRejected', sendingNow, []],
    ]);
  });

  it.each([
    ['sender', 'MessageRejected', false],
    ['service', 'AccessDeniedException', false],
    ['service', 'SendingPausedException', false],
    ['sender', 'SendingPausedException', true],
  ])(
    'counts as the %s’s fault for %s, on behalf of a tenant: %s',
    async (fault, reason, isOfTenant) => {
      const organization = buildOrganization(isOfTenant ? { tenant: { sending: 'enabled' } } : {});
      const overrides = { usesTenants: true, ...providing({ kind: 'rejected', reason }) };
      const { run, effects } = prepare({ organization, overrides });

      const error = await serviceErrorOf(run);

      expect(error).toMatchObject({
        code: 'provider_rejected',
        isSendersFault: fault === 'sender',
      });
      expect(argsOf(effects, 'countRefused')).toEqual([[organization.id, fault]]);
    },
  );

  it('looks for similar ones since the last email that SES took, ignoring test emails', async () => {
    const noted: string[] = [];
    const refusals = { noteAccepted: () => noted.push('accepted') };
    const [real, test] = [
      prepare({ overrides: { refusals } }),
      prepare({ key: { test: true }, overrides: { refusals } }),
    ];

    await test.run();
    expect(noted).toEqual([]);
    await real.run();

    expect(noted).toEqual(['accepted']);
  });

  it('after too much throttling fails the send and says when to retry', async () => {
    const { run, effects } = prepare({
      idempotencyKey: 'key-1',
      overrides: providing({ kind: 'throttled' }),
    });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('provider_throttled');
    expect(error.retryAfterSeconds).toBeGreaterThanOrEqual(1);
    expect(argsOf(effects, 'settlements.recordFailure')).toMatchObject([
      [{}, 'Throttled', sendingNow, []],
    ]);
  });

  it('because SES is unreachable fails the send and says when to retry', async () => {
    const { run, effects } = prepare({
      idempotencyKey: 'key-1',
      overrides: providing(unreachable),
    });

    const error = await serviceErrorOf(run);

    expect(error).toMatchObject({ code: 'provider_unreachable', retryAfterSeconds: 5 });
    expect(argsOf(effects, 'settlements.recordFailure')).toMatchObject([
      [{ idempotencyKey: 'key-1' }, 'Unreachable', sendingNow, []],
    ]);
    expect(namesOf(effects)).not.toContain('countDoubt');
  });

  it("that can't be stored is still answered, and logged", async () => {
    const { run, effects, lines } = prepare({
      overrides: { ...providing(refused), settlements: { recordFailure: failing } },
    });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('provider_rejected');
    expect(lines).toMatchObject([{ level: 'error', fields: { reason: 'MessageRejected' } }]);
    expect(namesOf(effects)).not.toContain('countDoubt');
  });
});

describe('an unknown outcome', () => {
  it('leaves the send unchanged until its window ends, and is counted', async () => {
    const { run, effects } = prepare({
      idempotencyKey: 'key-1',
      overrides: answeringAfter(8_000, unknown),
    });

    const error = await serviceErrorOf(run);

    expect(error).toMatchObject({ code: 'provider_outcome_unknown', retryAfterSeconds: 292 });
    expect(afterHandOver(namesOf(effects))).toEqual(['countDoubt']);
    expect(argsOf(effects, 'countDoubt')).toEqual([['unanswered']]);
  });

  it('asks for no retry without a key, as that could send twice', async () => {
    const { run } = prepare({ overrides: providing(unknown) });

    const error = await serviceErrorOf(run);

    expect(error).toMatchObject({ code: 'provider_outcome_unknown', retryAfterSeconds: undefined });
    expect(error.message).toContain('a second time');
  });
});

/** Definite outcomes other than an acceptance that an attempt may get. */
const definiteNos: readonly (readonly [string, ProviderOutcome])[] = [
  ['refused', refused],
  ['throttled', { kind: 'throttled' }],
  ['not connected to SES', unreachable],
];

describe('an attempt that ends after its window', () => {
  /** A throttled send counts as throttled, whatever becomes of it. */
  const changesOf = (effects: readonly Effect[]) =>
    afterHandOver(namesOf(effects)).filter(
      (name) => name !== 'countThrottled' && name !== 'countRefused',
    );

  it.each(definiteNos)(
    'reports nothing when it is %s, as a retry may be at work',
    async (_, outcome) => {
      const { run, effects } = prepare({
        idempotencyKey: 'key-1',
        overrides: answeringAfter(doubtWindowMs, outcome),
      });

      const error = await serviceErrorOf(run);

      expect(error.code).toBe('provider_outcome_unknown');
      expect(error.retryAfterSeconds).toBeGreaterThanOrEqual(1);
      expect(changesOf(effects)).toEqual(['countDoubt']);
    },
  );

  it.each(definiteNos)(
    'reports a definite outcome in the last millisecond before, when %s',
    async (_, outcome) => {
      const { run, effects } = prepare({
        idempotencyKey: 'key-1',
        overrides: answeringAfter(doubtWindowMs - 1, outcome),
      });

      const error = await serviceErrorOf(run);

      expect(error.code).not.toBe('provider_outcome_unknown');
      expect(changesOf(effects)).toEqual(['settlements.recordFailure']);
    },
  );

  it("doesn't report a missing attachment as a definite failure", async () => {
    const organization = buildOrganization({ attachmentsEnabled: true });
    const uploadId = newUploadId(organization.id, 8);
    let clock = sendingNow;
    const { run, effects } = prepare({
      organization,
      idempotencyKey: 'key-1',
      body: { attachments: [{ filename: 'a.txt', uploadId }] },
      overrides: {
        now: () => clock,
        fetchUpload: async () => {
          clock += doubtWindowMs;
          return undefined;
        },
      },
    });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('provider_outcome_unknown');
    expect(namesOf(effects)).not.toContain('settlements.recordFailure');
  });

  it("is in doubt when its window ends while the failure can't be stored", async () => {
    let clock = sendingNow;
    const { run, lines } = prepare({
      idempotencyKey: 'key-1',
      overrides: {
        ...providing(refused),
        now: () => clock,
        settlements: {
          recordFailure: async () => {
            clock += doubtWindowMs;
            throw new Error('throttled');
          },
        },
      },
    });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('provider_outcome_unknown');
    expect(lines).toMatchObject([{ level: 'error', message: 'failed send not recorded' }]);
  });

  it('still commits an acceptance, which is true at any time', async () => {
    const accepted = { kind: 'accepted', providerMessageId: 'message-1' } as const;
    const { run } = prepare({ overrides: answeringAfter(doubtWindowMs, accepted) });

    const { response } = await run();

    expect(response).toMatchObject({ status: 'sent', messageId: 'message-1' });
  });
});

describe("a definite refusal that the table doesn't accept as final", () => {
  const recordedAs = (outcome: FailureOutcome) => ({ recordFailure: async () => outcome });

  it.each(definiteNos)(
    'leaves a takeover that is %s to its window, as the first attempt may yet be proven',
    async (_, outcome) => {
      const takeover = buildClaim({
        attempt: 2,
        claimedAt: sendingNow,
        doubtUntil: sendingNow + doubtWindowMs,
      });
      const { run, effects } = prepare({
        idempotencyKey: 'key-1',
        overrides: {
          ...answeringAfter(8_000, outcome),
          claims: { claim: async () => ({ kind: 'claimed', send: takeover }) },
          settlements: recordedAs('held'),
        },
      });

      const error = await serviceErrorOf(run);

      expect(error).toMatchObject({ code: 'provider_outcome_unknown', retryAfterSeconds: 292 });
      expect(argsOf(effects, 'settlements.recordFailure')).toMatchObject([
        [{ id: takeover.id, attempt: 2 }, expect.any(String), sendingNow + 8_000, []],
      ]);
      expect(argsOf(effects, 'countDoubt')).toEqual([['taken over'], ['unanswered']]);
    },
  );

  it("is in doubt for a takeover whose failure can't be stored", async () => {
    const takeover = buildClaim({
      attempt: 2,
      claimedAt: sendingNow,
      doubtUntil: sendingNow + doubtWindowMs,
    });
    const { run } = prepare({
      idempotencyKey: 'key-1',
      overrides: {
        ...providing(refused),
        claims: { claim: async () => ({ kind: 'claimed', send: takeover }) },
        settlements: { recordFailure: failing },
      },
    });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('provider_outcome_unknown');
  });

  it.each(definiteNos)(
    'is in doubt for an attempt that is %s when another attempt has the send',
    async (_, outcome) => {
      const { run } = prepare({
        idempotencyKey: 'key-1',
        overrides: { ...providing(outcome), settlements: recordedAs('lost') },
      });

      const error = await serviceErrorOf(run);

      expect(error).toMatchObject({ code: 'provider_outcome_unknown', retryAfterSeconds: 300 });
    },
  );
});
