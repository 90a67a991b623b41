import * as z from 'zod/mini';
import { contactSchema } from '#shared/contacts/contact';
import type { Organization } from '#shared/organizations/organization';
import { acceptancesOf } from '#shared/send-history/message';
import { deliveredMessageOf } from '#shared/sending/event-attributes';
import { deliverySortKeyPrefix } from '#shared/table/delivery-keys';
import { isExpired } from '#shared/table/expiry';
import { contactKey } from '#shared/table/keys';
import { eventSortKeyPrefix, messageKey, sendKey, sendSortKey } from '#shared/table/send-keys';
import { contactIdOf, type FeedbackId, ownPartIn, slotIdIn } from '#shared/tokens/resource-id';
import { kindOf } from './call-names.ts';
import type { Ledger, MailReport } from './ledger.ts';
import { sendIn } from './send-changes.ts';
import type { TableChange, TableFeed } from './table-feed.ts';

const writtenOnce = /^(?:DELIVERY#|MESSAGE#|EVENT#(?:delivered|bounced|complained)#)/;

/**
 * Checks what becomes of events, further messages and deliveries: each is written once, and an event that is recorded
 * says that all its effects are there.
 */
export function checkRowChange(
  { key, before, after, by, at }: TableChange,
  feed: TableFeed,
  organization: Organization,
  ledger: Ledger,
): void {
  if (key.sk === sendSortKey)
    checkDelivery({ key, before, after, by, at }, feed, organization, ledger);
  if (!writtenOnce.test(key.sk) || after === undefined) return;
  const complain = (rule: string) =>
    ledger.violate(rule, `${kindOf(key)} by ${by?.name ?? 'nobody'}`);
  const send = feed.item({ pk: key.pk, sk: sendSortKey });
  const isForgotten = send === undefined || isExpired(send, at);
  // An event that arrives after its send expired leaves rows, and removes the person from them again.
  const isKept = !isForgotten && isRowOf(sendIn(send).feedbackId, key.sk, ledger);
  if (before !== undefined && isKept) complain('a row is written once');
  if (!key.sk.startsWith(eventSortKeyPrefix)) return;

  const { type, providerMessageId } = eventSchema.parse(after);
  const report = ledger.reports.find(
    (one) => one.taken.messageId === providerMessageId && recordedAs.get(one.type) === type,
  );
  if (report === undefined) {
    complain('only what SES reports is recorded');
    return;
  }
  // What is written for an expired send appears nowhere.
  if (isForgotten || sendIn(send).feedbackId !== report.taken.feedbackId) return;
  checkEffects(report, type, { feed, organization, complain });
}

/** A delivery of a send's own message is recorded in the send. */
function checkDelivery(
  { key, before, after, by, at }: TableChange,
  feed: TableFeed,
  organization: Organization,
  ledger: Ledger,
): void {
  if (after === undefined || isExpired(after, at)) return;
  const send = sendIn(after);
  const isNew =
    send.deliveredAt !== undefined && (before && sendIn(before))?.deliveredAt === undefined;
  if (!isNew) return;
  const complain = (rule: string) =>
    ledger.violate(rule, `${kindOf(key)} by ${by?.name ?? 'nobody'}`);
  const report = ledger.reports.find(
    ({ taken, type }) =>
      taken.feedbackId === send.feedbackId &&
      taken.messageId === deliveredMessageOf(send) &&
      type === 'Delivery',
  );
  if (report === undefined) complain('only what SES reports is recorded');
  else checkEffects(report, 'delivered', { feed, organization, complain });
}

type Checked = {
  readonly feed: TableFeed;
  readonly organization: Organization;
  readonly complain: (rule: string) => void;
};

/** A recorded event proves that all its effects are stored. */
function checkEffects(
  report: MailReport,
  type: string,
  { feed, organization, complain }: Checked,
): void {
  const { messageId, feedbackId } = report.taken;
  const { pk } = sendKey(slotIdIn(feedbackId));
  if (!isAccepted(report, feed)) complain('an event is recorded after the acceptance it proves');
  if (!isSuppressed(report, feed, organization))
    complain('an event is recorded after it suppressed');
  for (const reported of [`email.${type}`, 'email.sent']) {
    const deliveries = deliveriesIn(pk, feed).filter(
      (delivery) => delivery.type === reported && delivery.messageId === messageId,
    );
    const isReported = deliveries.length === Object.keys(organization.webhooks).length;
    if (!isReported) complain('an event is recorded after the deliveries that report it');
  }
}

/** Whether a row belongs to the send that has the slot now, not to an earlier one. */
const isRowOf = (feedbackId: FeedbackId, sk: string, { reports }: Ledger): boolean =>
  sk.startsWith(`${deliverySortKeyPrefix}${ownPartIn(feedbackId)}`) ||
  reports.some(
    ({ taken }) => taken.feedbackId === feedbackId && sk.endsWith(`#${taken.messageId}`),
  );

export const recordedAs = new Map([
  ['Delivery', 'delivered'],
  ['Bounce', 'bounced'],
  ['Complaint', 'complained'],
]);

const eventSchema = z.object({ type: z.string(), providerMessageId: z.string() });

function isAccepted({ taken: { feedbackId, messageId } }: MailReport, feed: TableFeed): boolean {
  const further = messageKey(slotIdIn(feedbackId), messageId);
  const send = feed.item({ ...further, sk: sendSortKey });
  const own = send ? acceptancesOf(sendIn(send)) : [];
  return (
    feed.item(further) !== undefined ||
    own.some(({ providerMessageId }) => providerMessageId === messageId)
  );
}

/** Whether the address is suppressed, if the event requires it. */
export function isSuppressed(
  { suppresses, taken }: MailReport,
  feed: TableFeed,
  { id }: Organization,
): boolean {
  if (suppresses === undefined) return true;
  const item = feed.item(contactKey(contactIdOf(id, taken.to)));
  return item !== undefined && contactSchema.parse(item)[suppresses] !== undefined;
}

const deliverySchema = z.object({
  pk: z.string(),
  sk: z.string(),
  type: z.string(),
  body: z.string(),
});
const bodySchema = z.object({ data: z.object({ messageId: z.optional(z.string()) }) });

/** The deliveries in a send's partition: their types, and their messages. */
const deliveriesIn = (partition: string, feed: TableFeed) =>
  feed.items().flatMap((item) => {
    const delivery = deliverySchema.safeParse(item).data;
    if (delivery?.pk !== partition || !delivery.sk.startsWith(deliverySortKeyPrefix)) return [];
    const { data } = bodySchema.parse(JSON.parse(delivery.body));
    return [{ type: delivery.type, messageId: data.messageId }];
  });
