import * as z from 'zod/mini';

// What a send's own item says of the events of its email. A typical email's delivery and opens are events that nothing
// but the item holds: that costs a tenth of an item each. Every other event is an item beside the send, and the send
// says only when the first of its kind came, so that a list can show what became of the email.

const moment = z.optional(z.int());

/** All moments are in epoch milliseconds, by the clock of who reports them. */
export const heardAttributes = {
  /** The delivery of the send's own message. */
  deliveredAt: moment,
  /** Which message that was, if it is no longer the send's own, because SES rejected it. */
  deliveredOf: z.optional(z.string()),
  /** All fetches of the pixel, the first by a person, and the first by a machine. */
  opens: moment,
  openedAt: moment,
  machineOpenedAt: moment,
  /** The first events of each kind that are items of their own. */
  firstDeliveryAt: moment,
  firstDelayAt: moment,
  firstSoftBounceAt: moment,
  firstBounceAt: moment,
  firstComplaintAt: moment,
  firstOpenAt: moment,
  firstClickAt: moment,
};
export type HeardAttributes = z.output<z.ZodMiniObject<typeof heardAttributes>>;

export const heardNames = z.keyof(z.object(heardAttributes)).options;

/** What a send has heard, and nothing else of it. */
export const heardOf = (send: HeardAttributes): HeardAttributes =>
  Object.fromEntries(
    heardNames.flatMap((name) => (send[name] === undefined ? [] : [[name, send[name]]])),
  );

/**
 * The message that the send's `deliveredAt` is about, or would be. Of any other message, a delivery is an item of its
 * own.
 */
export const messageHeardOf = ({
  deliveredOf,
  providerMessageId,
}: HeardAttributes & { readonly providerMessageId?: string | undefined }): string | undefined =>
  deliveredOf ?? providerMessageId;

/** The next attempt has another message, and what was heard of an earlier one stays. */
export function heardBefore(
  standing: HeardAttributes & { readonly providerMessageId?: string | undefined },
): HeardAttributes {
  const heard = heardOf(standing);
  const deliveredOf = messageHeardOf(standing);
  const isOfEarlier = heard.deliveredAt !== undefined && deliveredOf !== undefined;
  return { ...heard, ...(isOfEarlier && { deliveredOf }) };
}

/** Requires that nothing was heard since the send was seen: a Put of the send as it was would forget it. */
export const heardAsSeen = (send: HeardAttributes) => ({
  clauses: heardNames.map((name) =>
    send[name] === undefined ? `attribute_not_exists(${name})` : `${name} = :${name}`,
  ),
  values: Object.fromEntries(
    Object.entries(heardOf(send)).map(([name, value]) => [`:${name}`, value]),
  ),
});
