import { describe, expect, it } from 'vitest';
import { composeEmail } from '#shared/email/compose-email';
import { createEmailLinks } from '#shared/email/email-links';
import type { ErrorCode } from '#shared/errors/errors';
import { fingerprintOf } from '#shared/sending/fingerprint';
import type { Send, SendEndpoint } from '#shared/sending/send';
import { contactIdOf, feedbackIdOf, organizationIdOf } from '#shared/tokens/resource-id';
import { buildAttachmentField } from '../../support/attachment-builder.ts';
import { buildClaim } from '../../support/claim-builder.ts';
import { buildContact } from '../../support/contact-builder.ts';
import { buildEmailAddress } from '../../support/email-address-builder.ts';
import { buildKeyring } from '../../support/keyring-builder.ts';
import { doubtWindowMs } from '../../support/send-builder.ts';
import { type SendingOverrides, sendingNow } from '../../support/sending-builder.ts';
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
  unknown,
  unreachable,
} from './send-scenario.ts';

const claimed = (send: Send): SendingOverrides => ({
  claims: { claim: async () => ({ kind: 'claimed', send }) },
});

describe('an accepted email', () => {
  it('answers the send, its status and the message id', async () => {
    const { run, effects } = prepare();

    const result = await run();

    expect(argsOf(effects, 'claims.claim')).toMatchObject([[{ id: result.response.sendId }]]);
    expect(result).toEqual({
      response: { sendId: expect.any(String), status: 'sent', messageId: 'message-1' },
      replayed: false,
    });
  });

  it('is claimed, then handed over, then committed', async () => {
    const { run, effects } = prepare({ idempotencyKey: 'key-1', contacts: [buildContact()] });

    await run();

    expect(namesOf(effects)).toEqual([
      'contexts.read',
      'claims.claim',
      'callProvider',
      'settlements.commitAcceptance',
    ]);
  });

  it('counts its request before it claims when the key has a cap', async () => {
    const { run, effects } = prepare({ key: { perMinuteCap: 5 }, contacts: [buildContact()] });

    await run();

    expect(namesOf(effects)).toEqual([
      'contexts.read',
      'rateWindows.count',
      'claims.claim',
      'callProvider',
      'settlements.commitAcceptance',
    ]);
  });

  it('is handed over as requested, in the first 30 s of its window', async () => {
    const { run, effects, organization } = prepare({
      body: { to: 'Ann@Example.com', cc: 'bob@example.com', bcc: 'cy@example.com' },
    });

    const { response } = await run();

    const email = expect.objectContaining({
      organizationId: organization.id,
      feedbackId: feedbackIdOf(response.sendId),
      fromEmail: 'hello@mail.example.com',
      to: [{ address: 'Ann@example.com', identity: 'ann@example.com' }],
      cc: [{ address: 'bob@example.com', identity: 'bob@example.com' }],
      bcc: [{ address: 'cy@example.com', identity: 'cy@example.com' }],
      subject: 'Your receipt',
    });
    const deadline = { beginsBefore: sendingNow + 30_000, endsBefore: sendingNow + doubtWindowMs };
    expect(argsOf(effects, 'callProvider')).toEqual([[email, deadline]]);
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
      const parts = { subject: 'Your receipt', content: 'Thank you.', htmlContent: '<p>' };
      const to = [buildEmailAddress('ann@example.com')];
      const content = await composeEmail(
        parts,
        { to, cc: [], bcc: [] },
        organization,
        { kind },
        links,
      );
      expect(argsOf(effects, 'callProvider')).toEqual([
        [expect.objectContaining(content), expect.anything()],
      ]);
    },
  );

  it("doesn't track the link by which recipients unsubscribe", async () => {
    const htmlContent = '<a href="https://shop.example.com/bye">';
    const { run, effects } = prepare({
      body: { htmlContent },
      organization: { unsubscribePageUrl: 'https://shop.example.com/bye' },
    });

    await run();

    const html = expect.stringContaining(htmlContent);
    expect(argsOf(effects, 'callProvider')).toMatchObject([[{ html }, expect.anything()]]);
  });

  it.each<[string, number, object]>([
    ['has no unsubscribe header when a second one gets it', 0, { bcc: 'bob@example.com' }],
    ['has them when the second one is suppressed', 2, { bcc: 'di@example.com' }],
  ])('%s', async (_, count, body) => {
    const { run, effects } = prepare({ contacts: [bounced('di@example.com')], body: { ...body } });

    await run();

    const headers = expect.objectContaining({ length: count });
    expect(argsOf(effects, 'callProvider')).toEqual([
      [expect.objectContaining({ headers }), expect.anything()],
    ]);
  });

  it('is committed under its message id at the time of its acceptance', async () => {
    const accepted = { kind: 'accepted', providerMessageId: 'message-7' } as const;
    const { run, effects } = prepare({ overrides: answeringAfter(700, accepted) });

    const { response } = await run();

    expect(argsOf(effects, 'settlements.commitAcceptance')).toEqual([
      [
        expect.objectContaining({ id: response.sendId, status: 'sending' }),
        { providerMessageId: 'message-7', at: sendingNow + 700 },
        [],
      ],
    ]);
  });
});

describe('the claim', () => {
  it('holds the send to be made', async () => {
    const { run, effects, organization } = prepare({
      idempotencyKey: 'key-1',
      organization: { policies: { receipts: { kind: 'transactional' } } },
      body: {
        to: 'Ann@Example.com',
        cc: 'bob@example.com',
        bcc: 'cy@example.com',
        policyKey: 'receipts',
      },
    });

    const { response } = await run();

    const [[claim] = []] = argsOf(effects, 'claims.claim');
    expect(claim).toMatchObject({
      id: response.sendId,
      feedbackId: feedbackIdOf(response.sendId),
      status: 'sending',
      fromEmail: 'hello@mail.example.com',
      toEmail: 'Ann@example.com',
      cc: ['bob@example.com'],
      bcc: ['cy@example.com'],
      subject: 'Your receipt',
      policyKey: 'receipts',
      idempotencyKey: 'key-1',
      suppressedRecipients: [],
      createdAt: sendingNow,
      updatedAt: sendingNow,
    });
    expect(organizationIdOf(response.sendId)).toBe(organization.id);
  });

  it('lasts for the doubt window, and is kept as long as sends are', async () => {
    const { run, effects } = prepare({
      idempotencyKey: 'key-1',
      overrides: { doubtWindowMs: 60_000, sendRetentionDays: 7 },
    });

    await run();

    expect(argsOf(effects, 'claims.claim')).toMatchObject([
      [
        {
          claimedAt: sendingNow,
          leaseExpiresAt: sendingNow + 60_000,
          expiresAt: sendingNow / 1000 + 7 * 86_400,
        },
      ],
    ]);
  });

  it.each<SendEndpoint>(['send', 'send-global'])(
    'carries the fingerprint of %s, and reports its usage',
    async (endpoint) => {
      const { run, effects, request } = prepare({ endpoint });

      await run();

      const fingerprint = request.ok && fingerprintOf(endpoint, request.value);
      expect(argsOf(effects, 'claims.claim')).toMatchObject([[{ fingerprint, endpoint }]]);
    },
  );

  it.each([
    { scopes: [], isReadableById: true },
    { scopes: ['send_email'] as const, isReadableById: false },
    { scopes: ['send_email', 'read_sends'] as const, isReadableById: false },
  ])('with a key with scopes $scopes makes a send readable by id: $isReadableById', async (row) => {
    const { run, effects } = prepare({ key: { scopes: [...row.scopes] } });

    await run();

    expect(argsOf(effects, 'claims.claim')).toMatchObject([
      [{ isReadableById: row.isReadableById }],
    ]);
  });

  it("sends nothing when it can't be stored", async () => {
    const { run, effects } = prepare({ overrides: { claims: { claim: failing } } });

    await expect(run()).rejects.toThrow();
    expect(namesOf(effects)).toEqual(['contexts.read', 'claims.claim']);
  });

  it("isn't made when the signing keys can't be read", async () => {
    const { run, effects } = prepare({ overrides: { keyring: failing } });

    await expect(run()).rejects.toThrow();
    expect(namesOf(effects)).toEqual(['contexts.read']);
  });

  it('is not made when attachments are refused', async () => {
    const body = { attachments: [buildAttachmentField()] };
    const { run, effects } = prepare({ key: { perMinuteCap: 1 }, body });

    const { code } = await serviceErrorOf(run);

    expect(code).toBe('plan_required');
    expect(namesOf(effects)).toEqual(['contexts.read', 'rateWindows.count', 'checkEntitlement']);
  });
});

describe('a used idempotency key', () => {
  it('replays the first response and sends nothing', async () => {
    const { id: sendId } = buildClaim();
    const response = { sendId, status: 'sent', messageId: 'message-0' } as const;
    const { run, effects } = prepare({
      idempotencyKey: 'key-1',
      overrides: { claims: { claim: async () => ({ kind: 'replay', response }) } },
    });

    expect(await run()).toEqual({ response, replayed: true });
    expect(namesOf(effects)).toEqual(['contexts.read', 'claims.claim']);
  });

  it('of a request under way is a conflict that says when to retry', async () => {
    const retryAt = sendingNow + 1_001;
    const { run, effects } = prepare({
      idempotencyKey: 'key-1',
      overrides: { claims: { claim: async () => ({ kind: 'in_progress', retryAt }) } },
    });

    const error = await serviceErrorOf(run);

    expect(error).toMatchObject({ code: 'idempotency_in_progress', retryAfterSeconds: 2 });
    expect(namesOf(effects)).toEqual(['contexts.read', 'claims.claim']);
  });

  it('of another request is refused', async () => {
    const { run, effects } = prepare({
      idempotencyKey: 'key-1',
      overrides: { claims: { claim: async () => ({ kind: 'key_reused' }) } },
    });

    const error = await serviceErrorOf(run);

    expect(error).toMatchObject({ code: 'idempotency_key_reused', retryAfterSeconds: undefined });
    expect(namesOf(effects)).toEqual(['contexts.read', 'claims.claim']);
  });

  it('of a failed send sends under its id, and counts no doubt', async () => {
    const failed = { attempt: 1, at: sendingNow - 1_000, reason: 'MessageRejected' };
    const next = buildClaim({ attempt: 2, attempts: [failed] });
    const { run, effects } = prepare({ idempotencyKey: 'key-1', overrides: claimed(next) });

    const { response } = await run();

    expect(response).toEqual({ sendId: next.id, status: 'sent', messageId: 'message-1' });
    expect(namesOf(effects)).not.toContain('countDoubt');
  });
});

describe('a send that is taken over from an attempt in doubt', () => {
  const takeover = buildClaim({
    attempt: 2,
    claimedAt: sendingNow,
    doubtUntil: sendingNow + doubtWindowMs,
  });

  it('is made under the first send id, and counted', async () => {
    const { run, effects } = prepare({ idempotencyKey: 'key-1', overrides: claimed(takeover) });

    const { response } = await run();

    expect(response.sendId).toBe(takeover.id);
    expect(argsOf(effects, 'callProvider')).toMatchObject([
      [{ feedbackId: takeover.feedbackId }, {}],
    ]);
    expect(argsOf(effects, 'settlements.commitAcceptance')).toMatchObject([
      [{ id: takeover.id, attempt: 2 }, {}, []],
    ]);
    expect(argsOf(effects, 'countDoubt')).toEqual([['taken over']]);
  });

  it('is not handed over when its address was suppressed in between, but not answered as final', async () => {
    const suppressed = { attempt: 2, at: sendingNow, reason: 'Suppressed' };
    const held = { ...takeover, attempts: [suppressed] };
    const { run, effects } = prepare({
      idempotencyKey: 'key-1',
      contacts: [bounced('ann@example.com')],
      overrides: claimed(held),
    });

    const error = await serviceErrorOf(run);

    expect(error).toMatchObject({ code: 'provider_outcome_unknown', retryAfterSeconds: 300 });
    expect(namesOf(effects)).toEqual(['contexts.read', 'claims.claim', 'countDoubt']);
  });
});

describe('a suppressed recipient', () => {
  it('in `to` stops the email: the send is complete with its claim', async () => {
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
    expect(namesOf(effects)).toEqual(['contexts.read', 'claims.claim']);
    expect(argsOf(effects, 'claims.claim')).toMatchObject([
      [{ id: result.response.sendId, status: 'suppressed', suppressedRecipients }],
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
    expect(argsOf(effects, 'callProvider')).toMatchObject([
      [{ cc: [{ address: 'cy@example.com' }], bcc: [] }, {}],
    ]);
    expect(argsOf(effects, 'claims.claim')).toMatchObject([
      [{ cc: ['bob@example.com', 'cy@example.com'], suppressedRecipients }],
    ]);
  });
});

describe('a refusal', () => {
  it.each<[ErrorCode, SendingOverrides]>([
    ['provider_rejected', providing(refused)],
    ['provider_throttled', providing({ kind: 'throttled' })],
    ['provider_unreachable', providing(unreachable)],
    ['provider_outcome_unknown', providing(unknown)],
    ['provider_outcome_unknown', { settlements: { commitAcceptance: failing } }],
    [
      'idempotency_in_progress',
      { claims: { claim: async () => ({ kind: 'in_progress', retryAt: 0 }) } },
    ],
    ['idempotency_key_reused', { claims: { claim: async () => ({ kind: 'key_reused' }) } }],
  ])('as %s quotes neither address nor cause', async (code, overrides) => {
    const { run } = prepare({ idempotencyKey: 'key-1', overrides });

    const error = await serviceErrorOf(run);

    expect(error.code).toBe(code);
    expect(error.message).not.toMatch(/ann@example\.com|socket hang up|ECONNREFUSED/);
  });
});
