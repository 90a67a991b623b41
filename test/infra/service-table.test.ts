import { Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { searchedAttributes } from '#shared/table/table-attributes';
import { ServiceTable } from '../../infra/constructs/stores/service-table.ts';
import { serviceTable } from '../../infra/local/dynamodb/table.ts';
import { createApp } from './synthesised-stack.ts';

const tableType = 'AWS::DynamoDB::Table';

const stack = new Stack(createApp(), 'TableAlone');
new ServiceTable(stack, 'ServiceTable');
const template = Template.fromStack(stack);
const [table] = Object.values(template.findResources(tableType));

const keysOf = (partitionKey: string, sortKey: string) => [
  { AttributeName: partitionKey, KeyType: 'HASH' },
  { AttributeName: sortKey, KeyType: 'RANGE' },
];

describe('the service table', () => {
  it('deletes items by their expiresAt', () => {
    template.hasResourceProperties(tableType, {
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    });
  });

  it('has point-in-time recovery and deletion protection', () => {
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
    template.hasResourceProperties(tableType, {
      BillingMode: 'PAY_PER_REQUEST',
      ProvisionedThroughput: Match.absent(),
    });
    template.resourceCountIs('AWS::KMS::Key', 0);
  });

  it('has string keys, and four indexes that project keys, one also what searches look for', () => {
    const indexes = ['gsi1', 'gsi2', 'gsi3', 'gsi4'];
    const attributes = ['pk', 'sk', ...indexes.flatMap((index) => [`${index}pk`, `${index}sk`])];

    expect(table).toMatchObject({
      Properties: {
        KeySchema: keysOf('pk', 'sk'),
        AttributeDefinitions: attributes.map((AttributeName) => ({
          AttributeName,
          AttributeType: 'S',
        })),
        GlobalSecondaryIndexes: indexes.map((index) => ({
          IndexName: index,
          KeySchema: keysOf(`${index}pk`, `${index}sk`),
          Projection:
            index === 'gsi2'
              ? { ProjectionType: 'INCLUDE', NonKeyAttributes: [...searchedAttributes] }
              : { ProjectionType: 'KEYS_ONLY' },
        })),
      },
    });
  });

  it("has the same schema as the local twin's table", () => {
    const { StreamSpecification, ...shared } = serviceTable;

    const { StreamEnabled, ...stream } = StreamSpecification;
    expect(StreamEnabled).toBe(true);
    expect(table).toMatchObject({ Properties: { ...shared, StreamSpecification: stream } });
  });
});
