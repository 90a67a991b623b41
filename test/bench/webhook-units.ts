import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { openTable, type Table } from '#shared/table/table-client';
import { organizationIdSchema, type WebhookId } from '#shared/tokens/resource-id';
import { findLogEntries, getDeliveries } from '#shared/webhook-deliveries/delivery-log-store';
import { createHandlerLoader, invokeFunction } from '../../infra/local/gateway/functions.ts';
import { startChild, withParts } from './child.ts';
import { putEndpoint } from './deliveries.ts';
import { type MeteredStack, startMeteredStack } from './metered-stack.ts';
import { atMost, forInformation, type Row } from './row.ts';
import { postSend, reportEvent, typicalEmail } from './sends.ts';

const maxUnits = 6;

/** What a delivered webhook writes, at a receiver in a process of its own. */
export const benchWebhookUnits = (): Promise<Row[]> =>
  withParts(async (keep) => {
    const receiver = keep(
      await startChild('webhook-receiver.ts', {}, z.object({ url: z.string() })),
    );
    return measureWebhooks(keep(await startMeteredStack()), receiver.ready.url);
  });

/** All that a subscriber adds: the row with its index entries, the claim and the outcome. */
export async function measureWebhooks(stack: MeteredStack, receiverUrl: string): Promise<Row[]> {
  const { tableName, organizationId: id } = stack.description;
  const table = openTable(tableName);
  const organizationId = organizationIdSchema.parse(id);
  await postSend(stack.description.baseUrl, stack.description.apiKey, { email: typicalEmail });
  const measure = async (eventType: 'email.sent' | 'email.delivered', unitsOf: Measure) => {
    const alone = await unitsOf(stack);
    const { id: webhookId } = await putEndpoint(table, organizationId, receiverUrl, [eventType]);
    const row = (await unitsOf(stack)) - alone;
    const delivered = await unitsOfDelivery(stack, table, webhookId);
    return { row, delivered, units: row + delivered };
  };

  const ofDelivery = await measure('email.delivered', unitsOfEvent);
  const ofSend = await measure('email.sent', unitsOfSend);
  const detail = ({ row, delivered }: typeof ofSend, event: string) =>
    `: ${row} with ${event}, ${delivered} for claim and outcome`;
  return [
    atMost(
      'Webhook of `email.delivered`, from outbox to outcome: write units',
      ofDelivery.units,
      maxUnits,
      detail(ofDelivery, 'its event'),
    ),
    forInformation(
      'Webhook of `email.sent`, from outbox to outcome: write units',
      `${ofSend.units}${detail(ofSend, 'the commit, which is a transaction then')}`,
    ),
  ];
}

type Measure = (stack: MeteredStack) => Promise<number>;

async function unitsOfSend({ description, meter }: MeteredStack): Promise<number> {
  meter.clear();
  await postSend(description.baseUrl, description.apiKey, { email: typicalEmail });
  return writeUnits(meter);
}

/** Of a Delivery event, of a send of its own. */
async function unitsOfEvent({ description, meter }: MeteredStack): Promise<number> {
  const { baseUrl, apiKey } = description;
  const sent = await postSend(baseUrl, apiKey, { email: typicalEmail });
  meter.clear();
  await reportEvent(baseUrl, 'Delivery', sent);
  return writeUnits(meter);
}

/** Of the first attempt at the endpoint's delivery. */
async function unitsOfDelivery(
  { meter }: MeteredStack,
  table: Table,
  webhookId: WebhookId,
): Promise<number> {
  const [entry] = await findLogEntries(table, webhookId, undefined, 1);
  if (entry === undefined) throw new Error('The event has no delivery');
  meter.clear();
  const event = {
    Records: [{ messageId: randomUUID(), body: JSON.stringify({ id: entry.id, webhookId }) }],
  };
  await invokeFunction(createHandlerLoader(), 'deliver-webhooks', event);
  const units = writeUnits(meter);
  const deliveries = await getDeliveries(table, [entry.id], Date.now());
  if (deliveries.get(entry.id)?.status !== 'delivered') throw new Error('It was not delivered');
  return units;
}

const writeUnits = ({ calls }: MeteredStack['meter']): number =>
  calls.reduce((total, call) => total + call.writeUnits, 0);
