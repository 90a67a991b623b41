import { setImmediate } from 'node:timers/promises';
import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { dayQuotas } from '#shared/config/day-quotas';
import { type Notice, sendKeyOf } from '#shared/notices/notice';
import type { NoticeFiling } from '#shared/notices/notice-filing';
import type { NoticeStore } from '#shared/notices/notice-store';
import { openRequestLog } from '#shared/observability/request-log';
import {
  apiKeyOwnPart,
  newApiKeyId,
  newOrganizationId,
  type OrganizationId,
} from '#shared/tokens/resource-id';
import type { DailyUsage } from '#shared/usage/day-counters';
import type { KeyDay, KeyDayStore } from '#shared/usage/key-day-store';
import type { KeyDayTally } from '#shared/usage/key-day-tally';
import type { OrganizationBounds } from '#shared/usage/organization-use-store';
import { sumUsage } from '#shared/usage/usage-counts';
import type { UsageStore } from '#shared/usage/usage-store';
import type { UsageTally } from '#shared/usage/usage-tally';
import {
  countUsage,
  reportsTo,
  type UsageCounting,
} from '../../../functions/count-usage/count-usage.ts';
import { captureOutput } from '../../support/captured-output.ts';
import {
  buildAuditRecord,
  buildEventRecord,
  buildQuotaRecord,
  buildSentRecord,
  buildUnsentRecord,
} from '../../support/counted-changes-builder.ts';
import { unexpected } from '../../support/unexpected.ts';

const [one, other] = [newOrganizationId(), newOrganizationId()];
const shardId = 'shardId-1';
const now = Date.UTC(2026, 6, 15);

const refusal = new DynamoDBServiceException({
  name: 'ValidationException',
  $fault: 'client',
  $metadata: {},
});

type Fakes = {
  readonly add?: (tally: UsageTally) => Promise<DailyUsage[]>;
  readonly file?: NoticeFiling['file'];
  readonly storeNotice?: NoticeStore['store'];
} & Partial<
  Pick<UsageStore, 'readCounts' | 'readDays'> &
    Pick<UsageCounting, 'organizationUse' | 'tagUsage' | 'domainTimes' | 'keyDays'>
>;

/** Keeps what is added, and what cannot be read. */
function recordCounting(fakes: Fakes = {}) {
  const added: { readonly shardId: string; readonly tally: UsageTally }[] = [];
  const unreadable: (string | undefined)[] = [];
  const uncounted: unknown[] = [];
  const unwatched: unknown[] = [];
  const quotas: (readonly [string, number])[] = [];
  const count = (Records: readonly unknown[]) =>
    countUsage(
      { shardId, Records: [...Records] },
      {
        now: () => now,
        usage: {
          add: async (shard, tally) => {
            added.push({ shardId: shard, tally });
            return (await fakes.add?.(tally)) ?? [];
          },
          read: unexpected('usage.read'),
          readCounts: fakes.readCounts ?? unexpected('usage.readCounts'),
          readDays: fakes.readDays ?? unexpected('usage.readDays'),
          readMilestones: unexpected('usage.readMilestones'),
        },
        tagUsage: fakes.tagUsage ?? { add: unexpected('tagUsage.add') },
        domainTimes: fakes.domainTimes ?? { add: unexpected('domainTimes.add') },
        keyDays: fakes.keyDays ?? {
          add: unexpected('keyDays.add'),
          read: unexpected('keyDays.read'),
        },
        organizationUse: fakes.organizationUse ?? {
          readBounds: async () => undefined,
          noteDayUse: unexpected('organizationUse.noteDayUse'),
          noteOverShare: unexpected('organizationUse.noteOverShare'),
        },
        limitsOfDeployment: {},
        notices: { file: fakes.file ?? unexpected('notices.file') },
        noticeStore: { store: fakes.storeNotice ?? unexpected('noticeStore.store') },
        reportUnreadable: (sequence) => unreadable.push(sequence),
        reportUncounted: (_, { organizationId }) => uncounted.push(organizationId),
        reportQuota: (_, limit, percent) => quotas.push([limit, percent]),
        reportUnwatched: (error) => unwatched.push(error),
      },
    );
  return { added, unreadable, uncounted, unwatched, quotas, count };
}

describe("figures that couldn't be compared with their limits", () => {
  it('appear in the metric that the alarm UsageCounting/not-watched watches', async () => {
    const denied = new DynamoDBServiceException({
      name: 'AccessDeniedException',
      $fault: 'client',
      $metadata: {},
    });
    const output = captureOutput();

    reportsTo(openRequestLog({})).reportUnwatched(denied);

    const [line = ''] = output
      .text()
      .split('\n')
      .filter((one) => one.startsWith('{'));
    expect(JSON.parse(line)).toMatchObject({
      message: 'figures not looked at',
      UsageNotWatched: 1,
    });
  });
});

describe('the tags of sends', () => {
  const tagged = (organizationId: OrganizationId, sequence: number, kind?: string) =>
    buildSentRecord(
      { organizationId, sequence, at: now },
      kind === undefined ? {} : { tags: { M: { kind: { S: kind } } } },
    );
  const recordTags = (add: UsageCounting['tagUsage']['add']) =>
    recordCounting({ tagUsage: { add } });

  it('are added once per organization and month, only from sends that have some', async () => {
    const tallies: unknown[] = [];
    const { count } = recordTags(async (shard, { organizationId, month, entries }) => {
      tallies.push([shard, organizationId, month, entries.map(({ tags }) => tags)]);
    });

    await count([
      tagged(one, 1, 'reset'),
      tagged(other, 2),
      tagged(one, 3),
      tagged(one, 4, 'welcome'),
      buildEventRecord('opened', { organizationId: one, sequence: 5 }),
    ]);

    expect(tallies).toEqual([[shardId, one, '2026-07', [['kind:reset'], ['kind:welcome']]]]);
  });

  it('fail the batch for a temporary error, but not for a permanent one', async () => {
    const passing = recordTags(() => Promise.reject(new Error('throttled')));
    const lasting = recordTags(() => Promise.reject(refusal));

    await expect(passing.count([tagged(one, 1, 'reset')])).rejects.toThrow('usage not counted');
    await lasting.count([tagged(one, 1, 'reset')]);
    expect(lasting.unwatched).toEqual([refusal]);
    expect([passing, lasting].map(({ added }) => added.length)).toEqual([1, 1]);
  });
});

describe('an audit entry for a change that sends data out', () => {
  const entry = newAuditEntry(
    one,
    newApiKeyId(one),
    { action: 'webhook.created', target: 'whk_1', after: { url: 'https://evil.example' } },
    now,
  );

  it('creates a notice, and the same one when the batch is repeated', async () => {
    const filed: Notice[] = [];
    const { count } = recordCounting({ storeNotice: async (notice) => void filed.push(notice) });
    const batch = [buildAuditRecord(entry, 1)];

    await count(batch);
    await count(batch);

    expect(filed[0]).toMatchObject({ organizationId: one, cause: 'sensitive_change', at: now });
    expect(filed[0]?.text).toContain('https://evil.example');
    expect(filed[1]).toEqual(filed[0]);
  });

  it('fails the batch when its notice can’t be stored, as the stream reports it once', async () => {
    const { count } = recordCounting({ storeNotice: () => Promise.reject(new Error('throttled')) });

    await expect(count([buildAuditRecord(entry, 1)])).rejects.toThrow('usage not counted');
  });

  it('creates no notice when it expires or has an unknown form', async () => {
    const { count } = recordCounting();
    const { dynamodb } = buildAuditRecord(entry, 1);
    const elsewhere = { ...dynamodb, Keys: { ...dynamodb.Keys, pk: { S: `ORG#${one}` } } };

    await count([
      { dynamodb: { ...dynamodb, OldImage: dynamodb.NewImage, NewImage: undefined } },
      { dynamodb: elsewhere },
    ]);
  });
});

describe('countUsage', () => {
  it('adds the counts of a batch once for each organization and month', async () => {
    const { added, count } = recordCounting();

    await count([
      buildSentRecord({ organizationId: one, sequence: 1 }),
      buildSentRecord({ organizationId: other, sequence: 2 }),
      buildEventRecord('opened', { organizationId: one, sequence: 3 }),
      buildEventRecord('opened', { organizationId: one, sequence: 4, at: Date.UTC(2026, 6, 1) }),
    ]);

    const sequences = added.map(({ tally: { organizationId, month, entries } }) => [
      organizationId,
      month,
      ...entries.map(({ sequence }) => Number(sequence)),
    ]);
    expect(sequences).toEqual([
      [one, '2026-06', 1, 3],
      [other, '2026-06', 2],
      [one, '2026-07', 4],
    ]);
    expect(new Set(added.map((addition) => addition.shardId))).toEqual(new Set([shardId]));
  });

  it('orders repeats within a batch, and counts each once', async () => {
    const { added, count } = recordCounting();
    const records = [3, 1, 2, 3].map((sequence) =>
      buildSentRecord({ organizationId: one, sequence }),
    );

    await count(records);

    const sequences = added[0]?.tally.entries.map(({ sequence }) => Number(sequence));
    expect(sequences).toEqual([1, 2, 3]);
  });

  it("skips and reports a record that it can't read", async () => {
    const { added, unreadable, count } = recordCounting();
    const good = buildSentRecord({ organizationId: one, sequence: 2 });

    await count([
      { dynamodb: 'broken' },
      buildEventRecord('read', { organizationId: one, sequence: 1 }),
      good,
    ]);

    expect(unreadable).toEqual([undefined, '1'.padStart(40, '0')]);
    expect(added).toHaveLength(1);
  });

  it('adds nothing for a batch without records', async () => {
    const { added, count } = recordCounting();

    await count([]);

    expect(added).toEqual([]);
  });

  it("fails when one organization couldn't be counted, after counting the others", async () => {
    const { added, count } = recordCounting({
      add: async ({ organizationId }) => {
        if (organizationId === one) throw new Error('throttled');
        return [];
      },
    });
    const records = [
      buildSentRecord({ organizationId: one, sequence: 1 }),
      buildSentRecord({ organizationId: other, sequence: 2 }),
    ];

    await expect(count(records)).rejects.toThrow('usage not counted');

    expect(added.map(({ tally }) => tally.organizationId)).toEqual([one, other]);
  });

  it('gives up what DynamoDB rejects as invalid, reports it and counts the rest', async () => {
    const { added, uncounted, count } = recordCounting({
      add: async ({ organizationId }) => {
        if (organizationId === one) throw refusal;
        return [];
      },
    });

    await count([
      buildSentRecord({ organizationId: one, sequence: 1 }),
      buildSentRecord({ organizationId: other, sequence: 2 }),
    ]);

    expect(uncounted).toEqual([one]);
    expect(added.map(({ tally }) => tally.organizationId)).toEqual([one, other]);
  });

  it('writes for twenty organizations at a time', async () => {
    let underWay = 0;
    let most = 0;
    const { added, count } = recordCounting({
      add: async () => {
        underWay += 1;
        most = Math.max(most, underWay);
        await setImmediate();
        underWay -= 1;
        return [];
      },
    });
    const records = Array.from({ length: 100 }, (_, sequence) =>
      buildSentRecord({ organizationId: newOrganizationId(), sequence }),
    );

    await count(records);

    expect(added).toHaveLength(100);
    expect(most).toBe(20);
  });
});

describe("an organization's rates", () => {
  const at = Date.UTC(2026, 5, 30);
  const delivered = buildEventRecord('delivered', { organizationId: one, sequence: 1, at });
  const bounced = buildEventRecord('bounced', { organizationId: one, sequence: 2, at });
  const reading = (sends: number) => ({
    readCounts: async () => sumUsage([{ recipients: sends, bouncedRecipients: 5 }]),
  });

  it('are checked after another bounce, in the month that it counts in', async () => {
    const filed: Notice[] = [];
    const file = async (notice: Notice) => {
      filed.push(notice);
    };
    const { count, added } = recordCounting({ ...reading(100), file });

    await count([bounced]);

    expect(added).toHaveLength(1);
    expect(filed).toMatchObject([
      { organizationId: one, cause: 'bounce_rate', about: '2026-06', day: '2026-07-15' },
    ]);
  });

  it('cause no notice while they are good', async () => {
    const { count, unwatched } = recordCounting(reading(1_000));

    await count([bounced]);

    expect(unwatched).toEqual([]);
  });

  it('are not read for sends and deliveries', async () => {
    const { count, unwatched } = recordCounting();

    await count([delivered, buildSentRecord({ organizationId: one, sequence: 3 })]);

    expect(unwatched).toEqual([]);
  });

  it("are not checked for what couldn't be counted", async () => {
    const { count } = recordCounting({ add: () => Promise.reject(new Error('throttled')) });

    await expect(count([bounced])).rejects.toThrow('usage not counted');
  });

  it('never make the count fail', async () => {
    const { count, added, unwatched } = recordCounting({
      readCounts: () => Promise.reject(new Error('throttled')),
    });

    await count([bounced]);

    expect(added).toHaveLength(1);
    expect(unwatched).toEqual([new Error('throttled')]);
  });
});

describe("an organization's use of its limits", () => {
  const sent = (organizationId: OrganizationId, count: number, from = 0, at = now) =>
    Array.from({ length: count }, (_, index) =>
      buildSentRecord({ organizationId, sequence: from + index, at }),
    );
  const today = (recipients: number, unsent = 0): DailyUsage => ({
    day: '2026-07-15',
    counts: sumUsage([{ recipients, sends: recipients, unsent }]),
  });

  function prepare(
    bounds: OrganizationBounds,
    ofShard: number,
    ofAll = ofShard,
    faults: readonly Error[] = [],
  ) {
    const noted: unknown[] = [];
    const filed: string[] = [];
    const left = [...faults];
    const storeNotice = async (notice: Notice) => {
      const fault = left.shift();
      if (fault !== undefined) throw fault;
      filed.push(`${sendKeyOf(notice)}: ${notice.subject}`);
    };
    const counting = recordCounting({
      add: async () => [today(ofShard)],
      storeNotice,
      readDays: async () => [today(ofAll)],
      organizationUse: {
        readBounds: async () => bounds,
        noteDayUse: async (_id, use) => {
          noted.push(use);
        },
        noteOverShare: async (id, until) => {
          noted.push([id, until]);
        },
      },
    });
    return { ...counting, noted, filed };
  }

  it('is recorded once its sends reach a hundredth of its limit, including other shards', async () => {
    const { count, noted } = prepare({ limits: { recipientsPerDay: 100 } }, 5, 80);

    await count(sent(one, 5));

    expect(noted).toEqual([{ day: '2026-07-15', recipients: 80, stored: 80 }]);
  });

  const key = 'service-notice:2026-07-15:day_quota:recipientsPerDay';
  it.each([
    { used: 79, filed: [], quotas: [] },
    {
      used: 80,
      filed: [`${key}-80: You have used 80% of today’s limit of 100 recipients`],
      quotas: [['recipientsPerDay', 80]],
    },
    {
      used: 99,
      filed: [expect.stringContaining(`${key}-80: `)],
      quotas: [['recipientsPerDay', 99]],
    },
    {
      used: 100,
      filed: [`${key}-100: You have reached today’s limit of 100 recipients`],
      quotas: [['recipientsPerDay', 100]],
    },
    {
      used: 130,
      filed: [expect.stringContaining(`${key}-100: `)],
      quotas: [['recipientsPerDay', 130]],
    },
  ])('for $used of 100 recipients creates the notices $quotas', async ({ used, filed, quotas }) => {
    const counting = prepare({ limits: { recipientsPerDay: 100 } }, 5, used);

    await counting.count(sent(one, 5));

    expect(counting.filed).toEqual(filed);
    expect(counting.quotas).toEqual(quotas);
    expect(counting.noted).toEqual([{ day: '2026-07-15', recipients: used, stored: used }]);
  });

  it('is recorded even if its notice can’t be stored, which the batch’s next delivery stores', async () => {
    const faults = [new Error('throttled')];
    const { count, noted, filed } = prepare({ limits: { recipientsPerDay: 100 } }, 5, 100, faults);

    await expect(count(sent(one, 5))).rejects.toThrow('usage not counted');
    expect([noted.length, filed]).toEqual([1, []]);
    await count(sent(one, 5));

    expect(filed).toEqual([`${key}-100: You have reached today’s limit of 100 recipients`]);
  });

  it("isn't delayed by a notice that DynamoDB rejects permanently", async () => {
    const counting = prepare({ limits: { recipientsPerDay: 100 } }, 5, 100, [refusal]);

    await counting.count(sent(one, 5));

    expect(counting.unwatched).toEqual([refusal]);
  });

  it('is neither read nor recorded in between', async () => {
    const { count, noted, unwatched } = prepare({ limits: { recipientsPerDay: 10_000 } }, 5);

    await count(sent(one, 4));

    expect([noted, unwatched]).toEqual([[], []]);
  });

  it('is recorded for suppressed sends as well', async () => {
    const noted: unknown[] = [];
    const unsent = (sequence: number) =>
      buildUnsentRecord({ organizationId: one, sequence, at: now }, 'suppressed');
    const { count } = recordCounting({
      add: async () => [today(0, 5)],
      readDays: async () => [today(0, 300)],
      organizationUse: {
        readBounds: async () => ({ limits: { recipientsPerDay: 100 } }),
        noteDayUse: async (_id, use) => {
          noted.push(use);
        },
        noteOverShare: unexpected('noteOverShare'),
      },
      storeNotice: async () => {},
    });

    await count([0, 1, 2, 3, 4].map(unsent));

    expect(noted).toEqual([{ day: '2026-07-15', recipients: 0, stored: 300 }]);
  });

  it("isn't recorded for another day", async () => {
    const { count, noted } = prepare({ limits: { recipientsPerDay: 1 } }, 5);

    await count(sent(one, 5, 0, now - 86_400_000));

    expect(noted).toEqual([]);
  });

  it('is marked when above its share, and not again while it is marked', async () => {
    const records = [...sent(one, 180), ...sent(other, 20, 180)];
    const fresh = prepare({}, 500);
    const marked = prepare({ overShareUntil: now + 50_000 }, 500);

    await fresh.count(records);
    await marked.count(records);

    expect(fresh.noted).toEqual([[one, now + 60_000]]);
    expect(marked.noted).toEqual([]);
  });

  it('never makes the count fail', async () => {
    const { count, unwatched } = recordCounting({
      add: async () => [today(5)],
      organizationUse: {
        readBounds: () => Promise.reject(new Error('throttled')),
        noteDayUse: unexpected('noteDayUse'),
        noteOverShare: unexpected('noteOverShare'),
      },
    });

    await count(sent(one, 5));

    expect(unwatched).toEqual([new Error('throttled')]);
  });
});

describe('a limit that requests count', () => {
  type Quota = Parameters<typeof buildQuotaRecord>[2];
  const tell = async (...quotas: readonly (readonly [before: Quota, after: Quota])[]) => {
    const filed: string[] = [];
    const counting = recordCounting({
      storeNotice: async (notice) => {
        filed.push(`${notice.about}: ${notice.subject}`);
      },
    });
    await counting.count(
      quotas.map(([before, after]) => buildQuotaRecord({ organizationId: one }, before, after)),
    );
    expect([counting.added, counting.unreadable, counting.unwatched]).toEqual([[], [], []]);
    return { filed, quotas: counting.quotas };
  };
  const name = 'UPLOADS';
  const limit = 'uploadBytesPerDay';
  const at = now;

  it.each([
    { from: 780, to: 799, filed: [], percents: [] },
    {
      from: 799,
      to: 800,
      filed: [`${limit}-80: You have used 80% of today’s limit of 1,000 bytes of uploads`],
      percents: [80],
    },
    { from: 800, to: 809, filed: [], percents: [] },
    { from: 800, to: 990, filed: [expect.stringContaining(`${limit}-80: `)], percents: [99] },
    {
      from: 990,
      to: 1_000,
      filed: [`${limit}-100: You have reached today’s limit of 1,000 bytes of uploads`],
      percents: [100],
    },
  ])(
    'creates the notices $filed from $from to $to of 1,000',
    async ({ from, to, filed, percents }) => {
      const told = await tell([
        { name, at, used: from, most: 1_000 },
        { name, at, used: to, most: 1_000 },
      ]);

      expect(told).toEqual({ filed, quotas: percents.map((percent) => [limit, percent]) });
    },
  );

  it('checks a batch once, from its first change to its last', async () => {
    const changes = [790, 800, 810, 820].map((used) => ({ name, at, used, most: 1_000 }));
    const pairs = changes.slice(1).map((after, index) => [changes[index] ?? after, after] as const);

    const told = await tell(...pairs);

    expect(told.quotas).toEqual([[limit, 82]]);
  });

  it('is reached once the rest was too little for a request', async () => {
    const before = { name, at, used: 850, most: 1_000 };
    const full = { ...before, fullAt: 1_000 };

    const told = await tell([before, full]);

    expect(told).toEqual({
      filed: [expect.stringContaining(`${limit}-100: `)],
      quotas: [[limit, 100]],
    });
  });

  it("isn't reached again by a smaller request that fits, or a raised limit", async () => {
    const full = { name, at, used: 850, most: 1_000, fullAt: 1_000 };

    const smaller = await tell([full, { ...full, used: 860 }]);
    const raised = await tell([full, { ...full, most: 2_000, used: 900 }]);

    expect(smaller.quotas).toEqual([[limit, 86]]);
    expect(raised).toEqual({ filed: [], quotas: [] });
  });

  it('ignores yesterday, counts from before an upgrade, and test emails', async () => {
    const [used, most] = [100, 100];
    const yesterday = { name, at: now - 86_400_000, used, most };
    const old = { name, at, used };
    const ofTests = { name: 'TEST_WAITING', at, used, most };

    const told = await tell(
      ...[yesterday, old, ofTests].map((after) => [{ ...after, used: 0 }, after] as const),
    );

    expect(told).toEqual({ filed: [], quotas: [] });
  });

  it.each(Object.entries(dayQuotas))('%s has its own notice', async (quota, ofLimit) => {
    const used = { name: quota, at, used: 100, most: 100 };

    const { filed } = await tell([{ ...used, used: 99 }, used]);

    expect(filed).toEqual([expect.stringContaining(`${ofLimit}-100: You have reached today’s`)]);
  });
});

describe("an organization's keys", () => {
  const at = Date.UTC(2026, 6, 15, 23);
  const key = newApiKeyId(one);
  const sent = (sequence: number, apiKeyId = key, moment = at) =>
    buildSentRecord(
      { organizationId: one, sequence, at: moment },
      { apiKey: { S: apiKeyOwnPart(apiKeyId) } },
    );
  const dayWith = (day: string, sends: number): KeyDay => ({
    day,
    recipients: new Map([[key, sends]]),
  });
  /** Five days of ten sends each, and so many on the day itself, as two shards tell. */
  const days = (sends: number) => [
    ...['10', '11', '12', '13', '14'].map((day) => dayWith(`2026-07-${day}`, 10)),
    dayWith('2026-07-15', 25),
    dayWith('2026-07-15', sends - 25),
  ];

  function prepare(given: Partial<KeyDayStore> = {}, countOfShard = 25) {
    const filed: Notice[] = [];
    const tallies: KeyDayTally[] = [];
    const file = async (notice: Notice) => {
      filed.push(notice);
    };
    const counting = recordCounting({
      file,
      keyDays: {
        add: async (_shard, tally) => {
          tallies.push(tally);
          return dayWith(tally.day, countOfShard);
        },
        read: async () => days(100),
        ...given,
      },
    });
    return { ...counting, filed, tallies };
  }

  it("are counted once for each day, except the service's own", async () => {
    const other = newApiKeyId(one);
    const { count, tallies } = prepare({ read: unexpected('keyDays.read') }, 2);
    const tomorrow = at + 3_600_000;

    await count([
      buildSentRecord({ organizationId: one, sequence: 1, at }),
      sent(3, other),
      sent(2),
      sent(2),
      sent(4, key, tomorrow),
    ]);

    const counted = tallies.map(({ day, entries }) => [
      day,
      ...entries.map(({ apiKeyId }) => apiKeyId),
    ]);
    expect(counted).toEqual([
      ['2026-07-15', key, other],
      ['2026-07-16', key],
    ]);
  });

  it('are checked each time a shard has counted 25 more sends, and reported from ten typical days on', async () => {
    const { count, filed } = prepare();

    await count([sent(1)]);

    expect(filed).toMatchObject([
      { organizationId: one, cause: 'key_spiking', about: key, day: '2026-07-15' },
    ]);
    expect(filed[0]?.text).toContain(
      'sent to 100 recipients on 2026-07-15 (UTC). On a typical day it sends to 10.',
    );
  });

  it('cause no notice while they send less', async () => {
    const { count, filed, unwatched } = prepare({ read: async () => days(99) });

    await count([sent(1)]);

    expect([filed, unwatched]).toEqual([[], []]);
  });

  it('are not checked in between', async () => {
    const { count, unwatched } = prepare({ read: unexpected('keyDays.read') }, 26);

    await count([sent(1)]);

    expect(unwatched).toEqual([]);
  });

  it("never make the count fail when they can't be counted", async () => {
    const { count, added, unwatched } = prepare({
      add: () => Promise.reject(new Error('throttled')),
    });

    await count([sent(1)]);

    expect(added).toHaveLength(1);
    expect(unwatched).toEqual([new Error('throttled')]);
  });

  it("never make the count fail when they can't be checked", async () => {
    const { count, unwatched } = prepare({ read: () => Promise.reject(new Error('throttled')) });

    await count([sent(1)]);

    expect(unwatched).toEqual([new Error('throttled')]);
  });

  it('are checked again when the batch is retried, as its process may have died in between', async () => {
    const { count, filed } = prepare();

    await count([sent(1)]);
    await count([sent(1)]);

    expect(filed).toHaveLength(2);
  });
});
