import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, inject, it, onTestFinished, vi } from 'vitest';
import { openTable } from '#shared/table/table-client';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { loseAnswer } from '../support/faults.ts';
import { openStoreTable } from '../support/store-table.ts';
import { startTableMeter } from './table-meter.ts';

it('bills a call once, however often the SDK tries it', async () => {
  const { name } = openStoreTable();
  const meter = await startTableMeter(inject('dynamodbEndpoint'));
  onTestFinished(meter.stop);
  const network = await startFaultProxy({ target: meter.url });
  onTestFinished(network.stop);
  network.inject({ operation: 'PutItem', action: loseAnswer() });
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', network.url);
  const { client } = openTable(name);

  await client.send(new PutCommand({ TableName: name, Item: { pk: name, sk: randomUUID() } }));

  expect(network.count('PutItem')).toBe(2);
  expect(meter.calls).toMatchObject([{ operation: 'PutItem', writeUnits: 1 }]);
});
