import { setTimeout } from 'node:timers/promises';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { workBudgetMs } from '#shared/config/work-budget';
import type { ProviderOutcome } from '#shared/email/email-provider';
import type { Send, SendEndpoint } from '#shared/sending/send';
import { keyOf } from '#shared/sending/send-items';
import { commitAcceptance, recordRejection } from '#shared/sending/send-store';
import {
  feedbackIdOf,
  newOrganizationId,
  newUploadId,
  newWebhookId,
} from '#shared/tokens/resource-id';
import { buildAttachmentField } from '../../support/attachment-builder.ts';
import { captureOutput } from '../../support/captured-output.ts';
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
const refused = { kind: 'refused', reason: 'MessageRejected' } as const;
const throttled = { kind: 'throttled' } as const;
const unreachable = { kind: 'unreachable', cause: new Error('connect ECONNREFUSED') } as const;
const unknown = { kind: 'unknown', cause: new Error('socket hang up') } as const;

describe('attachments', () => {
  const organization = { id: newOrganizationId(), attachmentsEnabled: true };
  const uploadId = newUploadId(organization.id, 8);
  const uploaded = { attachments: [{ filename: 'a.txt', uploadId }] };
  const url = 'https://files.example.com/logo.png';
  const linked = { attachments: [{ url, contentId: 'logo' }, buildAttachmentField()] };
  const fetched = {
    kind: 'fetched',
    file: { bytes: Buffer.from('fetched'), contentType: 'image/png', filename: 'logo.png' },
  } as const;

  it.each<SendEndpoint>(['send', 'send-global'])(
    'go out byte for byte with %s',
    async (endpoint) => {
      const world = await openSendWorld({ organization });
      const attachments = [
        buildAttachmentField({ filename: 'a.bin', contentBase64: 'AP8=' }),
        buildAttachmentField({ filename: 'b.txt', contentType: 'text/plain' }),
      ];

      await world.send({ endpoint, body: { attachments } });

      expect(world.mailbox[0]?.attachments).toMatchObject([
        { filename: 'a.bin', contentType: undefined, bytes: Buffer.from([0, 255]) },
        { filename: 'b.txt', contentType: 'text/plain', bytes: Buffer.from('Hello') },
      ]);
      expect(world.stored()).toMatchObject({ attachmentCount: 2, attachmentBytes: 7 });
    },
  );

  it.each([
    { what: 'uploaded', body: uploaded, claimed: 8, sent: 8 },
    { what: 'behind a URL', body: linked, claimed: 5, sent: 12 },
  ])('$what are loaded once the send is claimed, and counted', async ({ body, claimed, sent }) => {
    let ofClaim: Send | undefined;
    const world = await openSendWorld({
      organization,
      attachments: {
        fetchUpload: async () => {
          ofClaim = world.stored();
          return { bytes: Buffer.from('uploaded'), contentType: 'text/plain' };
        },
        fetchFile: async () => {
          ofClaim = world.stored();
          return fetched;
        },
      },
    });

    await world.send({ body });

    expect(ofClaim).toMatchObject({ status: 'sending', attachmentBytes: claimed });
    expect(world.stored()).toMatchObject({ status: 'sent', attachmentBytes: sent });
    expect(world.mailbox[0]?.attachments[0]?.bytes.toString()).toMatch(/uploaded|fetched/);
  });

  it.each([
    {
      code: 'unknown_upload',
      body: uploaded,
      path: 'attachments.0.uploadId',
      fetchFile: undefined,
    },
    {
      code: 'attachment_not_fetched',
      body: linked,
      path: 'attachments.0.url',
      fetchFile: async () => ({ kind: 'failed', reason: 'answered 404' }) as const,
    },
    {
      code: 'too_large',
      body: linked,
      path: 'attachments.0.url',
      fetchFile: async () => ({ kind: 'too_large' }) as const,
    },
  ])(
    'that end in $code fail the send, and a retry may send it',
    async ({ code, body, path, fetchFile }) => {
      const world = await openSendWorld({
        organization,
        attachments: fetchFile ? { fetchFile } : {},
      });

      const error = await serviceErrorOf(() => world.send({ idempotencyKey, body }));

      expect(error).toMatchObject({ code, errors: [{ path }] });
      expect(world.stored()).toMatchObject({
        status: 'failed',
        attempts: [{ reason: 'AttachmentUnavailable' }],
      });
      expect(world.mailbox).toEqual([]);
    },
  );

  it('fail the send when the bucket fails', async () => {
    const fetchUpload = () => Promise.reject(new Error('S3'));
    const world = await openSendWorld({ organization, attachments: { fetchUpload } });

    await expect(world.send({ body: uploaded })).rejects.toThrow('S3');

    expect(world.stored().status).toBe('failed');
  });

  it.each([
    [0, false],
    [workBudgetMs - 5_000, false],
    [workBudgetMs, true],
    [workBudgetMs + 60_000, true],
  ])('claimed %d ms before the fetch leave time for SES (gives up: %s)', async (late, isOver) => {
    const givenUp: boolean[] = [];
    const world = await openSendWorld({
      organization,
      attachments: {
        fetchFile: async (_url, _takeBytes, signal) => {
          await setTimeout(20);
          givenUp.push(signal.aborted);
          return { kind: 'failed', reason: 'did not come in time' };
        },
      },
    });
    world.disturb = async (call) => {
      if (call === 'PutItem SEND') world.now += late;
    };

    await serviceErrorOf(() => world.send({ body: linked }));

    expect(givenUp).toEqual([isOver]);
  });

  it('that are missing after the lease has ended are no definite no', async () => {
    const world = await openSendWorld({
      organization,
      attachments: {
        fetchUpload: async () => {
          world.now += leaseMs;
          return undefined;
        },
      },
    });

    const error = await serviceErrorOf(() => world.send({ idempotencyKey, body: uploaded }));

    expect(error.code).toBe('provider_outcome_unknown');
    expect(world.stored().status).toBe('sending');
  });
});

describe('an acceptance that an SES event was faster to report', () => {
  const at = startOfWorld;

  it.each([
    ['of the same message is answered as if the request had been first', 'message-1'],
    ['of another message is answered with that one, as every replay', 'message-0'],
  ])('%s', async (_what, providerMessageId) => {
    const world = await openSendWorld();
    world.ses = async () => {
      await commitAcceptance(world.sending.table, world.stored(), { providerMessageId, at }, []);
      return { kind: 'accepted', providerMessageId: 'message-1' };
    };

    const { response, replayed } = await world.send();

    expect(response).toMatchObject({ status: 'sent', messageId: providerMessageId });
    expect(replayed).toBe(false);
  });

  const rejectContent = async ({ sending: { table }, stored }: SendWorld) => {
    const acceptance = { providerMessageId: 'message-1', at };
    await commitAcceptance(table, stored(), acceptance, []);
    await recordRejection(table, stored(), acceptance, 'Bad content');
  };

  it('is no success when SES has rejected the content since', async () => {
    const world = await openSendWorld();
    world.ses = async () => {
      await rejectContent(world);
      return { kind: 'accepted', providerMessageId: 'message-1' };
    };

    const { code } = await serviceErrorOf(() => world.send());

    expect(code).toBe('provider_rejected');
    expect(world.stored().status).toBe('failed');
  });

  it('is no success when SES has rejected the content and a retry is under way', async () => {
    const world = await openSendWorld();
    world.ses = async () => {
      await rejectContent(world);
      world.ses = () => unknown;
      await serviceErrorOf(() => world.send({ idempotencyKey }));
      return { kind: 'accepted', providerMessageId: 'message-1' };
    };

    const { code } = await serviceErrorOf(() => world.send({ idempotencyKey }));

    expect(code).toBe('provider_rejected');
    expect(world.stored()).toMatchObject({ status: 'sending', attempt: 2 });
  });

  it('of a send deleted in between is answered with its own message', async () => {
    const world = await openSendWorld();
    world.ses = async () => {
      const { table } = world.sending;
      await table.client.send(
        new DeleteCommand({ TableName: table.name, Key: keyOf(world.stored()) }),
      );
      return { kind: 'accepted', providerMessageId: 'message-1' };
    };

    expect((await world.send()).response).toMatchObject({ status: 'sent', messageId: 'message-1' });
  });
});

describe('an acceptance', () => {
  it('is a success even after the lease has ended', async () => {
    const world = await openSendWorld();
    answerAfter(world, leaseMs, { kind: 'accepted', providerMessageId: 'message-1' });

    expect((await world.send()).response).toMatchObject({ status: 'sent', messageId: 'message-1' });
  });

  it('that cannot be stored is an unknown outcome, and counted', async () => {
    const output = captureOutput();
    const world = await openSendWorld();
    failOn(world, 'UpdateItem SEND');

    const error = await serviceErrorOf(() => world.send({ idempotencyKey }));

    expect(error).toMatchObject({ code: 'provider_outcome_unknown', retryAfterSeconds: 300 });
    expect(world.stored().status).toBe('sending');
    expect(output.text()).toContain('unanswered');
  });
});

describe('contacts', () => {
  const body = {
    cc: ['bob@example.com', 'cy@example.com'],
    bcc: ['di@example.com', 'ed@example.com'],
  };
  const contacts = [{ email: 'bob@example.com' }, { email: 'di@example.com', ...bounced }];

  it('are made for the addresses that are new and got the email', async () => {
    const world = await openSendWorld({ contacts });

    await world.send({ body });

    expect(world.contacts().sort()).toEqual(
      ['ann', 'bob', 'cy', 'di', 'ed'].map((name) => `${name}@example.com`),
    );
    expect(world.calls.filter((call) => call === 'UpdateItem CONTACT')).toHaveLength(3);
  });

  it.each<[string, ProviderOutcome]>([
    ['refused', refused],
    ['throttled', throttled],
    ['not connected to SES', unreachable],
    ['in doubt', unknown],
  ])('are not made when the email is %s', async (_what, outcome) => {
    const world = await openSendWorld({ contacts });
    world.ses = () => outcome;

    await serviceErrorOf(() => world.send({ body }));

    expect(world.contacts()).toHaveLength(2);
  });
});

describe('webhooks', () => {
  const id = newOrganizationId();
  const [all, bounces] = [newWebhookId(id), newWebhookId(id)];
  const organization = {
    id,
    webhooks: { [all]: { eventTypes: [] }, [bounces]: { eventTypes: ['email.bounced' as const] } },
  };

  it('that subscribe to it get a delivery, kept as long as the send, and are woken', async () => {
    const world = await openSendWorld({ organization, settings: { sendRetentionDays: 7 } });

    const { response } = await world.send();

    const { expiresAt } = world.stored();
    const delivery = { webhookId: all, type: 'email.sent', status: 'pending', expiresAt };
    expect(world.deliveries()).toMatchObject([delivery]);
    expect(world.deliveries()[0]?.body).toContain(response.sendId);
    expect(world.woken).toMatchObject([delivery]);
  });

  it('get a delivery when SES refuses an email', async () => {
    const world = await openSendWorld({ organization });
    world.ses = () => refused;

    await serviceErrorOf(() => world.send());

    expect(world.deliveries()).toMatchObject([{ type: 'email.failed' }]);
    expect(world.deliveries()[0]?.body).toContain('"reason":"MessageRejected"');
    expect(world.woken).toMatchObject([{ type: 'email.failed' }]);
  });

  it('get none of a failure that the caller is asked to repeat', async () => {
    const world = await openSendWorld({ organization });
    world.ses = () => throttled;

    await serviceErrorOf(() => world.send());

    expect([...world.deliveries(), ...world.woken]).toEqual([]);
  });

  it('get none of a refused takeover, as the first attempt may yet be proven', async () => {
    const world = await openSendWorld({ organization });
    await sendInDoubt(world, idempotencyKey);
    world.now += leaseMs;
    world.ses = () => refused;

    await serviceErrorOf(() => world.send({ idempotencyKey }));

    expect([...world.deliveries(), ...world.woken]).toEqual([]);
  });

  it('get a delivery of a suppressed email', async () => {
    const world = await openSendWorld({ organization, contacts: [bounced] });

    await world.send();

    expect(world.deliveries()).toMatchObject([{ type: 'email.suppressed' }]);
    expect(world.woken).toMatchObject([{ type: 'email.suppressed' }]);
  });
});

describe('a failing side effect', () => {
  it.each<[string, (world: SendWorld) => void]>([
    ['the contact', (world) => failOn(world, 'UpdateItem CONTACT')],
    [
      'the wake of the queue',
      (world) => {
        Object.assign(world.sending, { wakeWebhooks: () => Promise.reject(new Error('SQS')) });
      },
    ],
  ])('(%s) does not fail the send, and is logged', async (_name, disturb) => {
    const world = await openSendWorld({ contacts: [] });
    disturb(world);

    const { response } = await world.send({ endpoint: 'send-global' });

    expect(response.status).toBe('sent');
    const fields = {
      organizationId: world.organization.id,
      feedbackId: feedbackIdOf(response.sendId),
    };
    expect(world.lines).toEqual([{ level: 'error', message: 'side effect failed', fields }]);
  });
});

describe('a new contact beside a commit that fails', () => {
  it('is over before the caller is answered, and its own failure is logged', async () => {
    const world = await openSendWorld({ contacts: [] });
    let isOver = false;
    world.disturb = async (call) => {
      if (!call.startsWith('UpdateItem')) return;
      if (call === 'UpdateItem CONTACT') {
        await setTimeout(20);
        isOver = true;
      }
      throw new Error('throttled');
    };

    const { code } = await serviceErrorOf(() => world.send());

    expect([code, isOver]).toEqual(['provider_outcome_unknown', true]);
    expect(world.lines).toMatchObject([{ level: 'error', message: 'side effect failed' }]);
  });
});

describe('a refusal by SES', () => {
  it.each([
    ['sender', 'MessageRejected', false],
    ['service', 'AccessDeniedException', false],
    ['service', 'SendingPausedException', false],
    ['sender', 'SendingPausedException', true],
  ])('counts as the fault of the %s for %s, of a tenant: %s', async (fault, reason, isOfTenant) => {
    const output = captureOutput();
    const world = await openSendWorld({
      settings: { usesTenants: true },
      organization: { ...(isOfTenant && { tenant: { sending: 'enabled' } }) },
    });
    world.ses = () => ({ kind: 'refused', reason });

    const error = await serviceErrorOf(() => world.send());

    expect(error.isSendersFault).toBe(fault === 'sender');
    expect(error.message).toContain(reason);
    const { id } = world.organization;
    expect(output.text()).toMatch(new RegExp(`"${id}".*"fault":"${fault}","SendRefused":1`));
  });

  it.each([
    { of: 'a real email', key: {}, isSendersFault: true },
    { of: 'a test email', key: { test: true as const }, isSendersFault: false },
  ])(
    'after two others and the success of $of is the sender’s fault: $isSendersFault',
    async ({ key, isSendersFault }) => {
      const world = await openSendWorld({ key });
      const refuse = (organizationId = newOrganizationId()) =>
        world.sending.email.refusals.isSendersFault({
          organizationId,
          reason: refused.reason,
          isOfTenant: false,
        });
      refuse();
      refuse();

      await world.send();

      expect(refuse()).toBe(isSendersFault);
    },
  );
});

const definiteNos = [
  {
    what: 'refused',
    outcome: refused,
    code: 'provider_rejected',
    wait: undefined,
    reason: 'MessageRejected',
  },
  {
    what: 'throttled',
    outcome: throttled,
    code: 'provider_throttled',
    wait: 5,
    reason: 'Throttled',
  },
  {
    what: 'not connected',
    outcome: unreachable,
    code: 'provider_unreachable',
    wait: 5,
    reason: 'Unreachable',
  },
];

describe.each(definiteNos)('an attempt that is $what', ({ outcome, code, wait, reason }) => {
  it('fails the send with the reason, and counts no doubt', async () => {
    const output = captureOutput();
    const world = await openSendWorld();
    answerAfter(world, leaseMs - 1, outcome);

    const error = await serviceErrorOf(() => world.send({ idempotencyKey }));

    expect(error).toMatchObject({ code, retryAfterSeconds: wait });
    const failure = { attempt: 1, at: startOfWorld + leaseMs - 1, reason };
    expect(world.stored()).toMatchObject({ status: 'failed', attempts: [failure] });
    expect(output.text()).not.toContain('SendInDoubt');
  });

  it('reports nothing once its lease has ended: a retry may be at work', async () => {
    const output = captureOutput();
    const world = await openSendWorld();
    answerAfter(world, leaseMs, outcome);

    const error = await serviceErrorOf(() => world.send({ idempotencyKey }));

    expect(error).toMatchObject({ code: 'provider_outcome_unknown', retryAfterSeconds: 1 });
    expect(world.stored()).toMatchObject({ status: 'sending', attempts: [] });
    expect(output.text()).toContain('unanswered');
  });

  it('is answered all the same, and logged, if that cannot be stored', async () => {
    const world = await openSendWorld();
    world.ses = () => outcome;
    failOn(world, 'UpdateItem SEND');

    const error = await serviceErrorOf(() => world.send());

    expect(error.code).toBe(code);
    expect(world.lines).toMatchObject([{ level: 'error', fields: { reason } }]);
  });

  it('leaves a takeover in doubt, as the first attempt may yet be proven', async () => {
    const world = await openSendWorld();
    await sendInDoubt(world, idempotencyKey);
    world.now += leaseMs;
    answerAfter(world, 8_000, outcome);

    const error = await serviceErrorOf(() => world.send({ idempotencyKey }));

    expect(error).toMatchObject({ code: 'provider_outcome_unknown', retryAfterSeconds: 292 });
    expect(world.stored()).toMatchObject({ status: 'sending', attempts: [{}, { reason }] });
  });

  it('is in doubt for a takeover whose failure cannot be stored', async () => {
    const world = await openSendWorld();
    await sendInDoubt(world, idempotencyKey);
    world.now += leaseMs;
    world.ses = () => outcome;
    failOn(world, 'UpdateItem SEND');

    const { code: answer } = await serviceErrorOf(() => world.send({ idempotencyKey }));

    expect(answer).toBe('provider_outcome_unknown');
  });

  it('is in doubt when a retry takes over before that is stored', async () => {
    const world = await openSendWorld();
    world.ses = () => outcome;
    world.disturb = async (call) => {
      if (call !== 'UpdateItem SEND') return;
      world.disturb = async () => {};
      world.now += leaseMs;
      world.ses = () => unknown;
      await serviceErrorOf(() => world.send({ idempotencyKey }));
    };

    const { code: answer } = await serviceErrorOf(() => world.send({ idempotencyKey }));

    expect(answer).toBe('provider_outcome_unknown');
    expect(world.stored()).toMatchObject({ attempt: 2, attempts: [{ reason: 'Unanswered' }] });
  });

  it('is in doubt when the send is proven to be out', async () => {
    const world = await openSendWorld();
    world.ses = async () => {
      const acceptance = { providerMessageId: 'message-9', at: startOfWorld };
      await commitAcceptance(world.sending.table, world.stored(), acceptance, []);
      return outcome;
    };

    const error = await serviceErrorOf(() => world.send({ idempotencyKey }));

    expect(error).toMatchObject({ code: 'provider_outcome_unknown', retryAfterSeconds: 300 });
    expect(world.stored().status).toBe('sent');
  });
});

describe('an email that SES throttles', () => {
  it('is counted as its organization’s', async () => {
    const output = captureOutput();
    const world = await openSendWorld();
    world.ses = () => throttled;

    await serviceErrorOf(() => world.send());

    expect(output.text()).toContain('SendThrottled');
    expect(output.text()).toContain(world.organization.id);
  });
});

describe('an unknown outcome', () => {
  it('leaves the send as it is until its lease ends, and is counted', async () => {
    const output = captureOutput();
    const world = await openSendWorld();
    answerAfter(world, 8_000, unknown);

    const error = await serviceErrorOf(() => world.send({ idempotencyKey }));

    expect(error).toMatchObject({ code: 'provider_outcome_unknown', retryAfterSeconds: 292 });
    expect(world.stored()).toMatchObject({ status: 'sending', attempts: [] });
    expect(output.text()).toContain('unanswered');
  });

  it('without a key invites no retry, which could send twice', async () => {
    const world = await openSendWorld();
    world.ses = () => unknown;

    const error = await serviceErrorOf(() => world.send());

    expect(error).toMatchObject({ code: 'provider_outcome_unknown', retryAfterSeconds: undefined });
    expect(error.message).toContain('a second time');
  });

  it('is also the answer to a refusal that cannot be stored before the lease ends', async () => {
    const world = await openSendWorld();
    world.ses = () => refused;
    world.disturb = async (call) => {
      if (call !== 'UpdateItem SEND') return;
      world.now += leaseMs;
      throw new Error('throttled');
    };

    const { code } = await serviceErrorOf(() => world.send({ idempotencyKey }));

    expect(code).toBe('provider_outcome_unknown');
    expect(world.lines).toMatchObject([{ level: 'error', message: 'failed send not recorded' }]);
  });
});

describe('a refusal', () => {
  it.each<[string, (world: SendWorld) => void]>([
    ['by SES', (world) => answerAfter(world, 0, refused)],
    ['by a busy SES', (world) => answerAfter(world, 0, throttled)],
    ['by the network', (world) => answerAfter(world, 0, unreachable)],
    ['in doubt', (world) => answerAfter(world, 0, unknown)],
    ['by the table', (world) => failOn(world, 'UpdateItem SEND')],
  ])('%s quotes neither address nor cause', async (_what, disturb) => {
    const world = await openSendWorld();
    disturb(world);

    const error = await serviceErrorOf(() => world.send({ idempotencyKey }));

    expect(error.message).not.toMatch(/ann@example\.com|socket hang up|ECONNREFUSED/);
  });
});
