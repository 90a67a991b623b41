import { createServer } from 'node:http';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../../infra/local/server.ts';
import { startMeteredStack } from '../bench/metered-stack.ts';
import { leastOf, measureScenario, measureSendItem } from '../bench/table-calls.ts';
import { tableScenarios } from '../bench/table-scenarios.ts';
import { measureWebhooks } from '../bench/webhook-units.ts';
import { ownDatabase } from '../support/own-database.ts';

/** The rows of the benchmark that count: they are the same on every machine. */
const stack = await startMeteredStack({ database: ownDatabase() });
afterAll(stack.stop);

describe('the calls and write units of', async () => {
  const scenarios = await tableScenarios(stack.description);
  const cases = scenarios.map((scenario) => [scenario.what, scenario] as const);

  // In this order: each finds the items that the earlier ones have written.
  it.each(cases)('“%s” are within their limits', async (_, scenario) => {
    const row = await measureScenario(scenario, stack.meter);

    expect(row).toEqual({ ...row, met: true });
  });

  it('a delivered webhook are within their limit', async () => {
    const receiver = await startReceiver();

    const rows = await leastOf(() => measureWebhooks(stack, receiver.url));

    expect(rows).toEqual(rows.map((row) => ({ ...row, met: true })));
  });
});

describe("a typical send's item", () => {
  it('takes one write unit', async () => {
    const row = await measureSendItem(stack.description);

    expect(row).toEqual({ ...row, met: true });
  });
});

/** A webhook receiver that takes everything. */
async function startReceiver() {
  const answer = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  });
  const receiver = await listen(answer, 0);
  onTestFinished(() => {
    answer.closeAllConnections();
    return receiver.stop();
  });
  return receiver;
}
