import * as z from 'zod/mini';
import { type EventType, eventSchema } from '#shared/events/event';
import { deliveredMessageOf } from '#shared/sending/event-attributes';
import type { Send } from '#shared/sending/send';
import { isExpired } from '#shared/table/expiry';
import { batchGet, readItem } from '#shared/table/reads';
import { eventKey } from '#shared/table/send-keys';
import type { Table } from '#shared/table/table-client';
import { type SendId, slotIdIn } from '#shared/tokens/resource-id';
import { type Evidence, evidenceIn } from './explain-send.ts';
import { type Outcome, outcomeOf } from './outcome.ts';

export const outcomeCauseSchema = z.object({
  reason: z.optional(z.string()),
  email: z.optional(z.string()),
  diagnostic: z.optional(z.string()),
});

const causedBy: Partial<Readonly<Record<Outcome, EventType>>> = {
  bounced: 'bounced',
  soft_bounced: 'bounced',
  complained: 'complained',
  delayed: 'delayed',
};

/**
 * One call, or none if no send has such an outcome. If SES took an email twice, events about the other message aren't
 * looked up.
 */
export async function readOutcomeCauses(
  table: Table,
  sends: readonly Send[],
  now: number,
): Promise<(id: SendId) => Evidence | undefined> {
  const asked = sends.flatMap((send) => {
    const type = causedBy[outcomeOf(send, now).outcome];
    const messages = new Set([send.providerMessageId, deliveredMessageOf(send)]);
    return [...messages].flatMap((message) =>
      type === undefined || message === undefined
        ? []
        : [{ id: send.id, key: eventKey(slotIdIn(send.id), type, message) }],
    );
  });
  const itemOf = await batchGet(
    table,
    asked.map(({ key }) => key),
  );
  const causes = new Map(
    asked.flatMap(({ id, key }) => {
      const item = itemOf(key);
      return item === undefined || isExpired(item, now)
        ? []
        : [[id, evidenceIn(readItem('event', eventSchema, item))] as const];
    }),
  );
  return (id) => causes.get(id);
}
