import { setImmediate } from 'node:timers/promises';
import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { requestQuotas } from '#shared/config/request-quotas';
import { noticeSchema, sendKeyOf } from '#shared/notices/notice';
import { openRequestLog } from '#shared/observability/request-log';
import type { Organization } from '#shared/organizations/organization';
import { getOrganization, putOrganization } from '#shared/organizations/organization-store';
import { metricsKey } from '#shared/table/keys';
import { hourOf } from '#shared/timing/hour';
import {
  apiKeyOwnPart,
  newApiKeyId,
  newOrganizationId,
  type OrganizationId,
} from '#shared/tokens/resource-id';
import { addKeyDay, readKeyDays } from '#shared/usage/key-day-store';
import { readHourMetrics } from '#shared/usage/metrics-store';
import { readTagUsage } from '#shared/usage/tag-usage-store';
import { sumUsage } from '#shared/usage/usage-counts';
import { readUsage } from '#shared/usage/usage-store';
import { countUsage, reportsTo } from '../../../functions/count-usage/count-usage.ts';
import { openUsage } from '../../shared/usage/usage-batches.ts';
import { captureOutput } from '../../support/captured-output.ts';
import {
  buildAuditRecord,
  buildEventRecord,
  buildQuotaRecord,
  buildSentRecord,
  buildUnsentRecord,
  recordedAt,
} from '../../support/counted-changes-builder.ts';
import { type Intercept, openMemoryTable } from '../../support/memory-table/memory-table.ts';
import type { TableCall } from '../../support/memory-table/table-call.ts';
import { buildOrganization } from '../../support/organization-builder.ts';

const [one, other] = [newOrganizationId(), newOrganizationId()];
const shardId = 'shardId-1';
const now = Date.UTC(2026, 6, 15);

const throttled = () => new Error('throttled');
const refusal = new DynamoDBServiceException({
  name: 'ValidationException',
  $fault: 'client',
  $metadata: {},
});

/** Whether a call is about an item whose key has this text, or an expression with it. */
const names = (call: TableCall, text: string) => JSON.stringify(call.input).includes(text);

const month = (organizationId: OrganizationId) => `${organizationId}#USAGE"},"sk":{"S":"2026`;
const tags = 'TAGS#';
const keyDays = 'KEY_RECIPIENTS#';
const notice = '#NOTICES';

/** A process that counts on a table in memory, and keeps what it reports. */
function openCounting(intercept: Intercept = (_, run) => run()) {
  const faults: { of: string; error: Error; times: number }[] = [];
  const calls: TableCall[] = [];
  const { table, items } = openMemoryTable({
    intercept: (call, run) => {
      const fault = faults.find(({ of, times }) => times > 0 && names(call, of));
      if (fault !== undefined) {
        fault.times -= 1;
        return Promise.reject(fault.error);
      }
      calls.push(call);
      return intercept(call, run);
    },
  });
  const unreadable: (string | undefined)[] = [];
  const uncounted: unknown[] = [];
  const unwatched: unknown[] = [];
  const quotas: (readonly [string, number])[] = [];
  const counting = {
    ...{ table, now: () => now, limitsOfDeployment: {} },
    reportUnreadable: (sequence: string | undefined) => void unreadable.push(sequence),
    reportUncounted: (_: unknown, tally: { readonly organizationId: string }) =>
      void uncounted.push(tally.organizationId),
    reportQuota: (_: unknown, limit: string, percent: number) => void quotas.push([limit, percent]),
    reportUnwatched: (error: unknown) => void unwatched.push(error),
  };
  return {
    ...{ table, items, unreadable, uncounted, unwatched, quotas },
    count: (records: readonly unknown[]) =>
      countUsage({ shardId, Records: [...records] }, counting),
    /** The table refuses calls that name this. */
    fail: (of: string, error: Error, times = Infinity) => void faults.push({ of, error, times }),
    countsOf: async (organizationId: OrganizationId, of: '2026-06' | '2026-07') => {
      const parts = await readUsage(table, organizationId, { from: of, to: of });
      return sumUsage(parts.map(({ counts }) => counts));
    },
    notices: () =>
      items()
        .filter((item) => 'cause' in item)
        .map((item) => noticeSchema.parse(item))
        .toSorted((first, second) => (sendKeyOf(first) < sendKeyOf(second) ? -1 : 1)),
    /** How many lists of days or months it has read. */
    queries: () => calls.filter(({ operation }) => operation === 'Query').length,
  };
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

  it('are added once per organization and month, only from sends that have some', async () => {
    const { count, table, items } = openCounting();

    await count([
      tagged(one, 1, 'reset'),
      tagged(other, 2),
      tagged(one, 3),
      tagged(one, 4, 'welcome'),
      buildEventRecord('opened', { organizationId: one, sequence: 5 }),
    ]);

    const { sends } = await readTagUsage(table, one, '2026-07');
    expect(Object.fromEntries(sends)).toEqual({ 'kind:reset': 1, 'kind:welcome': 1 });
    expect(items().filter(({ sk }) => `${sk}`.startsWith(tags))).toMatchObject([
      { sk: `${tags}2026-07#${shardId}` },
    ]);
  });

  it.each([
    { error: throttled(), fails: true },
    { error: refusal, fails: false },
  ])('fail the batch for a temporary error, but not for a permanent one: $error', async (given) => {
    const { count, fail, unwatched, countsOf } = openCounting();
    fail(tags, given.error);

    const counted = count([tagged(one, 1, 'reset')]);

    if (given.fails) await expect(counted).rejects.toThrow('usage not counted');
    else await counted;
    expect(unwatched).toEqual(given.fails ? [] : [refusal]);
    expect(await countsOf(one, '2026-07')).toMatchObject({ sends: 1 });
  });
});

describe('the metrics of sends', () => {
  const hour = { from: hourOf(now), until: hourOf(now) + 1 };
  const sent = buildSentRecord({ organizationId: one, sequence: 1, at: now });

  it.each([
    { error: throttled(), fails: true },
    { error: refusal, fails: false },
  ])('fail the batch for a temporary error, but not for a permanent one: $error', async (given) => {
    const { count, fail, unwatched, countsOf } = openCounting();
    fail('METRICS#', given.error);

    const counted = count([sent]);

    if (given.fails) await expect(counted).rejects.toThrow('usage not counted');
    else await counted;
    expect(unwatched).toEqual(given.fails ? [] : [refusal]);
    expect(await countsOf(one, '2026-07')).toMatchObject({ sends: 1 });
  });

  it('are counted once when the batch failed for something else and comes again', async () => {
    const { count, fail, table } = openCounting();
    fail(month(one), throttled(), 1);

    await expect(count([sent])).rejects.toThrow('usage not counted');
    await count([sent]);

    const hours = await readHourMetrics(table, one, hour, [], now);
    expect(hours.map(({ all }) => all.figures.sent)).toEqual([1]);
  });
});

describe('an audit entry for a change that sends data out', () => {
  const entry = newAuditEntry(
    one,
    newApiKeyId(one),
    { action: 'webhook.created', target: 'whk_1', after: { url: 'https://evil.example' } },
    now,
  );

  it('creates a notice, and no second one when the batch is repeated', async () => {
    const { count, notices } = openCounting();
    const batch = [buildAuditRecord(entry, 1)];

    await count(batch);
    await count(batch);

    expect(notices()).toMatchObject([
      {
        ...{ organizationId: one, cause: 'sensitive_change', at: now },
        text: expect.stringContaining('https://evil.example'),
      },
    ]);
  });

  it('fails the batch when its notice can’t be stored, as the stream reports it once', async () => {
    const { count, fail } = openCounting();
    fail(notice, throttled());

    await expect(count([buildAuditRecord(entry, 1)])).rejects.toThrow('usage not counted');
  });

  it('creates no notice when it expires or has an unknown form', async () => {
    const { count, items } = openCounting();
    const { dynamodb } = buildAuditRecord(entry, 1);
    const elsewhere = { ...dynamodb, Keys: { ...dynamodb.Keys, pk: { S: `ORG#${one}` } } };

    await count([
      { dynamodb: { ...dynamodb, OldImage: dynamodb.NewImage, NewImage: undefined } },
      { dynamodb: elsewhere },
    ]);

    expect(items()).toEqual([]);
  });
});

describe('countUsage', () => {
  const oneAndOther = [one, other].map((organizationId, index) =>
    buildSentRecord({ organizationId, sequence: index + 1 }),
  );

  it('counts a batch in one item for each organization, month and shard, and one for each hour', async () => {
    const { count, countsOf, items } = openCounting();

    await count([
      buildSentRecord({ organizationId: one, sequence: 1 }),
      buildSentRecord({ organizationId: other, sequence: 2 }),
      buildEventRecord('opened', { organizationId: one, sequence: 3 }),
      buildEventRecord('opened', { organizationId: one, sequence: 4, at: Date.UTC(2026, 6, 1) }),
    ]);

    expect(await countsOf(one, '2026-06')).toMatchObject({ sends: 1, opened: 1 });
    expect(await countsOf(other, '2026-06')).toMatchObject({ sends: 1, opened: 0 });
    expect(await countsOf(one, '2026-07')).toMatchObject({ sends: 0, opened: 1 });
    expect(
      items()
        .map(({ sk }) => sk)
        .toSorted(),
    ).toEqual([
      ...['2026-06', '2026-06', '2026-07'].map((of) => `${of}#${shardId}`),
      ...[one, other].map((id) => metricsKey(id, hourOf(recordedAt)).sk),
    ]);
  });

  it('orders repeats within a batch, and counts each once', async () => {
    const { count, countsOf } = openCounting();
    const records = [3, 1, 2, 3].map((sequence) =>
      buildSentRecord({ organizationId: one, sequence }),
    );

    await count(records);
    await count(records);

    expect(await countsOf(one, '2026-06')).toMatchObject({ sends: 3 });
  });

  it("skips and reports a record that it can't read", async () => {
    const { countsOf, unreadable, count } = openCounting();

    await count([
      { dynamodb: 'broken' },
      buildEventRecord('read', { organizationId: one, sequence: 1 }),
      buildSentRecord({ organizationId: one, sequence: 2 }),
    ]);

    expect(unreadable).toEqual([undefined, '1'.padStart(40, '0')]);
    expect(await countsOf(one, '2026-06')).toEqual(
      sumUsage([{ sends: 1, sent: 1, recipients: 1 }]),
    );
  });

  it('adds nothing for a batch without records', async () => {
    const { items, count } = openCounting();

    await count([]);

    expect(items()).toEqual([]);
  });

  it("fails when one organization couldn't be counted, after counting the others", async () => {
    const { count, fail, countsOf } = openCounting();
    fail(month(one), throttled());

    await expect(count(oneAndOther)).rejects.toThrow('usage not counted');

    expect(await countsOf(other, '2026-06')).toMatchObject({ sends: 1 });
  });

  it('gives up what DynamoDB rejects as invalid, reports it and counts the rest', async () => {
    const { count, fail, countsOf, uncounted } = openCounting();
    fail(month(one), refusal);

    await count(oneAndOther);

    expect(uncounted).toEqual([one]);
    expect(await countsOf(other, '2026-06')).toMatchObject({ sends: 1 });
  });

  it('leaves the figures of an hour as another version stored them, and counts the rest', async () => {
    const { count, table, countsOf, unwatched } = openCounting();
    const Item = { ...metricsKey(one, hourOf(recordedAt)), version: 'two' };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));

    await count(oneAndOther);

    expect(unwatched).toMatchObject([{ name: 'UnreadableItemError', item: 'metrics' }]);
    expect(await countsOf(one, '2026-06')).toMatchObject({ sends: 1 });
    expect(await countsOf(other, '2026-06')).toMatchObject({ sends: 1 });
  });

  it('writes for twenty organizations at a time', async () => {
    let underWay = 0;
    let most = 0;
    const { count, items } = openCounting(async (_, run) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await setImmediate();
      underWay -= 1;
      return run();
    });

    await count(
      Array.from({ length: 100 }, (_, sequence) =>
        buildSentRecord({ organizationId: newOrganizationId(), sequence }),
      ),
    );

    expect(items(), 'a month and an hour each').toHaveLength(200);
    expect(most).toBe(20);
  });
});

describe("an organization's rates", () => {
  const at = Date.UTC(2026, 5, 30);
  const facts = (sequence: number) => ({ organizationId: one, sequence, at });
  /** So many emails, then five bounces. */
  const bouncing = (sends: number) => [
    ...Array.from({ length: sends }, (_, index) => buildSentRecord(facts(index))),
    ...Array.from({ length: 5 }, (_, index) => buildEventRecord('bounced', facts(sends + index))),
  ];

  it('are checked after another bounce, in the month that it counts in', async () => {
    const { count, notices } = openCounting();

    await count(bouncing(100));

    expect(notices()).toMatchObject([
      { organizationId: one, cause: 'bounce_rate', about: '2026-06', day: '2026-07-15' },
    ]);
  });

  it('cause no notice while they are good', async () => {
    const { count, notices, unwatched } = openCounting();

    await count(bouncing(1_000));

    expect([notices(), unwatched]).toEqual([[], []]);
  });

  it('are not read for sends and deliveries', async () => {
    const { count, queries } = openCounting();

    await count([buildEventRecord('delivered', facts(1)), buildSentRecord(facts(3))]);

    expect(queries()).toBe(0);
  });

  it("are not checked for what couldn't be counted", async () => {
    const { count, fail, queries } = openCounting();
    fail(month(one), throttled());

    await expect(count(bouncing(1))).rejects.toThrow('usage not counted');

    expect(queries()).toBe(0);
  });

  it('never make the count fail', async () => {
    const { count, fail, countsOf, unwatched } = openCounting();
    fail('KeyConditionExpression', throttled(), 1);

    await count(bouncing(100));

    expect(await countsOf(one, '2026-06')).toMatchObject({ sends: 100, bounced: 5 });
    expect(unwatched).toEqual([throttled()]);
  });
});

describe("an organization's use of its limits", () => {
  const sent = (organizationId: OrganizationId, count: number, from = 0, at = now) =>
    Array.from({ length: count }, (_, index) =>
      buildSentRecord({ organizationId, sequence: from + index, at }),
    );

  /** @param elsewhere recipients whom another shard has counted today. */
  async function prepare(given: Partial<Organization>, elsewhere = 0) {
    const counting = openCounting();
    const organization = buildOrganization({ id: one, ...given });
    await putOrganization(counting.table, organization);
    await openUsage(counting.table).deliver(sent(one, elsewhere), 'shardId-2');
    return {
      ...counting,
      stored: async () => getOrganization(counting.table, one),
      filed: () => counting.notices().map((filed) => `${sendKeyOf(filed)}: ${filed.subject}`),
    };
  }
  const ofHundred = { limits: { recipientsPerDay: 100 } };

  it('is recorded once its sends reach a hundredth of its limit, including other shards', async () => {
    const { count, stored } = await prepare(ofHundred, 75);

    await count(sent(one, 5));

    expect((await stored())?.dayUse).toEqual({ day: '2026-07-15', recipients: 80, stored: 80 });
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
    const counting = await prepare(ofHundred, used - 5);

    await counting.count(sent(one, 5));

    expect(counting.filed()).toEqual(filed);
    expect(counting.quotas).toEqual(quotas);
    const dayUse = { day: '2026-07-15', recipients: used, stored: used };
    expect(await counting.stored()).toMatchObject({ dayUse });
  });

  it('is recorded even if its notice can’t be stored, which the batch’s next delivery stores', async () => {
    const { count, fail, stored, filed } = await prepare(ofHundred, 95);
    fail(notice, throttled(), 1);

    await expect(count(sent(one, 5))).rejects.toThrow('usage not counted');
    expect(await stored()).toMatchObject({ dayUse: { recipients: 100 } });
    expect(filed()).toEqual([]);
    await count(sent(one, 5));

    expect(filed()).toEqual([`${key}-100: You have reached today’s limit of 100 recipients`]);
  });

  it("isn't delayed by a notice that DynamoDB rejects permanently", async () => {
    const { count, fail, unwatched } = await prepare(ofHundred, 95);
    fail(notice, refusal);

    await count(sent(one, 5));

    expect(unwatched).toEqual([refusal]);
  });

  it('is neither read nor recorded in between', async () => {
    const { count, stored, queries, unwatched } = await prepare({
      limits: { recipientsPerDay: 10_000 },
    });

    await count(sent(one, 99));

    expect(await stored()).not.toHaveProperty('dayUse');
    expect([queries(), unwatched]).toEqual([0, []]);
  });

  it('is recorded for suppressed sends as well', async () => {
    const { count, stored, table } = await prepare(ofHundred);
    const unsent = (sequence: number) =>
      buildUnsentRecord({ organizationId: one, sequence, at: now }, 'suppressed');
    const all = Array.from({ length: 300 }, (_, index) => unsent(index));
    await openUsage(table).deliver(all.slice(5), 'shardId-2');

    await count(all.slice(0, 5));

    expect((await stored())?.dayUse).toEqual({ day: '2026-07-15', recipients: 0, stored: 300 });
  });

  it("isn't recorded for another day", async () => {
    const { count, stored } = await prepare({ limits: { recipientsPerDay: 1 } });

    await count(sent(one, 5, 0, now - 86_400_000));

    expect(await stored()).not.toHaveProperty('dayUse');
  });

  it.each([
    [{}, now + 60_000],
    [{ overShareUntil: now + 50_000 }, now + 50_000],
  ])(
    'is marked when above its share, and not again while it is marked: %o',
    async (given, until) => {
      const { count, stored } = await prepare(given);

      await count([...sent(one, 180), ...sent(other, 20, 180)]);

      expect((await stored())?.overShareUntil).toBe(until);
    },
  );

  it('never makes the count fail', async () => {
    const { count, fail, countsOf, unwatched } = await prepare(ofHundred);
    fail('overShareUntil', throttled());

    await count(sent(one, 5));

    expect(await countsOf(one, '2026-07')).toMatchObject({ sends: 5 });
    expect(unwatched).toEqual([throttled()]);
  });
});

describe('a limit that requests count', () => {
  type Quota = Parameters<typeof buildQuotaRecord>[2];
  const tell = async (...quotas: readonly (readonly [before: Quota, after: Quota])[]) => {
    const counting = openCounting();
    await counting.count(
      quotas.map(([before, after]) => buildQuotaRecord({ organizationId: one }, before, after)),
    );
    const filed = counting.notices().map(({ about, subject }) => `${about}: ${subject}`);
    expect(counting.items(), 'nothing is counted').toHaveLength(filed.length);
    expect([counting.unreadable, counting.unwatched]).toEqual([[], []]);
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
      const result = await tell([
        { name, at, used: from, most: 1_000 },
        { name, at, used: to, most: 1_000 },
      ]);

      expect(result).toEqual({ filed, quotas: percents.map((percent) => [limit, percent]) });
    },
  );

  it('checks a batch once, from its first change to its last', async () => {
    const changes = [790, 800, 810, 820].map((used) => ({ name, at, used, most: 1_000 }));
    const pairs = changes.slice(1).map((after, index) => [changes[index] ?? after, after] as const);

    const result = await tell(...pairs);

    expect(result.quotas).toEqual([[limit, 82]]);
  });

  it('is reached once the rest was too little for a request', async () => {
    const before = { name, at, used: 850, most: 1_000 };
    const full = { ...before, fullAt: 1_000 };

    const result = await tell([before, full]);

    expect(result).toEqual({
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

  it('ignores yesterday and test emails', async () => {
    const [used, most] = [100, 100];
    const yesterday = { name, at: now - 86_400_000, used, most };
    const ofTests = { name: 'TEST_WAITING', at, used, most };

    const result = await tell(
      ...[yesterday, ofTests].map((after) => [{ ...after, used: 0 }, after] as const),
    );

    expect(result).toEqual({ filed: [], quotas: [] });
  });

  it.each(Object.entries(requestQuotas))('%s has its own notice', async (quota, ofLimit) => {
    const used = { name: quota, at, used: 100, most: 100 };

    const { filed } = await tell([{ ...used, used: 99 }, used]);

    expect(filed).toEqual([expect.stringContaining(`${ofLimit}-100: You have reached today’s`)]);
  });
});

describe("an organization's keys", () => {
  const at = Date.UTC(2026, 6, 15, 23);
  const today = '2026-07-15';
  const key = newApiKeyId(one);
  const sent = (sequence: number, apiKeyId = key, moment = at) =>
    buildSentRecord(
      { organizationId: one, sequence, at: moment },
      { apiKey: { S: apiKeyOwnPart(apiKeyId) } },
    );

  /**
   * A key that sent to ten recipients on each of five days, and today to 24 by this shard and the rest by another.
   *
   * @param sends of the day, with the next one.
   */
  async function prepare(sends: number, ofShard = 24) {
    const counting = openCounting();
    const counted = (day: string, recipients: number, shard = shardId) =>
      addKeyDay(counting.table, shard, {
        organizationId: one,
        day,
        entries: [{ sequence: '0', apiKeyId: key, recipients }],
      });
    for (const day of ['10', '11', '12', '13', '14']) await counted(`2026-07-${day}`, 10);
    await counted(today, ofShard);
    await counted(today, sends - 1 - ofShard, 'shardId-2');
    return counting;
  }

  it("are counted once for each day, except the service's own", async () => {
    const { count, queries, table } = openCounting();
    const second = newApiKeyId(one);

    await count([
      buildSentRecord({ organizationId: one, sequence: 1, at }),
      sent(3, second),
      sent(2),
      sent(2),
      sent(4, key, at + 3_600_000),
    ]);

    expect(queries(), 'too few to be checked').toBe(0);
    const byDay = Map.groupBy(await readKeyDays(table, one, '2026-07-16'), ({ day }) => day);
    const counted = [...byDay].map(([day, parts]) => [
      day,
      parts.map(({ recipients }) => Object.fromEntries(recipients)),
    ]);
    expect(counted).toEqual([
      [today, [{ [key]: 1, [second]: 1 }]],
      ['2026-07-16', [{ [key]: 1 }]],
    ]);
  });

  it('are checked each time a shard has counted 25 more sends, and reported from ten typical days on', async () => {
    const { count, notices } = await prepare(100);

    await count([sent(1)]);

    expect(notices()).toMatchObject([
      {
        ...{ organizationId: one, cause: 'key_spiking', about: key, day: today },
        text: expect.stringContaining(
          'sent to 100 recipients on 2026-07-15 (UTC). On a typical day it sends to 10.',
        ),
      },
    ]);
  });

  it('cause no notice while they send less', async () => {
    const { count, notices, unwatched } = await prepare(99);

    await count([sent(1)]);

    expect([notices(), unwatched]).toEqual([[], []]);
  });

  it('are not checked in between', async () => {
    const { count, queries, unwatched } = await prepare(100, 25);

    await count([sent(1)]);

    expect([queries(), unwatched]).toEqual([0, []]);
  });

  it("never make the count fail when they can't be counted", async () => {
    const { count, fail, countsOf, unwatched } = await prepare(100);
    fail(keyDays, throttled());

    await count([sent(1)]);

    expect(await countsOf(one, '2026-07')).toMatchObject({ sends: 1 });
    expect(unwatched).toEqual([throttled()]);
  });

  it("never make the count fail when they can't be checked", async () => {
    const { count, fail, unwatched } = await prepare(100);
    fail('KeyConditionExpression', throttled());

    await count([sent(1)]);

    expect(unwatched).toEqual([throttled()]);
  });

  it('are checked again when the batch is retried, as its process may have died in between', async () => {
    const { count, fail, notices } = await prepare(100);
    fail(notice, throttled(), 1);

    await count([sent(1)]);
    expect(notices()).toEqual([]);
    await count([sent(1)]);

    expect(notices()).toHaveLength(1);
  });
});
