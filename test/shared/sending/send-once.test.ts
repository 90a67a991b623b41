import { describe, expect, it } from 'vitest';
import { composeEmail } from '#shared/email/compose-email';
import { createEmailLinks } from '#shared/email/email-links';
import { contactIdOf, feedbackIdOf } from '#shared/tokens/resource-id';
import { buildAttachmentField } from '../../support/attachment-builder.ts';
import { captureOutput } from '../../support/captured-output.ts';
import { buildEmailAddress } from '../../support/email-address-builder.ts';
import { leaseMs } from '../../support/send-builder.ts';
import {
  answerAfter,
  failOn,
  openSendWorld,
  type SendWorld,
  sendInDoubt,
  startOfWorld,
} from '../../support/send-world.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const idempotencyKey = 'key-1';
const bounced = { bounce: { at: 1 } };

/** Of a minute. */
const counting = expect.stringMatching(/^UpdateItem \d+$/);

describe('an accepted email', () => {
  it('costs one read, one claim, one call of SES, one commit', async () => {
    const world = await openSendWorld();

    const result = await world.send({ idempotencyKey });

    expect(world.calls).toEqual(['BatchGetItem', 'PutItem SEND', 'SES', 'UpdateItem SEND']);
    expect(result).toEqual({
      response: { sendId: world.stored().id, status: 'sent', messageId: 'message-1' },
      replayed: false,
    });
    expect(world.stored()).toMatchObject({ status: 'sent', providerMessageId: 'message-1' });
  });

  it('is counted before the claim when the key has a cap', async () => {
    const world = await openSendWorld({ key: { perMinuteCap: 5 } });

    await world.send();

    expect(world.calls.slice(0, 3)).toEqual(['BatchGetItem', counting, 'PutItem SEND']);
  });

  it('is handed over as it was asked for, in the first 30 s of its lease', async () => {
    const world = await openSendWorld();

    const { response } = await world.send({
      body: { to: 'Ann@Example.com', cc: 'bob@example.com', bcc: 'cy@example.com' },
    });

    expect(world.mailbox).toMatchObject([
      {
        organizationId: world.organization.id,
        feedbackId: feedbackIdOf(response.sendId),
        fromEmail: 'hello@mail.example.com',
        to: [{ address: 'Ann@example.com', identity: 'ann@example.com' }],
        cc: [{ address: 'bob@example.com' }],
        bcc: [{ address: 'cy@example.com' }],
        subject: 'Your receipt',
        beginsBefore: startOfWorld + 30_000,
        endsBefore: startOfWorld + leaseMs,
      },
    ]);
  });

  it.each(['transactional', 'bulk'] as const)(
    'is composed for its recipient as %s',
    async (kind) => {
      const world = await openSendWorld();

      const { response } = await world.send({ body: { htmlContent: '<p>', policyKey: kind } });

      const { organization, sending } = world;
      const links = createEmailLinks(await sending.keyring(), sending.settings.baseUrl, {
        contactId: contactIdOf(organization.id, 'ann@example.com'),
        feedbackId: feedbackIdOf(response.sendId),
      });
      const words = { subject: 'Your receipt', content: 'Thank you.', htmlContent: '<p>' };
      const people = { to: [buildEmailAddress('ann@example.com')], cc: [], bcc: [] };
      expect(world.mailbox).toMatchObject([
        await composeEmail(words, people, organization, { kind }, links),
      ]);
    },
  );

  it('does not track the link to the unsubscribe page', async () => {
    const htmlContent = '<a href="https://shop.example.com/bye">';
    const unsubscribePageUrl = 'https://shop.example.com/bye';
    const world = await openSendWorld({ organization: { unsubscribePageUrl } });

    await world.send({ body: { htmlContent } });

    expect(world.mailbox[0]?.html).toContain(htmlContent);
  });

  it.each([
    { what: 'a second one gets it', count: 0, bcc: 'bob@example.com' },
    { what: 'the second one is suppressed', count: 2, bcc: 'di@example.com' },
  ])('has $count unsubscribe headers when $what', async ({ count, bcc }) => {
    const world = await openSendWorld({ contacts: [{}, { email: 'di@example.com', ...bounced }] });

    await world.send({ body: { bcc } });

    expect(world.mailbox[0]?.headers).toHaveLength(count);
  });

  it('has the time at which SES says it accepted it, else the time of its answer', async () => {
    const [said, answered] = [await openSendWorld(), await openSendWorld()];
    const accepted = { kind: 'accepted', providerMessageId: 'message-7' } as const;
    said.ses = () => ({ ...accepted, acceptedAt: startOfWorld - 3 });
    answerAfter(answered, 700, accepted);

    await said.send();
    await answered.send();

    expect(said.stored().sentAt).toBe(startOfWorld - 3);
    expect(answered.stored().sentAt).toBe(startOfWorld + 700);
  });

  it.each([
    { usesTenants: true, tenant: { sending: 'enabled' as const }, isNamed: true },
    { usesTenants: false, tenant: { sending: 'enabled' as const }, isNamed: false },
    { usesTenants: true, tenant: undefined, isNamed: false },
  ])('goes in its tenant’s name: $isNamed', async ({ usesTenants, tenant, isNamed }) => {
    const world = await openSendWorld({
      settings: { usesTenants },
      organization: { ...(tenant && { tenant }) },
    });

    await world.send();

    const { id } = world.organization;
    expect(world.mailbox).toMatchObject([{ tenantName: isNamed ? id : undefined }]);
  });

  it.each([
    [startOfWorld + 1, true],
    [startOfWorld, false],
    [undefined, false],
  ])(
    'is shed first while its organization is over its share, here until %s',
    async (until, isShedFirst) => {
      const world = await openSendWorld({
        organization: { ...(until !== undefined && { overShareUntil: until }) },
      });

      await world.send();

      expect(world.mailbox).toMatchObject([{ isShedFirst }]);
    },
  );
});

describe('an email made with a test key', () => {
  it('goes to the simulator, never to SES', async () => {
    const world = await openSendWorld({ key: { test: true } });
    const sendTest = async () => ({ kind: 'accepted', providerMessageId: 'test-1' }) as const;
    Object.assign(world.sending.email, { sendTest });

    const { response } = await world.send();

    expect(response).toMatchObject({ status: 'sent', messageId: 'test-1', test: true });
    expect(world.mailbox).toEqual([]);
  });
});

describe('the stored send', () => {
  it('has what was asked for', async () => {
    const world = await openSendWorld({
      organization: { policies: { receipts: { kind: 'transactional' } } },
      settings: { leaseMs: 60_000, sendRetentionDays: 7 },
    });
    const body = { to: 'Ann@Example.com', cc: 'bob@example.com', bcc: 'cy@example.com' };

    const { response } = await world.send({
      idempotencyKey,
      body: { ...body, policyKey: 'receipts' },
    });

    expect(world.stored()).toMatchObject({
      id: response.sendId,
      feedbackId: feedbackIdOf(response.sendId),
      fromEmail: 'hello@mail.example.com',
      toEmail: 'Ann@example.com',
      cc: ['bob@example.com'],
      bcc: ['cy@example.com'],
      subject: 'Your receipt',
      policyKey: 'receipts',
      idempotencyKey,
      suppressedRecipients: [],
      createdAt: startOfWorld,
      claimedAt: startOfWorld,
      leaseExpiresAt: startOfWorld + 60_000,
      expiresAt: startOfWorld / 1000 + 7 * 86_400,
    });
  });

  it('belongs to the endpoint: its key is used up for the other', async () => {
    const world = await openSendWorld();
    await world.send({ idempotencyKey, endpoint: 'send-global' });

    const { code } = await serviceErrorOf(() => world.send({ idempotencyKey, endpoint: 'send' }));

    expect(world.stored().endpoint).toBe('send-global');
    expect(code).toBe('idempotency_key_reused');
  });

  it.each([
    { scopes: [], isReadableById: true },
    { scopes: ['send_email' as const], isReadableById: false },
    { scopes: ['send_email' as const, 'read_sends' as const], isReadableById: false },
  ])('of a key with scopes $scopes is readable by id: $isReadableById', async (row) => {
    const world = await openSendWorld({ key: { scopes: row.scopes } });

    await world.send();

    expect(world.stored().isReadableById).toBe(row.isReadableById);
  });

  it.each([
    ['it cannot be stored', (world: SendWorld) => failOn(world, 'PutItem SEND')],
    [
      'the signing keys cannot be read',
      (world: SendWorld) => {
        Object.assign(world.sending, { keyring: () => Promise.reject(new Error('no keys')) });
      },
    ],
    ['the context cannot be read', (world: SendWorld) => failOn(world, 'BatchGetItem')],
  ])('is not made, nor the email sent, when %s', async (_what, disturb) => {
    const world = await openSendWorld();
    disturb(world);

    await expect(world.send()).rejects.toThrow();

    expect(world.mailbox).toEqual([]);
    expect(() => world.stored()).toThrow();
  });

  it('is not made when attachments are refused, though the request counts', async () => {
    const world = await openSendWorld({ key: { perMinuteCap: 1 } });
    const body = { attachments: [buildAttachmentField()] };

    const { code } = await serviceErrorOf(() => world.send({ body }));

    expect(code).toBe('plan_required');
    expect(world.calls).toEqual(['BatchGetItem', counting]);
  });
});

describe('a used idempotency key', () => {
  it('replays the first answer and sends nothing', async () => {
    const world = await openSendWorld();
    const first = await world.send({ idempotencyKey });

    const again = await world.send({ idempotencyKey });

    expect(again).toEqual({ response: first.response, replayed: true });
    expect(world.mailbox).toHaveLength(1);
  });

  it.each([
    { what: 'the cap of the minute is used up', key: { perMinuteCap: 1 } },
    { what: 'the cap of the day is used up', key: { dailyCap: 1 } },
  ])('replays the first answer even when $what, and refuses a new email', async ({ key }) => {
    const world = await openSendWorld({ key });
    const first = await world.send({ idempotencyKey });

    expect(await world.send({ idempotencyKey })).toEqual({ ...first, replayed: true });
    const { code } = await serviceErrorOf(() => world.send({ idempotencyKey: 'key-2' }));

    expect(code).toBe('rate_limited');
    expect(world.mailbox).toHaveLength(1);
  });

  it('of a request under way is a conflict that says when to come back', async () => {
    const world = await openSendWorld();
    let inBetween: unknown;
    world.ses = async () => {
      inBetween = await serviceErrorOf(() => world.send({ idempotencyKey }));
      return { kind: 'accepted', providerMessageId: 'message-1' };
    };

    await world.send({ idempotencyKey });

    expect(inBetween).toMatchObject({ code: 'idempotency_in_progress', retryAfterSeconds: 1 });
    expect(world.mailbox).toHaveLength(1);
  });

  it('of another request is refused', async () => {
    const world = await openSendWorld();
    await world.send({ idempotencyKey });

    const another = { idempotencyKey, body: { subject: 'Another' } };
    const error = await serviceErrorOf(() => world.send(another));

    expect(error).toMatchObject({ code: 'idempotency_key_reused', retryAfterSeconds: undefined });
    expect(world.mailbox).toHaveLength(1);
  });

  it('of a failed send makes its next attempt, and counts no doubt', async () => {
    const output = captureOutput();
    const world = await openSendWorld();
    world.ses = () => ({ kind: 'refused', reason: 'MessageRejected' });
    await serviceErrorOf(() => world.send({ idempotencyKey }));
    const failed = world.stored();
    world.ses = () => ({ kind: 'accepted', providerMessageId: 'message-2' });

    const { response } = await world.send({ idempotencyKey });

    expect(response).toEqual({ sendId: failed.id, status: 'sent', messageId: 'message-2' });
    expect(world.stored()).toMatchObject({ attempt: 2, attempts: failed.attempts });
    expect(output.text()).not.toContain('SendInDoubt');
  });
});

describe('a send in doubt', () => {
  it('is taken over when its lease has ended, under the first id, and counted', async () => {
    const output = captureOutput();
    const world = await openSendWorld();
    const { id, feedbackId } = await sendInDoubt(world, idempotencyKey);
    world.now += leaseMs;
    world.ses = () => ({ kind: 'accepted', providerMessageId: 'message-2' });

    const { response } = await world.send({ idempotencyKey });

    expect(response.sendId).toBe(id);
    expect(world.mailbox.map((email) => email.feedbackId)).toEqual([feedbackId, feedbackId]);
    expect(world.stored()).toMatchObject({ attempt: 2, providerMessageId: 'message-2' });
    expect(output.text()).toContain('taken over');
  });

  it('sends nothing if its address has been suppressed since, but stays in doubt', async () => {
    const world = await openSendWorld();
    await sendInDoubt(world, idempotencyKey);
    world.now += leaseMs;
    await world.putContact(bounced);

    const error = await serviceErrorOf(() => world.send({ idempotencyKey }));

    expect(error).toMatchObject({ code: 'provider_outcome_unknown', retryAfterSeconds: 300 });
    expect(world.mailbox).toHaveLength(1);
    expect(world.stored().status).toBe('sending');
  });
});

describe('a suppressed recipient', () => {
  it('in `to` stops the email: the send is complete with its claim', async () => {
    const world = await openSendWorld({ contacts: [bounced] });

    const { response } = await world.send({ idempotencyKey, body: { cc: 'bob@example.com' } });

    const suppressedRecipients = [{ email: 'ann@example.com', reason: 'bounce' }];
    expect(response).toEqual({
      sendId: response.sendId,
      status: 'suppressed',
      suppressedRecipients,
    });
    expect(world.stored()).toMatchObject({ status: 'suppressed', suppressedRecipients });
    expect(world.mailbox).toEqual([]);
  });

  it('in cc or bcc is left out, and named in answer and send', async () => {
    const world = await openSendWorld({
      contacts: [
        {},
        { email: 'bob@example.com', ...bounced },
        { email: 'di@example.com', ...bounced },
      ],
    });
    const body = { cc: ['bob@example.com', 'cy@example.com'], bcc: ['di@example.com'] };

    const { response } = await world.send({ body });

    const suppressedRecipients = [
      { email: 'bob@example.com', reason: 'bounce' },
      { email: 'di@example.com', reason: 'bounce' },
    ];
    expect(response).toMatchObject({ status: 'sent', suppressedRecipients });
    expect(world.mailbox).toMatchObject([{ cc: [{ address: 'cy@example.com' }], bcc: [] }]);
    expect(world.stored()).toMatchObject({ cc: body.cc, suppressedRecipients });
  });
});
