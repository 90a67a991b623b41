import { Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ServiceTable } from '../../infra/constructs/stores/service-table.ts';
import { serviceTable } from '../../infra/local/dynamodb/table.ts';
import { createApp } from './synthesised-stack.ts';

const tableType = 'AWS::DynamoDB::Table';

const indexed = z.object({
  Properties: z.object({
    GlobalSecondaryIndexes: z.array(z.object({ IndexName: z.string() })),
    AttributeDefinitions: z.array(
      z.object({ AttributeName: z.string(), AttributeType: z.string() }),
    ),
  }),
});

/** Alone in its stack. */
function synthesiseTable(): Template {
  const stack = new Stack(createApp(), 'TableAlone');
  new ServiceTable(stack, 'ServiceTable');
  return Template.fromStack(stack);
}

describe('the service table', () => {
  it('deletes items by their expiresAt', () => {
    const template = synthesiseTable();

    template.hasResourceProperties(tableType, {
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    });
  });

  it('can be restored to any second and not be deleted by accident', () => {
    const template = synthesiseTable();

    template.hasResource(tableType, {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      },
    });
  });

  it('costs nothing while idle', () => {
    const template = synthesiseTable();

    template.hasResourceProperties(tableType, {
      BillingMode: 'PAY_PER_REQUEST',
      ProvisionedThroughput: Match.absent(),
    });
    template.resourceCountIs('AWS::KMS::Key', 0);
  });

  it.each([
    { index: 'gsi1', partitionKey: 'gsi1pk', sortKey: 'gsi1sk' },
    { index: 'gsi2', partitionKey: 'gsi2pk', sortKey: 'gsi2sk' },
    { index: 'gsi3', partitionKey: 'gsi3pk', sortKey: 'gsi3sk' },
  ])('projects keys only into $index', ({ index, partitionKey, sortKey }) => {
    const template = synthesiseTable();

    template.hasResourceProperties(tableType, {
      GlobalSecondaryIndexes: Match.arrayWith([
        {
          IndexName: index,
          KeySchema: [
            { AttributeName: partitionKey, KeyType: 'HASH' },
            { AttributeName: sortKey, KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ]),
    });
  });

  it('is the one that the local twin creates', () => {
    const { StreamSpecification, ...shared } = serviceTable;

    const template = synthesiseTable();

    const { StreamEnabled, ...stream } = StreamSpecification;
    expect(StreamEnabled).toBe(true);
    const [table] = Object.values(template.findResources(tableType));
    expect(table).toMatchObject({ Properties: { ...shared, StreamSpecification: stream } });
  });

  it('has three indexes, each keyed by strings', () => {
    const [table] = Object.values(synthesiseTable().findResources(tableType));
    const { GlobalSecondaryIndexes, AttributeDefinitions } = indexed.parse(table).Properties;

    const keys = ['gsi1', 'gsi2', 'gsi3'].flatMap((index) => [`${index}pk`, `${index}sk`]);
    expect(GlobalSecondaryIndexes.map(({ IndexName }) => IndexName)).toEqual([
      'gsi1',
      'gsi2',
      'gsi3',
    ]);
    expect(AttributeDefinitions).toEqual(
      expect.arrayContaining(keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' }))),
    );
  });

  it('is keyed by strings pk and sk', () => {
    const template = synthesiseTable();

    const tables = Object.values(template.findResources(tableType));
    expect(tables).toMatchObject([
      {
        Properties: {
          KeySchema: [
            { AttributeName: 'pk', KeyType: 'HASH' },
            { AttributeName: 'sk', KeyType: 'RANGE' },
          ],
          AttributeDefinitions: expect.arrayContaining([
            { AttributeName: 'pk', AttributeType: 'S' },
            { AttributeName: 'sk', AttributeType: 'S' },
          ]),
        },
      },
    ]);
  });
});
