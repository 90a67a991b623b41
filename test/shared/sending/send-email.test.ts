import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { ErrorCode } from '#shared/errors/service-error';
import type { Organization } from '#shared/organizations/organization';
import { composeContent } from '#shared/sending/email-content';
import { createEmailLinks } from '#shared/sending/email-links';
import type { ProviderOutcome } from '#shared/sending/email-provider';
import { fingerprintOf } from '#shared/sending/idempotency';
import type { SendEndpoint } from '#shared/sending/send';
import { type SendDependencies, sendEmail } from '#shared/sending/send-email';
import { parseSendRequest } from '#shared/sending/send-request';
import {
  contactIdOf,
  feedbackIdOf,
  newOrganizationId,
  newUploadId,
  newWebhookId,
  organizationIdOf,
} from '#shared/tokens/resource-id';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildAttachmentField } from '../../support/attachment-builder.ts';
import { buildContact } from '../../support/contact-builder.ts';
import { buildKeyring } from '../../support/keyring-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { buildSendBody } from '../../support/send-body-builder.ts';
import { buildSend } from '../../support/send-builder.ts';
import {
  buildSendDependencies,
  type Effect,
  sendingNow,
} from '../../support/send-dependencies-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

type Scenario = {
  readonly endpoint?: SendEndpoint;
  readonly idempotencyKey?: string;
  readonly key?: Parameters<typeof buildApiKey>[0];
  readonly contacts?: Parameters<typeof buildSendDependencies>[0]['contacts'];
  readonly body?: Readonly<Record<string, unknown>>;
  readonly overrides?: Partial<SendDependencies>;
  readonly organization?: Partial<Organization>;
};

/** A send that succeeds unless the scenario says otherwise. */
function prepare(scenario: Scenario = {}) {
  const organization = buildOrganization(scenario.organization);
  const { text, apiKey } = buildApiKey({ organizationId: organization.id, ...scenario.key });
  const { dependencies, effects } = buildSendDependencies(
    { apiKey, organization, ...(scenario.contacts && { contacts: scenario.contacts }) },
    scenario.overrides,
  );
  const { log, lines } = recordLog();
  const request = parseSendRequest(buildSendBody(scenario.body), scenario.idempotencyKey);
  const run = () =>
    sendEmail(
      {
        endpoint: scenario.endpoint ?? 'send',
        credential: text,
        request,
        log,
        onRateLimit: () => {},
        onAttachments: () => {},
      },
      dependencies,
    );
  return { run, effects, lines, organization, request };
}

const namesOf = (effects: readonly Effect[]) => effects.map(({ name }) => name);

const argsOf = (effects: readonly Effect[], wanted: string) =>
  effects.filter(({ name }) => name === wanted).map(({ args }) => args);

const claimedSends = (effects: readonly Effect[]) =>
  argsOf(effects, 'claim').map(([claim]) => claimSchema.parse(claim).send);
const claimSchema = z.object({ send: z.unknown() });

const providing = (outcome: ProviderOutcome): Partial<SendDependencies> => ({
  provide: async () => outcome,
});

const unknown: ProviderOutcome = { kind: 'unknown', cause: new Error('socket hang up') };

const failing = async (): Promise<never> => {
  throw new Error('ann@example.com');
};

const bounced = (email: string) => buildContact({ email, bounce: { at: 1 } });

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
      expect(argsOf(effects, 'provide')[0]?.[0]).toMatchObject({
        attachments: [
          { filename: 'a.bin', contentType: undefined, bytes: Buffer.from([0, 255]) },
          { filename: 'b.txt', contentType: 'text/plain', bytes: Buffer.from('Hello') },
        ],
      });
    },
  );

  describe('one of them uploaded', () => {
    const organization = buildOrganization({ attachmentsEnabled: true });
    const uploadId = newUploadId(organization.id, 8);
    const scenario: Scenario = {
      organization,
      idempotencyKey: 'key-1',
      body: { attachments: [{ filename: 'a.txt', uploadId }] },
    };

    it('hands over what was uploaded, fetched once the send is claimed', async () => {
      const { run, effects } = prepare({ ...scenario, contacts: [buildContact()] });

      await run();

      expect(namesOf(effects).slice(1, 5)).toEqual([
        'checkEntitlement',
        'claim',
        'fetchUpload',
        'provide',
      ]);
      expect(argsOf(effects, 'fetchUpload')).toEqual([[uploadId]]);
      expect(argsOf(effects, 'provide')[0]?.[0]).toMatchObject({
        attachments: [{ contentType: 'text/plain', bytes: Buffer.from('uploaded') }],
      });
    });

    it('is replayed after the upload is gone', async () => {
      const overrides: Partial<SendDependencies> = {
        claim: async ({ send }) => ({
          kind: 'replay',
          response: { sendId: send.id, status: 'sent', messageId: 'message-0' },
        }),
        fetchUpload: async () => undefined,
      };
      const { run, effects } = prepare({ ...scenario, overrides });

      const { replayed } = await run();

      expect(replayed).toBe(true);
      expect(namesOf(effects)).not.toContain('fetchUpload');
    });

    it('is not handed over without it, and frees its key', async () => {
      const { run, effects } = prepare({
        ...scenario,
        overrides: { fetchUpload: async () => undefined },
      });

      const error = await serviceErrorOf(run);

      expect(error.code).toBe('unknown_upload');
      expect(error.errors).toMatchObject([{ path: 'attachments.0.uploadId' }]);
      expect(argsOf(effects, 'commitFailure')).toEqual([
        [expect.anything(), 'AttachmentUnavailable', sendingNow],
      ]);
      expect(namesOf(effects)).not.toContain('provide');
    });

    it('is not handed over when the upload cannot be read', async () => {
      const { run, effects } = prepare({ ...scenario, overrides: { fetchUpload: failing } });

      await expect(run()).rejects.toThrow();

      expect(namesOf(effects).at(-1)).toBe('commitFailure');
    });
  });

  it('writes nothing and hands nothing over when they are refused', async () => {
    const { run, effects } = prepare({ idempotencyKey: 'key-1', key: { perMinuteCap: 1 }, body });

    const { code } = await serviceErrorOf(run);

    expect(code).toBe('plan_required');
    expect(namesOf(effects)).toEqual(['readContext', 'checkEntitlement']);
  });
});

describe('an accepted email', () => {
  it('answers the send, its status and the id of the message', async () => {
    const { run, effects } = prepare();

    const result = await run();

    const [claim] = argsOf(effects, 'claim');
    expect(claim).toMatchObject([{ send: { id: result.response.sendId } }]);
    expect(result).toEqual({
      response: { sendId: expect.any(String), status: 'sent', messageId: 'message-1' },
      replayed: false,
    });
  });

  it('is claimed, then handed over, then committed', async () => {
    const { run, effects } = prepare({ idempotencyKey: 'key-1', contacts: [buildContact()] });

    await run();

    expect(namesOf(effects)).toEqual([
      'readContext',
      'claim',
      'provide',
      'commitAcceptance',
      'wakeQueue',
    ]);
  });

  it('counts its request before it claims when the key has a cap', async () => {
    const { run, effects } = prepare({ key: { perMinuteCap: 5 }, contacts: [buildContact()] });

    await run();

    expect(namesOf(effects)).toEqual([
      'readContext',
      'countRequest',
      'claim',
      'provide',
      'commitAcceptance',
      'wakeQueue',
    ]);
  });

  it('is handed over as it was asked for, and not after the lease', async () => {
    const { run, effects, organization } = prepare({
      body: { to: 'Ann@Example.com', cc: 'bob@example.com', bcc: 'cy@example.com' },
    });

    const { response } = await run();

    const email = expect.objectContaining({
      organizationId: organization.id,
      feedbackId: feedbackIdOf(response.sendId),
      fromEmail: 'hello@mail.example.com',
      to: { address: 'Ann@example.com', identity: 'ann@example.com' },
      cc: [{ address: 'bob@example.com', identity: 'bob@example.com' }],
      bcc: [{ address: 'cy@example.com', identity: 'cy@example.com' }],
      subject: 'Your receipt',
    });
    expect(argsOf(effects, 'provide')).toEqual([[email, sendingNow + 300_000]]);
  });

  it.each(['transactional', 'bulk'] as const)(
    'is composed for its recipient as %s',
    async (kind) => {
      const keyring = buildKeyring();
      const { run, effects, organization } = prepare({
        body: { to: 'Ann@Example.com', htmlContent: '<p>', policyKey: kind },
        overrides: { keyring: async () => keyring, baseUrl: 'https://s.example.com' },
      });

      const { response } = await run();

      const recipient = {
        contactId: contactIdOf(organization.id, 'ann@example.com'),
        feedbackId: feedbackIdOf(response.sendId),
      };
      const links = createEmailLinks(keyring, 'https://s.example.com', recipient);
      const parts = { content: 'Thank you.', htmlContent: '<p>' };
      const content = await composeContent(parts, organization, { kind }, links);
      expect(argsOf(effects, 'provide')).toEqual([
        [expect.objectContaining(content), expect.anything()],
      ]);
    },
  );

  it('is committed under its message id at the time of its acceptance', async () => {
    let clock = sendingNow;
    const { run, effects } = prepare({
      overrides: {
        now: () => clock,
        provide: async () => {
          clock += 700;
          return { kind: 'accepted', providerMessageId: 'message-7' };
        },
      },
    });

    const { response } = await run();

    expect(argsOf(effects, 'commitAcceptance')).toEqual([
      [
        expect.objectContaining({ id: response.sendId, status: 'sending' }),
        { providerMessageId: 'message-7', at: sendingNow + 700 },
        [],
      ],
    ]);
  });

  it('is recorded as a late acceptance when somebody else settled the send meanwhile', async () => {
    const { run, effects } = prepare({ overrides: { commitAcceptance: async () => 'lost' } });

    const { response } = await run();

    expect(argsOf(effects, 'recordLateAcceptance')).toEqual(argsOf(effects, 'commitAcceptance'));
    expect(response.status).toBe('sent');
  });
});

describe('the claim', () => {
  it('holds the send that is to be made', async () => {
    const { run, effects, organization } = prepare({
      idempotencyKey: 'key-1',
      body: {
        to: 'Ann@Example.com',
        cc: 'bob@example.com',
        bcc: 'cy@example.com',
        policyKey: 'bulk',
      },
    });

    const { response } = await run();

    const [[claim] = []] = argsOf(effects, 'claim');
    expect(claim).toMatchObject({
      send: {
        id: response.sendId,
        feedbackId: feedbackIdOf(response.sendId),
        status: 'sending',
        fromEmail: 'hello@mail.example.com',
        toEmail: 'Ann@example.com',
        cc: ['bob@example.com'],
        bcc: ['cy@example.com'],
        subject: 'Your receipt',
        policyKey: 'bulk',
        idempotencyKey: 'key-1',
        suppressedRecipients: [],
        createdAt: sendingNow,
        updatedAt: sendingNow,
      },
    });
    expect(organizationIdOf(response.sendId)).toBe(organization.id);
  });

  it('is leased for the doubt window and keeps the key for its retention', async () => {
    const { run, effects } = prepare({
      idempotencyKey: 'key-1',
      overrides: { doubtWindowMs: 60_000, keyRetentionMs: 86_400_000 },
    });

    await run();

    expect(argsOf(effects, 'claim')).toMatchObject([
      [
        {
          now: sendingNow,
          leaseExpiresAt: sendingNow + 60_000,
          keyExpiresAt: sendingNow / 1000 + 86_400,
        },
      ],
    ]);
  });

  it.each(['send', 'send-global'] as const)('carries the fingerprint of %s', async (endpoint) => {
    const { run, effects, request } = prepare({ endpoint });

    await run();

    const fingerprint = request.ok && fingerprintOf(endpoint, request.value);
    expect(argsOf(effects, 'claim')).toMatchObject([[{ fingerprint }]]);
  });

  it.each([
    { scopes: [], isReadableById: true },
    { scopes: ['send_email'] as const, isReadableById: false },
    { scopes: ['send_email', 'read_sends'] as const, isReadableById: false },
  ])('of a key with scopes $scopes makes a send readable by id: $isReadableById', async (row) => {
    const { run, effects } = prepare({ key: { scopes: [...row.scopes] } });

    await run();

    expect(argsOf(effects, 'claim')).toMatchObject([
      [{ send: { isReadableById: row.isReadableById } }],
    ]);
  });

  it('gives each request a send id of its own', async () => {
    const [one, other] = await Promise.all([prepare().run(), prepare().run()]);

    expect(one.response.sendId).not.toBe(other.response.sendId);
  });
});

describe('a used idempotency key', () => {
  const first = buildSend();

  it('replays the first response and sends nothing', async () => {
    const response = { sendId: first.id, status: 'sent', messageId: 'message-0' } as const;
    const { run, effects } = prepare({
      idempotencyKey: 'key-1',
      overrides: { claim: async () => ({ kind: 'replay', response }) },
    });

    expect(await run()).toEqual({ response, replayed: true });
    expect(namesOf(effects)).toEqual(['readContext', 'claim']);
  });

  it('of a request under way is a conflict that says when to come back', async () => {
    const { run, effects } = prepare({
      idempotencyKey: 'key-1',
      overrides: { claim: async () => ({ kind: 'in_progress', retryAt: sendingNow + 1_001 }) },
    });

    const error = await serviceErrorOf(run);

    expect(error).toMatchObject({ code: 'idempotency_in_progress', retryAfterSeconds: 2 });
    expect(namesOf(effects)).toEqual(['readContext', 'claim']);
  });

  it('of another request is refused', async () => {
    const { run, effects } = prepare({
      idempotencyKey: 'key-1',
      overrides: { claim: async () => ({ kind: 'key_reused' }) },
    });

    const error = await serviceErrorOf(run);

    expect(error).toMatchObject({ code: 'idempotency_key_reused', retryAfterSeconds: undefined });
    expect(namesOf(effects)).toEqual(['readContext', 'claim']);
  });

  it('of a send in doubt sends under the first send id', async () => {
    const inDoubt = buildSend({ idempotencyKey: 'key-1' });
    const { run, effects } = prepare({
      idempotencyKey: 'key-1',
      overrides: { claim: async () => ({ kind: 'claimed', send: inDoubt }) },
    });

    const { response } = await run();

    expect(response.sendId).toBe(inDoubt.id);
    expect(argsOf(effects, 'provide')).toMatchObject([[{ feedbackId: inDoubt.feedbackId }, {}]]);
    expect(argsOf(effects, 'commitAcceptance')).toMatchObject([[{ id: inDoubt.id }, {}, []]]);
  });
});

describe('a suppressed recipient', () => {
  it('in `to` stops the email: nothing goes to the provider', async () => {
    const { run, effects } = prepare({
      idempotencyKey: 'key-1',
      contacts: [bounced('ann@example.com')],
      body: { cc: 'bob@example.com' },
    });

    const result = await run();

    const suppressedRecipients = [{ email: 'ann@example.com', reason: 'bounce' }];
    expect(result).toEqual({
      response: { sendId: expect.any(String), status: 'suppressed', suppressedRecipients },
      replayed: false,
    });
    expect(namesOf(effects)).toEqual(['readContext', 'claim', 'commitSuppression']);
    expect(argsOf(effects, 'commitSuppression')).toMatchObject([
      [{ id: result.response.sendId, suppressedRecipients }, sendingNow],
    ]);
  });

  it('in cc or bcc is left out, and named in answer and timeline', async () => {
    const { run, effects } = prepare({
      contacts: [bounced('bob@example.com'), bounced('di@example.com')],
      body: { cc: ['bob@example.com', 'cy@example.com'], bcc: ['di@example.com'] },
    });

    const { response } = await run();

    const suppressedRecipients = [
      { email: 'bob@example.com', reason: 'bounce' },
      { email: 'di@example.com', reason: 'bounce' },
    ];
    expect(response).toMatchObject({ status: 'sent', suppressedRecipients });
    expect(argsOf(effects, 'provide')).toMatchObject([
      [{ cc: [{ address: 'cy@example.com' }], bcc: [] }, {}],
    ]);
    expect(argsOf(effects, 'claim')).toMatchObject([
      [{ send: { cc: ['bob@example.com', 'cy@example.com'], suppressedRecipients } }],
    ]);
  });
});

describe('contacts', () => {
  it('are made for the addresses that are new and got the email', async () => {
    const { run, effects, organization } = prepare({
      contacts: [buildContact({ email: 'bob@example.com' }), bounced('di@example.com')],
      body: {
        cc: ['bob@example.com', 'cy@example.com'],
        bcc: ['di@example.com', 'ed@example.com'],
      },
    });

    await run();

    expect(argsOf(effects, 'ensureContact')).toEqual(
      ['ann@example.com', 'cy@example.com', 'ed@example.com'].map((identity) => [
        organization.id,
        expect.objectContaining({ identity }),
        sendingNow,
      ]),
    );
  });

  it('are not made when no email went out', async () => {
    const outcomes: ProviderOutcome[] = [
      { kind: 'rejected', reason: 'MessageRejected' },
      { kind: 'throttled' },
      unknown,
    ];

    for (const outcome of outcomes) {
      const { run, effects } = prepare({ overrides: providing(outcome) });
      await serviceErrorOf(run);
      expect(namesOf(effects)).not.toContain('ensureContact');
    }
  });
});

describe('the send that is claimed', () => {
  it.each<SendEndpoint>(['send', 'send-global'])(
    'tells the usage that %s was used',
    async (endpoint) => {
      const { run, effects } = prepare({ endpoint });

      await run();

      const sends = claimedSends(effects);
      expect(sends).toEqual([expect.objectContaining({ endpoint })]);
      expect(sends).not.toEqual([expect.objectContaining({ attachmentCount: expect.anything() })]);
    },
  );

  it('tells the usage how many attachments it has, and their decoded bytes together', async () => {
    const organization = buildOrganization({ attachmentsEnabled: true });
    const attachments = [
      { filename: 'a.txt', contentBase64: Buffer.alloc(1_000).toString('base64') },
      { filename: 'b.txt', uploadId: newUploadId(organization.id, 9_000_001) },
    ];
    const { run, effects } = prepare({ organization, body: { attachments } });

    await run();

    expect(claimedSends(effects)).toMatchObject([
      { attachmentCount: 2, attachmentBytes: 9_001_001 },
    ]);
  });
});

describe('webhooks', () => {
  const webhooks = {
    [newWebhookId(newOrganizationId())]: { eventTypes: [] },
    [newWebhookId(newOrganizationId())]: { eventTypes: ['email.bounced' as const] },
  };

  it('that want to hear of it get a delivery, which is committed with the acceptance', async () => {
    const { run, effects } = prepare({ organization: { webhooks } });

    const { response } = await run();

    const deliveries = [
      expect.objectContaining({
        webhookId: Object.keys(webhooks)[0],
        type: 'email.sent',
        status: 'pending',
        body: expect.stringContaining(response.sendId),
      }),
    ];
    expect(argsOf(effects, 'commitAcceptance')).toEqual([
      [expect.anything(), expect.anything(), deliveries],
    ]);
    expect(argsOf(effects, 'wakeQueue')).toEqual([[deliveries]]);
  });

  it('are told by the late acceptance when somebody else settled the send', async () => {
    const { run, effects } = prepare({
      organization: { webhooks },
      overrides: { commitAcceptance: async () => 'lost' },
    });

    await run();

    expect(argsOf(effects, 'recordLateAcceptance')).toEqual(argsOf(effects, 'commitAcceptance'));
  });

  it('are no success when SES took the email and then rejected it', async () => {
    const { run } = prepare({ overrides: { commitAcceptance: async () => 'refused' } });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('provider_rejected');
  });

  it('are told nothing of an email that did not go out', async () => {
    const { run, effects } = prepare({
      organization: { webhooks },
      overrides: providing({ kind: 'rejected', reason: 'MessageRejected' }),
    });

    await serviceErrorOf(run);

    expect(namesOf(effects)).not.toContain('wakeQueue');
  });
});

describe('a failing side effect', () => {
  it.each([
    ['ensureContact', { ensureContact: failing }],
    ['wakeQueue', { wakeQueue: failing }],
  ])('in %s does not fail the send, and is logged', async (_name, overrides) => {
    const { run, lines } = prepare({ endpoint: 'send-global', overrides });

    const { response } = await run();

    expect(response.status).toBe('sent');
    expect(lines).toEqual([
      {
        level: 'error',
        message: 'side effect failed',
        fields: { organizationId: expect.any(String), sendId: response.sendId },
      },
    ]);
  });
});

describe('what can go wrong (design §5)', () => {
  it('a definite no fails the send with the reason and frees the key', async () => {
    const { run, effects } = prepare({
      idempotencyKey: 'key-1',
      overrides: providing({ kind: 'rejected', reason: 'MessageRejected' }),
    });

    const error = await serviceErrorOf(run);

    expect(error).toMatchObject({ code: 'provider_rejected', retryAfterSeconds: undefined });
    expect(error.message).toContain('MessageRejected');
    expect(namesOf(effects)).toEqual(['readContext', 'claim', 'provide', 'commitFailure']);
    expect(argsOf(effects, 'commitFailure')).toMatchObject([
      [{ status: 'sending', idempotencyKey: 'key-1' }, 'MessageRejected', sendingNow],
    ]);
  });

  it('throttling past the budget fails the send and says when to come back', async () => {
    const { run, effects } = prepare({
      idempotencyKey: 'key-1',
      overrides: providing({ kind: 'throttled' }),
    });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('provider_throttled');
    expect(error.retryAfterSeconds).toBeGreaterThanOrEqual(1);
    expect(argsOf(effects, 'commitFailure')).toMatchObject([[{}, 'Throttled', sendingNow]]);
  });

  it('an unknown outcome leaves send and key as they are until the lease ends', async () => {
    let clock = sendingNow;
    const { run, effects } = prepare({
      idempotencyKey: 'key-1',
      overrides: {
        now: () => clock,
        provide: async () => {
          clock += 8_000;
          return unknown;
        },
      },
    });

    const error = await serviceErrorOf(run);

    expect(error).toMatchObject({ code: 'provider_outcome_unknown', retryAfterSeconds: 292 });
    expect(namesOf(effects)).toEqual(['readContext', 'claim', 'provide']);
  });

  it('an unknown outcome without a key invites no retry, which could send twice', async () => {
    const { run } = prepare({ overrides: providing(unknown) });

    const error = await serviceErrorOf(run);

    expect(error).toMatchObject({ code: 'provider_outcome_unknown', retryAfterSeconds: undefined });
    expect(error.message).toContain('timeline');
  });

  it('an acceptance that cannot be stored is an unknown outcome', async () => {
    const { run, effects } = prepare({
      idempotencyKey: 'key-1',
      contacts: [buildContact()],
      overrides: { commitAcceptance: failing },
    });

    const error = await serviceErrorOf(run);

    expect(error).toMatchObject({ code: 'provider_outcome_unknown', retryAfterSeconds: 300 });
    expect(namesOf(effects)).toEqual(['readContext', 'claim', 'provide', 'commitAcceptance']);
  });

  it('a failure that cannot be stored is answered all the same, and logged', async () => {
    const { run, lines } = prepare({
      overrides: {
        ...providing({ kind: 'rejected', reason: 'MessageRejected' }),
        commitFailure: failing,
      },
    });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('provider_rejected');
    expect(lines).toMatchObject([{ level: 'error', fields: { reason: 'MessageRejected' } }]);
  });

  it('a claim that cannot be stored sends nothing', async () => {
    const { run, effects } = prepare({ overrides: { claim: failing } });

    await expect(run()).rejects.toThrow();
    expect(namesOf(effects)).toEqual(['readContext', 'claim']);
  });

  it('signing keys that cannot be read send nothing', async () => {
    const { run, effects } = prepare({ overrides: { keyring: failing } });

    await expect(run()).rejects.toThrow();
    expect(namesOf(effects)).toEqual(['readContext']);
  });

  it.each<[ErrorCode, Partial<SendDependencies>]>([
    ['provider_rejected', providing({ kind: 'rejected', reason: 'MessageRejected' })],
    ['provider_throttled', providing({ kind: 'throttled' })],
    ['provider_outcome_unknown', providing(unknown)],
    ['provider_outcome_unknown', { commitAcceptance: failing }],
    ['idempotency_in_progress', { claim: async () => ({ kind: 'in_progress', retryAt: 0 }) }],
    ['idempotency_key_reused', { claim: async () => ({ kind: 'key_reused' }) }],
  ])('%s quotes neither address nor cause', async (code, overrides) => {
    const { run } = prepare({ idempotencyKey: 'key-1', overrides });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe(code);
    expect(error.message).not.toMatch(/ann@example\.com|socket hang up/);
  });
});
