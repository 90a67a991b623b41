import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { openTable } from '#shared/table/table-client';
import type { DeliveryId } from '#shared/tokens/resource-id';
import {
  type Delivery,
  type DeliveryReference,
  leaseMs,
} from '#shared/webhook-deliveries/delivery';
import { getDeliveries } from '#shared/webhook-deliveries/delivery-log-store';
import { newWebhookSecret } from '#shared/webhooks/signature';
import { createTable } from '../../infra/local/dynamodb/table.ts';
import { awsIdentity, functionEnvironment } from '../../infra/local/environment.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import type { Action } from '../support/faults.ts';
import { startWebhookDeliverer, type WebhookDeliverer } from '../support/webhook-deliverer.ts';
import { createDeliveryWorld } from './delivery-world.ts';
import { answerSlowly, type Behaviour, startReceiver } from './flaky-receiver.ts';

/** A run attempts everything that is due, so each test has a table of its own. */
const endpoint = inject('dynamodbEndpoint');
let tables = 0;
const nowhere = 'http://127.0.0.1:9';
const minute = 60_000;
/** When every row is due. */
const due = minute + 1_000;

async function createWorld(behave: Behaviour) {
  tables += 1;
  const name = `deliverer-crashes-${tables}`;
  const dynamodb = await startFaultProxy({ target: endpoint });
  onTestFinished(dynamodb.stop);
  const environment = {
    ...awsIdentity({}),
    ...functionEnvironment({
      endpoints: { dynamodb: dynamodb.url, sesv2: nowhere, sqs: nowhere, s3: nowhere },
      secretsUrl: nowhere,
      publicBaseUrl: nowhere,
      providerEventsTopicArn: '',
      builtFilesFolder: '/nowhere',
      quiet: true,
    }),
    TABLE_NAME: name,
    // The errors of the other process are worth reading.
    POWERTOOLS_LOG_LEVEL: 'ERROR',
  };
  for (const [variable, value] of Object.entries(awsIdentity({}))) vi.stubEnv(variable, value);
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', endpoint);
  await createTable(endpoint, name);
  const table = openTable(name);
  const world = await createDeliveryWorld(table);
  const secret = newWebhookSecret();
  const receiver = await startReceiver(secret, behave);
  onTestFinished(receiver.stop);
  const webhook = await world.addEndpoint(receiver.url, secret);
  return {
    dynamodb,
    receiver,
    store: (count: number) => world.deliverEvents(count, [webhook]),
    read: async (deliveries: readonly DeliveryId[]) => [
      ...(await getDeliveries(table, deliveries, Date.now())).values(),
    ],
    /** A process whose clock is ahead by this time. */
    startDeliverer: async (aheadMs: number): Promise<WebhookDeliverer> => {
      const deliverer = await startWebhookDeliverer(environment, aheadMs);
      onTestFinished(deliverer.kill);
      return deliverer;
    },
  };
}

/** Stores this many outcomes, then kills the process before the next write. */
function killAfterOutcomes(count: number, deliverer: WebhookDeliverer): Action {
  let left = count;
  return async ({ forward, respond }) => {
    left -= 1;
    if (left >= 0) respond(await forward());
    else await deliverer.kill();
  };
}

const isOutcome = (body: unknown): boolean => JSON.stringify(body).includes('#attempts');

const idsOf = <Id>(deliveries: readonly { readonly id: Id }[]): Id[] =>
  deliveries.map(({ id }) => id);
const errorsOf = ({ attempts }: Delivery) => attempts.map(({ error }) => error);

// `webhook-delivery.store.test.ts` has a death between the claim and the POST, and one between the POST and the
// outcome.
describe('a deliverer that is killed', () => {
  it('in the middle of a run: later runs make the rest, claimed deliveries once their lease has expired', async () => {
    const world = await createWorld(answerSlowly(10));
    const [killed, next, last] = await Promise.all([
      world.startDeliverer(due),
      world.startDeliverer(due),
      world.startDeliverer(due + leaseMs + minute),
    ]);
    const stored = await world.store(40);
    world.dynamodb.inject({
      operation: 'UpdateItem',
      matches: isOutcome,
      times: Number.POSITIVE_INFINITY,
      action: killAfterOutcomes(10, killed),
    });

    await expect(killed.run()).rejects.toThrow('died');
    world.dynamodb.clear();
    await next.run();
    const leased = (await world.read(idsOf(stored))).filter(({ status }) => status === 'pending');
    await last.run();

    const rows = await world.read(idsOf(stored));
    expect(leased.length).toBeGreaterThan(0);
    for (const row of rows) {
      const wasLeased = idsOf(leased).includes(row.id);
      expect(row.status).toBe('delivered');
      expect(errorsOf(row)).toEqual(wasLeased ? ['interrupted', undefined] : [undefined]);
      expect(row.attemptsStarted).toBe(row.attempts.length);
    }
    expect(new Set(world.receiver.accepted)).toEqual(new Set(stored.map((row) => row.messageId)));
    expect(world.receiver.accepted.length).toBeLessThanOrEqual(stored.length + leased.length);
  });
});

/** Delivers the messages that the function gives back again, as SQS does. */
async function giveUntilTaken(
  queue: WebhookDeliverer,
  batch: readonly DeliveryReference[],
): Promise<void> {
  const returned = await queue.deliver(batch);
  const again = returned.flatMap((messageId) => batch[Number(messageId)] ?? []);
  if (again.length > 0) await giveUntilTaken(queue, again);
}

describe('deliveries whose messages are lost or come twice while two runs overlap', () => {
  it('succeed once each, and are made again only where an attempt outlives its lease', async () => {
    const world = await createWorld(answerSlowly(10));
    const [queue, ...runs] = await Promise.all([
      world.startDeliverer(due),
      world.startDeliverer(due),
      world.startDeliverer(due),
    ]);
    const stored = await world.store(30);
    const [one, other] = [stored.slice(0, 10), stored.slice(10, 20)];

    const given = [one, other, one, other].map((batch) => giveUntilTaken(queue, batch));
    await Promise.all([...given, ...runs.map((run) => run.run())]);

    const rows = await world.read(idsOf(stored));
    const { accepted } = world.receiver;
    const outcomes = rows.map((row) => ({
      status: row.status,
      successes: errorsOf(row).filter((error) => error === undefined).length,
    }));
    expect(outcomes).toEqual(stored.map(() => ({ status: 'delivered', successes: 1 })));
    for (const { messageId, attempts } of rows) {
      // Who accepts a message twice heard of it in an attempt that is logged as interrupted.
      const times = accepted.filter((id) => id === messageId).length;
      expect({ messageId, isOnce: times >= 1 && times <= attempts.length }).toEqual({
        messageId,
        isOnce: true,
      });
    }
  });
});
