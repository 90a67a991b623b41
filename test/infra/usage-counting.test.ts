import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { noticePartitions, organizationKey, usageKey, usagePartitions } from '#shared/table/keys';
import { sendKey } from '#shared/table/send-keys';
import { newOrganizationId, slotIdOf } from '#shared/tokens/resource-id';
import { openAlarm } from './alarm-state.ts';
import { statementsOfRole } from './policy-statements.ts';
import { resourceAt, synthesiseStack } from './synthesised-stack.ts';

const stack = synthesiseStack();
const table = resourceAt(stack, 'ServiceTable/Table');
const countUsage = resourceAt(stack, 'Functions/count-usage/Lambda');
const givenUp = resourceAt(stack, 'UsageCounting/GivenUp/Queue');
const mapping = resourceAt(stack, 'UsageCounting/Changes');

describe('usage counting', () => {
  it("invokes count-usage with the table's changes", () => {
    expect(mapping.Properties).toMatchObject({
      EventSourceArn: { 'Fn::GetAtt': [table.logicalId, 'StreamArn'] },
      FunctionName: { Ref: countUsage.logicalId },
    });
  });

  it("starts with the oldest change, one batch per shard at a time, with the shard's name", () => {
    expect(mapping.Properties).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      ParallelizationFactor: 1,
      BisectBatchOnFunctionError: false,
      TumblingWindowInSeconds: 900,
    });
  });

  it('is less than a minute late', () => {
    expect(Number(mapping.Properties['MaximumBatchingWindowInSeconds'])).toBeLessThanOrEqual(30);
  });

  it('retries for 23 hours, then reports the records it gave up on', () => {
    const { MaximumRetryAttempts, MaximumRecordAgeInSeconds, ...properties } = mapping.Properties;

    expect(MaximumRetryAttempts).toBeUndefined();
    expect(MaximumRecordAgeInSeconds).toBe(23 * 3_600);
    expect(properties['DestinationConfig']).toEqual({
      OnFailure: { Destination: { 'Fn::GetAtt': [givenUp.logicalId, 'Arn'] } },
    });
  });

  it('is invoked only for settled sends, events, further messages and the use of limits', () => {
    const { Filters } = filterCriteria.parse(mapping.Properties['FilterCriteria']);

    const patterns: unknown[] = Filters.map(({ Pattern }) => JSON.parse(Pattern));
    expect(patterns).toEqual([
      {
        dynamodb: {
          Keys: { sk: { S: ['SEND'] } },
          NewImage: { status: { S: ['sent', 'suppressed', 'failed', 'canceled'] } },
        },
      },
      ...['deliveredAt', 'opens'].map((name) => ({
        dynamodb: {
          Keys: { sk: { S: ['SEND'] } },
          NewImage: { [name]: { N: [{ exists: true }] } },
        },
      })),
      {
        dynamodb: {
          Keys: {
            sk: {
              S: [
                ...['EVENT#', 'MESSAGE#'],
                ...['UPLOADS#', 'CHANGES#', 'CONTACTS#', 'WAITING#', 'DELIVERIES#', 'LINKS#'],
              ].map((prefix) => ({ prefix })),
            },
          },
        },
      },
      { dynamodb: { NewImage: { action: { S: [{ exists: true }] } } } },
    ]);
    expect(patterns.length).toBeLessThanOrEqual(maxFilters);
  });

  it("may write only usage counters, notices and an organization's use", () => {
    const statements = statementsOfRole(stack, 'count-usage').filter(({ Action }) =>
      Action.includes('dynamodb:UpdateItem'),
    );

    expect(statements).toMatchObject([
      {
        Effect: 'Allow',
        Action: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:UpdateItem'],
        Condition: {
          'ForAllValues:StringLike': {
            'dynamodb:LeadingKeys': [usagePartitions, noticePartitions],
          },
          Null: { 'dynamodb:LeadingKeys': 'false' },
        },
      },
      ...['dayUse', 'overShareUntil'].map((attribute) => ({
        Action: ['dynamodb:UpdateItem'],
        Condition: {
          'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['pk', 'sk', attribute] },
          Null: { 'dynamodb:Attributes': 'false' },
        },
      })),
    ]);
  });

  it("may read only an organization's limits", () => {
    const statements = statementsOfRole(stack, 'count-usage').filter(
      ({ Action, Condition }) =>
        Action.includes('dynamodb:GetItem') && !JSON.stringify(Condition).includes('LeadingKeys'),
    );

    expect(statements).toMatchObject([
      {
        Condition: {
          'ForAllValues:StringEquals': {
            'dynamodb:Attributes': ['pk', 'sk', 'limits', 'dayUse', 'overShareUntil'],
          },
          Null: { 'dynamodb:Attributes': 'false' },
          StringEqualsIfExists: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
        },
      },
    ]);
  });

  it("rings when usage isn't compared with limits, but not for a single failed read", () => {
    const { rings } = openAlarm(stack, 'UsageCounting/not-watched');

    expect(rings({ 'Sum UsageNotWatched': [1] })).toBe(false);
    expect(rings({ 'Sum UsageNotWatched': [3] })).toBe(true);
    expect(rings({})).toBe(false);
  });

  it('rings when it is an hour behind, skips a record or gives up', () => {
    const alarms = ['late', 'skipped', 'GivenUp/Alarm'].map(
      (name) => resourceAt(stack, `UsageCounting/${name}`).Properties,
    );

    expect(alarms).toMatchObject([
      {
        Namespace: 'AWS/Lambda',
        MetricName: 'IteratorAge',
        Dimensions: [{ Name: 'FunctionName', Value: { Ref: countUsage.logicalId } }],
        Statistic: 'Maximum',
        Threshold: 3_600_000,
      },
      {
        Namespace: 'TransactionalEmail',
        MetricName: 'UsageRecordSkipped',
        Dimensions: [{ Name: 'service', Value: 'EmailService' }],
        Statistic: 'Sum',
        Threshold: 1,
      },
      { MetricName: 'ApproximateNumberOfMessagesVisible', Threshold: 1 },
    ]);
  });
});

/** Of an event source mapping (Lambda guide, "Lambda quotas"). */
const maxFilters = 5;
const filterCriteria = z.object({ Filters: z.array(z.object({ Pattern: z.string() })) });

describe('the pattern of usage partitions', () => {
  // IAM's `StringLike`: a star stands for any characters.
  const pattern = new RegExp(`^${usagePartitions.replaceAll('*', '.*')}$`);
  const organizationId = newOrganizationId();

  it('matches only usage partitions', () => {
    const usage = usageKey(organizationId, '2026-06', 'shardId-1');
    const others = [organizationKey(organizationId), sendKey(slotIdOf(organizationId, undefined))];

    expect(usage.pk).toMatch(pattern);
    for (const { pk } of others) expect(pk).not.toMatch(pattern);
  });
});
