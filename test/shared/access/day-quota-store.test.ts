import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { expect, it } from 'vitest';
import { openDayQuotaStore } from '#shared/access/day-quota-store';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { captureOutput } from '../../support/captured-output.ts';

const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-west-1' }));

it("counts a used-up day that couldn't be marked, for the alarm", async () => {
  const isFull = new ConditionalCheckFailedException({ message: 'full', $metadata: {} });
  mockClient(client)
    .on(UpdateCommand)
    .rejectsOnce(isFull)
    .rejectsOnce(new Error('DynamoDB is not available'));
  const output = captureOutput();
  const quotas = openDayQuotaStore({ client, name: 'table' });

  const fits = await quotas.take(newOrganizationId(), 'UPLOADS', 30, 100, Date.now());

  expect(fits).toBe(false);
  expect(output.text()).toContain('NoticeNotFiled');
});
