import { longestChain } from './call-chain.ts';
import { startMeteredStack } from './metered-stack.ts';
import type { Report } from './report.ts';
import type { Row } from './row.ts';
import { measureSendItem } from './send-item.ts';
import type { MeteredCall, TableMeter } from './table-meter.ts';
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
  meter.clear();
  await scenario.run();
  return toRow(scenario, meter.calls);
}

function toRow(scenario: Scenario, calls: readonly MeteredCall[]): Row {
  const { mostInARow, mostCalls, mostWriteUnits } = scenario;
  const inARow = longestChain(calls);
  const writeUnits = sum(calls.map((call) => call.writeUnits));
  const readUnits = sum(calls.map((call) => call.readUnits));
  const limits = [
    { name: 'in a row', measured: inARow, most: mostInARow },
    { name: 'calls', measured: calls.length, most: mostCalls },
    { name: 'write units', measured: writeUnits, most: mostWriteUnits },
  ];
  return {
    what: scenario.what,
    measured: `${inARow} in a row of ${calls.length} calls; ${writeUnits} write, ${readUnits} read units`,
    target: limits
      .flatMap(({ name, most }) => (most === undefined ? [] : [`≤ ${most} ${name}`]))
      .join(', '),
    met: limits.every(({ measured, most }) => most === undefined || measured <= most),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
