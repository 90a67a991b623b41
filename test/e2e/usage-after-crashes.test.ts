import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { sumUsage, type UsageCounts } from '#shared/usage/usage-counts';
import { readUsage } from '#shared/usage/usage-store';
import { startUsageCounting } from '../../infra/local/dynamodb/table-stream.ts';
import { createHandlerLoader } from '../../infra/local/gateway/functions.ts';
import { type Action, loseAnswer } from '../support/faults.ts';
import { useFaultyService } from '../support/faulty-service.ts';
import { patience } from '../support/patience.ts';
import { resultOf, retryUntilDone, type ServiceCaller } from '../support/service-caller.ts';
import { commitWithOutbox } from '../support/table-requests.ts';

const service = await useFaultyService({ hasStream: true });
const faults: unknown[] = [];
const counting = startUsageCounting({
  endpoint: process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '',
  loadHandler: createHandlerLoader(),
  report: (...fault) => faults.push(fault),
  everyMs: 100,
});
// Before the table goes away.
afterAll(counting.stop);

/** The usage of all months: a run may start in one and end in the next. */
async function usageOf(organizationId: OrganizationId) {
  const parts = await readUsage(service.table, organizationId, {
    from: '2000-01',
    to: '9999-12',
  });
  return sumUsage(parts.map(({ counts }) => counts));
}

/** Waits until the usage is this, and expects it unchanged some polls later. */
async function expectUsage(
  organizationId: OrganizationId,
  counts: Partial<UsageCounts>,
): Promise<void> {
  const isThere = async () => expect(await usageOf(organizationId)).toEqual(sumUsage([counts]));
  await vi.waitFor(isThere, patience);
  await sleep(350);
  expect(faults).toEqual([]);
  await isThere();
}

const sendOnce = (caller: ServiceCaller) => caller.send({}, { 'idempotency-key': 'order-1' });

/** A request whose process dies at its commit, and a new process. */
async function crash(caller: ServiceCaller, action: Action): Promise<void> {
  service.dynamodb.inject({ ...commitWithOutbox, action });
  await expect(sendOnce(caller)).rejects.toThrow();
  await service.restart();
}

const killBeforeCommit: Action = () => service.kill();
const killAfterCommit: Action = async ({ forward }) => {
  await forward();
  await service.kill();
};

describe('the usage', () => {
  it('counts a send whose process died right after the commit once', async () => {
    const caller = await service.newCaller();
    await crash(caller, killAfterCommit);

    await expectUsage(caller.organizationId, { sends: 1, recipients: 1, sent: 1 });
    expect((await sendOnce(caller)).result).toMatchObject({ reused: true });
    await service.deliverProviderEvents();
    const delivered = { sends: 1, recipients: 1, sent: 1, delivered: 1 };
    await expectUsage(caller.organizationId, delivered);
  });

  it("counts a send completed by SES's own event once", async () => {
    const caller = await service.newCaller();
    await crash(caller, killBeforeCommit);
    expect(await usageOf(caller.organizationId)).toEqual(sumUsage([]));

    await service.deliverProviderEvents();
    await sendOnce(caller);

    const delivered = { sends: 1, recipients: 1, sent: 1, delivered: 1 };
    await expectUsage(caller.organizationId, delivered);
  });

  it('counts a send that a retry took over once, with both messages that SES accepted', async () => {
    const caller = await service.newCaller();
    await crash(caller, killBeforeCommit);

    const { reused } = await retryUntilDone(() => sendOnce(caller), service.pass);
    await service.deliverProviderEvents();

    expect(reused).toBe(false);
    const both = { sends: 1, recipients: 1, sent: 2, delivered: 2 };
    await expectUsage(caller.organizationId, both);
  });

  it("counts a send once when its commit's answer was lost and it was repeated", async () => {
    const caller = await service.newCaller();
    service.dynamodb.inject({ ...commitWithOutbox, action: loseAnswer() });

    resultOf(await sendOnce(caller));

    await expectUsage(caller.organizationId, { sends: 1, recipients: 1, sent: 1 });
  });
});
