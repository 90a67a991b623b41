import * as z from 'zod/mini';

// What a send's item says about its email's events. A typical email's delivery and opens are recorded only there: a
// tenth of the cost of an item each. Every other event is an item beside the send; the send only says when the first of
// its kind came, so that a list can show the outcome.

const moment = z.optional(z.int());

/** Epoch milliseconds, by the reporter's clock. */
export const eventAttributes = {
  /** When the send's own message was delivered. */
  deliveredAt: moment,
  /** Set if that message is no longer the send's own, because SES rejected it. */
  deliveredOf: z.optional(z.string()),
  /** All fetches of the pixel; the first by a person; the first by a machine. */
  opens: moment,
  openedAt: moment,
  machineOpenedAt: moment,
  /** The first event of each kind that has its own items. */
  firstDeliveryAt: moment,
  firstDelayAt: moment,
  firstSoftBounceAt: moment,
  firstBounceAt: moment,
  firstComplaintAt: moment,
  firstOpenAt: moment,
  firstClickAt: moment,
  /** Why the email bounced for good, or else softly: a code of `send-history/causes.ts`. */
  bounceReason: z.optional(z.string()),
  /** SES couldn't tell of which kind its soft bounce is. */
  isUndetermined: z.optional(z.literal(true)),
};
export type EventAttributes = z.output<z.ZodMiniObject<typeof eventAttributes>>;

export const eventAttributeNames = z.keyof(z.object(eventAttributes)).options;

export const eventAttributesOf = (send: EventAttributes): EventAttributes =>
  Object.fromEntries(
    eventAttributeNames.flatMap((name) => (send[name] === undefined ? [] : [[name, send[name]]])),
  );

/** The message whose delivery `deliveredAt` records. The delivery of any other message is an item. */
export const deliveredMessageOf = ({
  deliveredOf,
  providerMessageId,
}: EventAttributes & { readonly providerMessageId?: string | undefined }): string | undefined =>
  deliveredOf ?? providerMessageId;

/** The next attempt has another message, but keeps the events of an earlier one. */
export function earlierEvents(
  existing: EventAttributes & { readonly providerMessageId?: string | undefined },
): EventAttributes {
  const events = eventAttributesOf(existing);
  const deliveredOf = deliveredMessageOf(existing);
  const isOfEarlier = events.deliveredAt !== undefined && deliveredOf !== undefined;
  return { ...events, ...(isOfEarlier && { deliveredOf }) };
}
