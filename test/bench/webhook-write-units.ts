import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { openTable, type Table } from '#shared/table/table-client';
import { feedbackIdOf, organizationIdSchema, type WebhookId } from '#shared/tokens/resource-id';
import { findLogEntries, getDeliveries } from '#shared/webhooks/delivery-log-store';
import { invokeFunction } from '../../infra/local/function-invocation.ts';
import { createHandlerLoader } from '../../infra/local/handler-loader.ts';
import { buildSesEvent, buildSesMail } from '../support/ses-event-builder.ts';
import { startChild } from './child-process.ts';
import { type MeteredStack, startMeteredStack } from './metered-stack.ts';
import { withParts } from './parts.ts';
import { postSend } from './post-send.ts';
import { atMost, type Row } from './row.ts';
import { putEndpoint } from './webhook-endpoint.ts';

const mostUnits = 8;

/** What a delivered webhook writes: what it adds to its event, the claim and the outcome. */
export const benchWebhookWriteUnits = (): Promise<Row> =>
  withParts(async (keep) => {
    const receiver = keep(
      await startChild('webhook-receiver.ts', {}, z.object({ url: z.string() })),
    );
    const stack = keep(await startMeteredStack());
    const { tableName, organizationId: id } = stack.description;
    const table = openTable(tableName);
    const organizationId = organizationIdSchema.parse(id);
    const alone = await unitsOfEvent(stack);
    const { id: webhookId } = await putEndpoint(table, organizationId, receiver.ready.url, [
      'email.delivered',
    ]);
    const withRow = await unitsOfEvent(stack);
    const delivered = await unitsOfDelivery(stack, table, webhookId);
    return atMost(
      'Webhook delivered: write units',
      withRow - alone + delivered,
      mostUnits,
      `: ${withRow - alone} in the transaction of its event, ${delivered} for claim and outcome`,
    );
  });

/** Of a Delivery event, of a send of its own. */
async function unitsOfEvent({ description, meter }: MeteredStack): Promise<number> {
  const { baseUrl, apiKey } = description;
  const { sendId, messageId } = await postSend(baseUrl, apiKey, {});
  const mail = buildSesMail({ messageId, tags: { 'feedback-id': [feedbackIdOf(sendId)] } });
  const body = JSON.stringify(buildSesEvent('Delivery', { mail }));
  meter.clear();
  const { ok } = await fetch(`${baseUrl}/_local/provider-events`, { method: 'POST', body });
  if (!ok) throw new Error('The event was not recorded');
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
  const deliveries = await getDeliveries(table, [entry.id]);
  if (deliveries.get(entry.id)?.status !== 'delivered') throw new Error('It was not delivered');
  return units;
}

const writeUnits = ({ calls }: MeteredStack['meter']): number =>
  calls.reduce((total, call) => total + call.writeUnits, 0);
