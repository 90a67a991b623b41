import { randomUUID } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { sendKey } from '#shared/table/send-keys';
import { openTable } from '#shared/table/table-client';
import { slotIdIn } from '#shared/tokens/resource-id';
import type { StackDescription } from '../../infra/local/stack.ts';
import { startMeteredStack } from './metered-stack.ts';
import { itemSize } from './request-units.ts';
import { atMost, type Report, type Row } from './row.ts';
import { postSend, putTypicalOrganization, typicalEmail } from './sends.ts';
import { longestChain, type TableMeter } from './table-meter.ts';
import { type Scenario, tableScenarios } from './table-scenarios.ts';

/** DynamoDB calls and request units of what the service does, as AWS bills them. */
export async function benchTableCalls(): Promise<Report> {
  const { description, meter, stop } = await startMeteredStack();
  try {
    const rows: Row[] = [await measureSendItem(description)];
    for (const scenario of await tableScenarios(description)) {
      rows.push(await measureScenario(scenario, meter));
    }
    return { rows };
  } finally {
    await stop();
  }
}

export async function measureScenario(scenario: Scenario, meter: TableMeter): Promise<Row> {
  const measure = async () => {
    meter.clear();
    await scenario.run();
    return toRow(scenario, meter);
  };
  return scenario.isRepeatable ? leastOf(measure) : measure();
}

const maxTries = 3;

/**
 * A busy machine only adds to what a request costs: a call is retried, or two that were made together no longer
 * overlap.
 *
 * @param measure costs the same each time.
 */
export async function leastOf<Measured extends Row | readonly Row[]>(
  measure: () => Promise<Measured>,
): Promise<Measured> {
  let measured = await measure();
  for (let tries = 1; tries < maxTries && !isMet(measured); tries += 1) measured = await measure();
  return measured;
}

const isMet = (measured: Row | readonly Row[]): boolean =>
  [measured].flat().every(({ met }) => met);

function toRow(scenario: Scenario, { calls, storedBytes }: TableMeter): Row {
  const { maxInARow, maxCalls, maxWriteUnits, maxStoredBytes } = scenario;
  const inARow = longestChain(calls);
  const writeUnits = sum(calls.map((call) => call.writeUnits));
  const readUnits = sum(calls.map((call) => call.readUnits));
  const stored = storedBytes();
  const limits = [
    { name: 'in a row', measured: inARow, most: maxInARow },
    { name: 'calls', measured: calls.length, most: maxCalls },
    { name: 'write units', measured: writeUnits, most: maxWriteUnits },
    { name: 'stored bytes', measured: stored, most: maxStoredBytes },
  ];
  return {
    what: scenario.what,
    measured: `${inARow} in a row of ${calls.length} calls; ${writeUnits} write, ${readUnits} read units${maxStoredBytes === undefined ? '' : `; ${stored} bytes stored`}`,
    target: limits
      .flatMap(({ name, most }) => (most === undefined ? [] : [`≤ ${most} ${name}`]))
      .join(', '),
    met: limits.every(({ measured, most }) => most === undefined || measured <= most),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

/** What one write unit takes. */
const maxBytes = 1_024;

/** The size of the one item of a typical send that is settled. */
export async function measureSendItem({ baseUrl, tableName }: StackDescription): Promise<Row> {
  const table = openTable(tableName);
  const { sendKey: apiKey } = await putTypicalOrganization(table);
  const options = { email: typicalEmail, idempotencyKey: randomUUID() };
  const { sendId } = await postSend(baseUrl, apiKey, options);
  const { Item = {} } = await table.client.send(
    new GetCommand({ TableName: tableName, Key: sendKey(slotIdIn(sendId)), ConsistentRead: true }),
  );
  return atMost('Item of a typical send, settled: bytes', itemSize(marshall(Item)), maxBytes);
}
