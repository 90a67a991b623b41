import { describe, expect, it } from 'vitest';
import {
  countDayOfKey,
  countMinuteOfKey,
  countSpanOfOrganization,
} from '#shared/access/rate-window-store';
import { newRequestContext } from '#shared/access/request-context';
import type { ErrorCode } from '#shared/errors/errors';
import { readBatch } from '#shared/sending/batch/batch-request';
import { sendBatch } from '#shared/sending/batch/send-batch';
import { cancelSend } from '#shared/sending/later/change-plan';
import { factsOf } from '#shared/sending/send';
import type { Template } from '#shared/templates/template';
import { dayOf } from '#shared/timing/day';
import { buildAttachmentField } from '../../support/attachment-builder.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { buildSendBody } from '../../support/send-body-builder.ts';
import { openSendWorld, startOfWorld } from '../../support/send-world.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

// A retry gets its key's first answer, whatever would refuse it by then.

type World = Awaited<ReturnType<typeof openSendWorld>> & { readonly template: Template };

type Obstacle = {
  readonly code: ErrorCode;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Gets in the way of a request that could go out before. */
  readonly arise: (world: World) => Promise<unknown>;
};

const idempotencyKey = 'key-1';
const hourMs = 3_600_000;
const transactional = { kind: 'transactional' } as const;
const today = dayOf(startOfWorld);

const obstacles = {
  'a pause': { code: 'tenant_paused', arise: ({ change }) => change({ paused: true }) },
  'the end of its domain': {
    code: 'no_active_identity',
    arise: ({ change }) =>
      change({
        identity: { domain: 'd.example', fromEmail: 'a@d.example', status: 'pending' },
      }),
  },
  'a key that may no longer send from there': {
    code: 'from_not_allowed',
    arise: ({ changeKey }) => changeKey({ allowedFrom: ['other@mail.example.com'] }),
  },
  'a plan without attachments': {
    code: 'plan_required',
    body: { attachments: [buildAttachmentField()] },
    arise: ({ change }) => change({ attachmentsEnabled: false }),
  },
  'a deleted policy': {
    code: 'unknown_policy',
    body: { policyKey: 'news' },
    arise: ({ change }) => change({ policies: {} }),
  },
  'a policy that became bulk': {
    code: 'bulk_needs_one_recipient',
    body: { policyKey: 'news', cc: ['bob@example.com'] },
    arise: ({ change }) => change({ policies: { news: { kind: 'bulk' } } }),
  },
  'a deleted template': {
    code: 'validation_failed',
    body: { subject: undefined, content: undefined, template: 'receipt' },
    arise: ({ deleteTemplate, template }) => deleteTemplate(template),
  },
} satisfies Record<string, Obstacle>;

/** Scheduled emails count when they are sent. */
const limitsOfNow = {
  'the day’s last recipient': {
    code: 'daily_recipients_exhausted',
    arise: ({ change }) =>
      change({
        dayUse: { day: today, recipients: 1, stored: 0 },
        limits: { recipientsPerDay: 1 },
      }),
  },
  'the day’s last stored email': {
    code: 'daily_recipients_exhausted',
    arise: ({ change }) =>
      change({
        dayUse: { day: today, recipients: 0, stored: 1 },
        limits: { recipientsPerDay: 1 },
      }),
  },
  'the rate of its organization': {
    code: 'organization_rate_limited',
    arise: async ({ change, sending, organization, now }) => {
      await change({ limits: { sendsPerSecond: 1 } });
      await countSpanOfOrganization(sending.table, organization.id, now, 10);
    },
  },
} satisfies Record<string, Obstacle>;

/** The key has made so many requests in this minute. */
async function fillMinute({ changeKey, sending, apiKeyId, now }: World, count: number) {
  await changeKey({ perMinuteCap: 5 });
  await countMinuteOfKey(sending.table, apiKeyId, now, { recipients: count, cap: count });
}

const caps = {
  'the key’s minute': { code: 'rate_limited', arise: (world) => fillMinute(world, 9) },
  'the key’s day': {
    code: 'rate_limited',
    arise: async ({ changeKey, sending, apiKeyId, now }) => {
      await changeKey({ dailyCap: 5 });
      await countDayOfKey(sending.table, apiKeyId, now, 5);
    },
  },
  'a cap that it no longer fits': {
    code: 'recipients_exceed_cap',
    body: { cc: ['bob@example.com'] },
    arise: ({ changeKey }) => changeKey({ perMinuteCap: 1 }),
  },
} satisfies Record<string, Obstacle>;

/** Sends with one key, alone or in a batch. */
async function open(fields?: Obstacle['body']) {
  const opened = await openSendWorld({
    organization: { attachmentsEnabled: true, policies: { news: transactional } },
  });
  const template = await opened.putTemplate({ alias: 'receipt' });
  const world = Object.assign(opened, { template });
  const body = JSON.parse(JSON.stringify(buildSendBody(fields)));
  const batch = (validation: 'strict' | 'permissive', others: readonly object[] = []) =>
    sendBatch(
      {
        credential: world.credential,
        batch: readBatch(
          {
            ok: true,
            value: { emails: [{ ...body, idempotencyKey }, ...others], validation },
          },
          undefined,
        ),
        context: newRequestContext(recordLog().log),
      },
      world.sending,
    );
  return {
    world,
    batch,
    send: () => world.send({ idempotencyKey, ...(fields && { body: fields }) }),
  };
}

/** A retry that meets the obstacle, and the first answer. */
async function retry(obstacle: Obstacle) {
  const opened = await open(obstacle.body);
  const { world, send } = opened;
  const { response } = await send();
  await obstacle.arise(world);
  world.calls.length = 0;
  return { ...opened, replay: { replayed: true, response } };
}

/** A first request that meets the obstacle. */
async function meet(obstacle: Obstacle) {
  const opened = await open(obstacle.body);
  await obstacle.arise(opened.world);
  return opened;
}

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
    const { world, send, replay } = await retry(obstacle);
    const before = world.stored();

    expect(await send()).toEqual(replay);

    expect(world.stored()).toEqual(before);
    expect(world.mailbox).toHaveLength(1);
  });

  it.each(all)('is replayed in a permissive batch despite %s', async (_what, obstacle) => {
    const { batch, replay } = await retry(obstacle);

    expect(await batch('permissive')).toMatchObject([{ ok: true, ...replay }]);
  });

  it.each(all)('is replayed in a strict batch despite %s', async (_what, obstacle) => {
    const { batch, replay } = await retry(obstacle);

    expect(await batch('strict')).toMatchObject([{ ok: true, ...replay }]);
  });

  it.each(always)('is replayed for a scheduled email despite %s', async (_what, obstacle) => {
    const body = { ...obstacle.body, sendAt: startOfWorld + hourMs };
    const { send, replay } = await retry({ ...obstacle, body });

    expect(await send()).toEqual(replay);

    expect(replay.response.status).toBe('scheduled');
  });

  it.each([
    ['too far ahead', 400 * 86_400_000],
    ['long past', -hourMs],
  ])('is replayed for a scheduled email whose time is %s by now', async (_what, ahead) => {
    const { world, send } = await open({ sendAt: startOfWorld + ahead });
    world.now = startOfWorld + ahead - hourMs;
    const { response } = await send();
    const { id: organizationId } = world.organization;
    const caller = { organizationId, actor: 'operator', apiKey: {} } as const;
    await cancelSend({ id: response.sendId, caller }, world.sending, recordLog().log);
    world.now = startOfWorld;

    expect(await send()).toMatchObject({ replayed: true, response: { status: 'canceled' } });
  });
});

it('a retry of a failed scheduled email makes its next attempt even if its time has long passed', async () => {
  const retryLate = async () => {
    const opened = await open({ sendAt: startOfWorld + hourMs });
    const { world, send } = opened;
    await send();
    const waiting = factsOf(world.stored());
    const attempts = [{ attempt: 1, at: 1, reason: 'Throttled' }];
    await world.putSend({ ...waiting, status: 'failed', attempts });
    world.now += 2 * hourMs;
    return opened;
  };

  const single = await (await retryLate()).send();
  const batch = await (await retryLate()).batch('strict');

  expect(single).toMatchObject({ replayed: false, response: { status: 'queued' } });
  expect(batch).toMatchObject([{ ok: true, response: { status: 'queued' } }]);
});

describe('a refusal', () => {
  it.each(all)('is returned when there is no earlier answer: %s', async (_what, obstacle) => {
    const one = await meet(obstacle);
    const inBatch = await meet(obstacle);

    const { code } = await serviceErrorOf(one.send);
    const outcome = await inBatch.batch('permissive').catch((error: unknown) => [{ error }]);

    expect(code).toBe(obstacle.code);
    expect(outcome).toMatchObject([{ error: { code: obstacle.code } }]);
    expect([...one.world.mailbox, ...inBatch.world.mailbox]).toEqual([]);
  });

  it('is returned when the earlier attempt failed', async () => {
    const { world, send } = await open();
    world.ses = () => ({ kind: 'refused', reason: 'MessageRejected' });
    await serviceErrorOf(send);
    await world.change({ paused: true });

    expect((await serviceErrorOf(send)).code).toBe('tenant_paused');
  });

  it('yields to the idempotency error for a send of another request', async () => {
    const { world } = await retry(limitsOfNow['the day’s last recipient']);

    const again = { idempotencyKey, body: { subject: 'Another' } };

    expect((await serviceErrorOf(() => world.send(again))).code).toBe('idempotency_key_reused');
  });

  it('yields to the idempotency error for a send under way', async () => {
    const { world, send } = await open();
    world.ses = () => ({ kind: 'unknown', cause: new Error('socket hang up') });
    await serviceErrorOf(send);
    await limitsOfNow['the day’s last recipient'].arise(world);

    expect((await serviceErrorOf(send)).code).toBe('idempotency_in_progress');
  });

  it('reads nothing more when the key is over twice its cap', async () => {
    const obstacle = {
      code: 'rate_limited',
      arise: (world: World) => fillMinute(world, 10),
    } as const;
    const one = await retry(obstacle);
    const inBatch = await retry(obstacle);

    const codes = [
      (await serviceErrorOf(one.send)).code,
      (await serviceErrorOf(() => inBatch.batch('permissive'))).code,
    ];

    expect(codes).toEqual(['rate_limited', 'rate_limited']);
    expect([...one.world.calls, ...inBatch.world.calls]).not.toContain('GetItem SEND');
  });

  it.each(['a pause', 'a deleted policy'] as const)(
    'because of %s still replays earlier emails of a permissive batch',
    async (what) => {
      const { batch, replay } = await retry(obstacles[what]);
      const other = { ...another, policyKey: 'news' };

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
      const { world, batch, replay } = await retry(caps[what]);

      const outcomes = await batch('permissive', [another]);

      expect(outcomes).toMatchObject([replay, { ok: false, error: { code: 'rate_limited' } }]);
      expect(world.mailbox).toHaveLength(1);
      expect(world.calls).not.toContain('PutItem SEND');
    },
  );

  it.each([
    ['a pause', obstacles['a pause']],
    ['the key’s minute', caps['the key’s minute']],
    ['the day’s last recipient', limitsOfNow['the day’s last recipient']],
  ])('because of %s rejects a whole strict batch that has a new email', async (_what, obstacle) => {
    const { world, batch } = await retry(obstacle);

    const { code } = await serviceErrorOf(() => batch('strict', [another]));

    expect(code).toBe(obstacle.code);
    expect(world.mailbox).toHaveLength(1);
    expect(world.calls).not.toContain('PutItem SEND');
  });
});
