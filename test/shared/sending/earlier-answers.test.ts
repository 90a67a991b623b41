import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '#shared/errors/errors';
import type { Organization } from '#shared/organizations/organization';
import { readBatch } from '#shared/sending/batch/batch-request';
import { sendBatch } from '#shared/sending/batch/send-batch';
import { fingerprintOf } from '#shared/sending/fingerprint';
import { parseSendRequest } from '#shared/sending/request/send-request';
import type { Send } from '#shared/sending/send';
import { sendEmail } from '#shared/sending/send-email';
import { dayOf } from '#shared/timing/day';
import { slotIdOf } from '#shared/tokens/resource-id';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildAttachmentField } from '../../support/attachment-builder.ts';
import { buildClaim } from '../../support/claim-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { buildSendBody } from '../../support/send-body-builder.ts';
import { fakeSending, type SendingOverrides, sendingNow } from '../../support/sending-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

// A retry gets its key's first answer, whatever would refuse it by then.

type Obstacle = {
  readonly code: ErrorCode;
  readonly organization?: Partial<Organization>;
  readonly key?: Parameters<typeof buildApiKey>[0];
  readonly body?: Readonly<Record<string, unknown>>;
  readonly overrides?: SendingOverrides;
};

const allDay = {
  dayUse: { day: dayOf(sendingNow), recipients: 1, stored: 1 },
  limits: { recipientsPerDay: 1 },
};
const fullMinute = (count: number) => ({
  rateWindows: { count: async () => ({ count, fits: false }) },
});

const obstacles = {
  'a pause': { code: 'tenant_paused', organization: { paused: true } },
  'the end of its domain': {
    code: 'no_active_identity',
    organization: {
      identity: { domain: 'd.example', fromEmail: 'a@d.example', status: 'pending' },
    },
  },
  'a key that may no longer send from there': {
    code: 'from_not_allowed',
    key: { allowedFrom: ['other@mail.example.com'] },
  },
  'a plan without attachments': {
    code: 'plan_required',
    body: { attachments: [buildAttachmentField()] },
  },
  'a deleted policy': { code: 'unknown_policy', body: { policyKey: 'gone' } },
  'a policy that became bulk': {
    code: 'bulk_needs_one_recipient',
    body: { policyKey: 'bulk', cc: ['bob@example.com'] },
  },
  'a deleted template': {
    code: 'validation_failed',
    body: { subject: undefined, content: undefined, template: 'receipt' },
  },
} satisfies Record<string, Obstacle>;

/** Scheduled emails count when they are sent. */
const limitsOfNow = {
  'the day’s last recipient': { code: 'daily_recipients_exhausted', organization: allDay },
  'the day’s last stored email': {
    code: 'daily_recipients_exhausted',
    organization: {
      dayUse: { day: dayOf(sendingNow), recipients: 0, stored: 1 },
      limits: { recipientsPerDay: 1 },
    },
  },
  'the rate of its organization': {
    code: 'organization_rate_limited',
    organization: { limits: { sendsPerSecond: 1 } },
    overrides: { rateWindows: { countOfOrganization: async () => 10 } },
  },
} satisfies Record<string, Obstacle>;

const caps = {
  'the key’s minute': {
    code: 'rate_limited',
    key: { perMinuteCap: 5 },
    overrides: fullMinute(10),
  },
  'the key’s day': {
    code: 'rate_limited',
    key: { dailyCap: 5 },
    overrides: { rateWindows: { countOfDay: async () => Infinity } },
  },
  'a cap that it no longer fits': {
    code: 'recipients_exceed_cap',
    key: { perMinuteCap: 1 },
    body: { cc: ['bob@example.com'] },
    overrides: fullMinute(2),
  },
} satisfies Record<string, Obstacle>;

/** @param earlier the send that the key made, if any. */
function prepare(
  { organization: own, key, body: fields, overrides }: Obstacle,
  earlier?: Partial<Send>,
) {
  const organization = buildOrganization(own);
  const { text: credential, apiKey } = buildApiKey({ organizationId: organization.id, ...key });
  const body = JSON.parse(JSON.stringify(buildSendBody(fields)));
  const request = parseSendRequest(body, 'key-1');
  if (!request.ok) throw request.error;
  const slotId = slotIdOf(organization.id, 'key-1');
  const existing =
    earlier &&
    buildClaim({
      organizationId: organization.id,
      status: 'sent',
      providerMessageId: 'message-0',
      fingerprint: fingerprintOf('send', request.value),
      ...earlier,
    });
  const { sending, effects } = fakeSending(
    { apiKey, organization },
    { claims: { get: async (id) => (id === slotId ? existing : undefined) }, ...overrides },
  );
  const { log } = recordLog();
  const observer = { credential, log, onKey: () => {}, onRateLimit: () => {} };
  const onAttachments = () => {};
  const send = () =>
    sendEmail(
      { ...observer, onAttachments, endpoint: 'send', request, readBody: () => body },
      sending,
    );
  const batch = (validation: 'strict' | 'permissive', others: readonly object[] = []) => {
    const emails = [{ ...body, idempotencyKey: 'key-1' }, ...others];
    const read = readBatch(() => ({ emails, validation }), undefined);
    return sendBatch({ ...observer, onAttachments, batch: read, logOf: () => log }, sending);
  };
  const names = () => effects.map(({ name }) => name);
  return { send, batch, names };
}

const replay = { replayed: true, response: { messageId: 'message-0' } };
const another = { to: 'cy@example.com', subject: 'Hi', content: 'Hi', idempotencyKey: 'key-2' };

const all: readonly (readonly [string, Obstacle])[] = [
  ...Object.entries(obstacles),
  ...Object.entries(limitsOfNow),
  ...Object.entries(caps),
];
const always: readonly (readonly [string, Obstacle])[] = [
  ...Object.entries(obstacles),
  ...Object.entries(caps),
];

describe('the first answer of an idempotency key', () => {
  it.each(all)('is replayed despite %s', async (_what, obstacle) => {
    const { send, names } = prepare(obstacle, {});

    const result = await send();

    expect(result).toMatchObject(replay);
    expect(names()).not.toContain('claims.claim');
    expect(names()).not.toContain('callProvider');
  });

  it.each(all)('is replayed in a permissive batch despite %s', async (_what, obstacle) => {
    const { batch } = prepare(obstacle, {});

    expect(await batch('permissive')).toMatchObject([{ ok: true, ...replay }]);
  });

  it.each(all)('is replayed in a strict batch despite %s', async (_what, obstacle) => {
    const { batch } = prepare(obstacle, {});

    expect(await batch('strict')).toMatchObject([{ ok: true, ...replay }]);
  });

  it.each(always)('is replayed for a scheduled email despite %s', async (_what, obstacle) => {
    const body = { ...obstacle.body, sendAt: sendingNow + 3_600_000 };
    const { send } = prepare({ ...obstacle, body }, { status: 'scheduled', dueAt: sendingNow + 1 });

    expect(await send()).toMatchObject({ replayed: true, response: { status: 'scheduled' } });
  });

  it.each([
    ['too far ahead', 400 * 86_400_000],
    ['long past', -3_600_000],
  ])('is replayed for a scheduled email whose time is %s by now', async (_what, ahead) => {
    const body = { sendAt: sendingNow + ahead };
    const { send } = prepare({ code: 'validation_failed', body }, { status: 'canceled' });

    expect(await send()).toMatchObject({ replayed: true, response: { status: 'canceled' } });
  });
});

it('a retry of a failed scheduled email makes its next attempt even if its time has long passed', async () => {
  const attempts = [{ attempt: 1, at: 1, reason: 'Throttled' }];
  const body = { sendAt: sendingNow - 3_600_000 };
  const past = {
    code: 'validation_failed',
    body,
    overrides: { contents: { put: async () => {} } },
  } as const;
  const retry = () => prepare(past, { status: 'failed', attempts });

  const single = await retry().send();
  const batch = await retry().batch('strict');

  expect(single).toMatchObject({ replayed: false, response: { status: 'queued' } });
  expect(batch).toMatchObject([{ ok: true, response: { status: 'queued' } }]);
});

describe('a refusal', () => {
  it.each(all)('is returned when there is no earlier answer: %s', async (_what, obstacle) => {
    const one = prepare(obstacle);
    const inBatch = prepare(obstacle);

    const { code } = await serviceErrorOf(one.send);
    const outcome = await inBatch.batch('permissive').catch((error: unknown) => [{ error }]);

    expect(code).toBe(obstacle.code);
    expect(outcome).toMatchObject([{ error: { code: obstacle.code } }]);
  });

  it('is returned when the earlier attempt failed', async () => {
    const attempts = [{ attempt: 1, at: 1, reason: 'MessageRejected' }];
    const { send } = prepare(obstacles['a pause'], { status: 'failed', attempts });

    expect((await serviceErrorOf(send)).code).toBe('tenant_paused');
  });

  it.each([
    ['of another request', { fingerprint: 'another' }, 'idempotency_key_reused'],
    [
      'under way',
      { status: 'sending', leaseExpiresAt: sendingNow + 60_000 },
      'idempotency_in_progress',
    ],
  ] as const)('yields to the idempotency error for a send %s', async (_what, earlier, code) => {
    const { send } = prepare(limitsOfNow['the day’s last recipient'], earlier);

    expect((await serviceErrorOf(send)).code).toBe(code);
  });

  it('reads nothing more when the key is over twice its cap', async () => {
    const obstacle = { ...caps['the key’s minute'], overrides: fullMinute(11) };
    const one = prepare(obstacle, {});
    const inBatch = prepare(obstacle, {});

    const codes = [
      (await serviceErrorOf(one.send)).code,
      (await serviceErrorOf(() => inBatch.batch('permissive'))).code,
    ];

    expect(codes).toEqual(['rate_limited', 'rate_limited']);
    expect([...one.names(), ...inBatch.names()]).not.toContain('claims.get');
  });

  it.each(['a pause', 'a deleted policy'] as const)(
    'because of %s still replays earlier emails of a permissive batch',
    async (what) => {
      const { batch } = prepare(obstacles[what], {});
      const other = { ...another, policyKey: 'gone' };

      const outcomes = await batch('permissive', [other]);

      expect(outcomes).toMatchObject([
        replay,
        { ok: false, error: { code: obstacles[what].code } },
      ]);
    },
  );

  it.each(['the key’s minute', 'the key’s day'] as const)(
    'because of %s still replays earlier emails of a permissive batch',
    async (what) => {
      const { batch, names } = prepare(caps[what], {});

      const outcomes = await batch('permissive', [another]);

      expect(outcomes).toMatchObject([replay, { ok: false, error: { code: 'rate_limited' } }]);
      expect(names()).not.toContain('claims.claim');
    },
  );

  it.each([
    ['a pause', obstacles['a pause']],
    ['the key’s minute', caps['the key’s minute']],
    ['the day’s last recipient', limitsOfNow['the day’s last recipient']],
  ])('because of %s rejects a whole strict batch that has a new email', async (_what, obstacle) => {
    const { batch, names } = prepare(obstacle, {});

    const { code } = await serviceErrorOf(() => batch('strict', [another]));

    expect(code).toBe(obstacle.code);
    expect(names()).not.toContain('claims.claim');
  });
});
