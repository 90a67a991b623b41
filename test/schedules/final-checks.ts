import { marshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { contactSchema, isKnown, suppressionReasons } from '#shared/contacts/contact';
import { recipientIdentityOf } from '#shared/contacts/email-address';
import { identitiesIn } from '#shared/sending/erased-recipients';
import { isTestSend } from '#shared/sending/send';
import { deliverySortKeyPrefix } from '#shared/table/delivery-keys';
import { isExpired } from '#shared/table/expiry';
import { contactKey } from '#shared/table/keys';
import {
  furtherRecipientKey,
  messageSortKeyPrefix,
  recipientIndexKey,
  sendKey,
  sendSortKey,
  waitingIndex,
} from '#shared/table/send-keys';
import { contactIdOf, organizationIdOf, slotIdIn } from '#shared/tokens/resource-id';
import { readStreamRecord } from '#shared/usage/counted-changes';
import { sumUsage } from '#shared/usage/usage-counts';
import { checkAnswers } from './answer-checks.ts';
import { compare, type MailReport } from './ledger.ts';
import { complainingAddress } from './plan.ts';
import { isSuppressed } from './row-changes.ts';
import { sendIn } from './send-changes.ts';
import { checkSends } from './send-checks.ts';
import type { TableChange } from './table-feed.ts';
import type { World } from './world.ts';

/** Checks everything that must hold at the end. */
export async function checkWorld(world: World): Promise<void> {
  checkAnswers(world.ledger);
  await checkSends(world);
  for (const report of world.ledger.reports) checkReport(report, world);
  checkContacts(world);
  checkTestContacts(world);
  checkSuppressionReports(world);
  checkDueDeliveries(world);
  checkWaiting(world);
  checkRecipients(world);
  checkUsage(world);
}

/** An erasure finds everybody's sends: each further recipient leads to the send until that expires. */
function checkRecipients({ ledger, feed, scheduler }: World): void {
  for (const item of feed.items()) {
    // DynamoDB deletes expired items in any order.
    if (item['sk'] !== sendSortKey || isExpired(item, scheduler.now())) continue;
    const send = sendIn(item);
    const { id, toEmail, createdAt, expiresAt } = send;
    for (const identity of new Set(identitiesIn(send))) {
      if (identity === recipientIdentityOf(toEmail)) continue;
      const contactId = contactIdOf(organizationIdOf(id), identity);
      const entry = feed.item(furtherRecipientKey(slotIdIn(id), contactId));
      const mode = { isTest: isTestSend(send) };
      const index = recipientIndexKey(contactId, slotIdIn(id), createdAt, mode);
      const expected = { ...index, expiresAt };
      const leadsHere = Object.entries(expected).every(([name, value]) => entry?.[name] === value);
      if (!leadsHere) ledger.violate('each recipient leads to the send', identity);
    }
  }
}

/** A test email creates no contact, and suppresses nobody. */
function checkTestContacts({ feed, organization, ledger }: World): void {
  const item = feed.item(contactKey(contactIdOf(organization.id, complainingAddress)));
  if (item !== undefined) ledger.violate('a test email makes no contact', complainingAddress);
}

/**
 * Everybody who got an email is a contact, whatever died beside the commit: else a late complaint, of a send that
 * is forgotten by then, would suppress nobody. The Send event sees to it, so it has to be recorded.
 */
function checkContacts({ ledger, feed, organization }: World): void {
  for (const { taken, type, recordings } of ledger.reports) {
    const isRecorded = recordings.some(({ kind }) => kind === 'recorded');
    if (type !== 'Send' || !isRecorded || taken.isRejected || taken.testEvents) continue;
    for (const identity of taken.recipients) {
      const item = feed.item(contactKey(contactIdOf(organization.id, identity)));
      const isStored = item !== undefined && isKnown(contactSchema.parse(item));
      if (!isStored) ledger.violate('who got an email is a contact', taken.messageId);
    }
  }
}

const reportSchema = z.object({
  pk: z.string(),
  webhookId: z.string(),
  type: z.literal('suppression.added'),
  body: z.string(),
});
const reportBodySchema = z.object({
  data: z.object({ reason: z.string(), possible: z.optional(z.boolean()) }),
});

/** Receivers get each suppressed address once per reason, and no other. */
function checkSuppressionReports({ ledger, feed, organization }: World): void {
  // Reports expire with their send, before the suppression does.
  const reports = feed
    .changes()
    .flatMap(({ before, after }) => (before ? [] : (reportSchema.safeParse(after).data ?? [])));
  for (const contact of feed.items().flatMap((item) => contactSchema.safeParse(item).data ?? [])) {
    const suppressed = suppressionReasons.filter((reason) => contact[reason] !== undefined);
    for (const webhook of Object.keys(organization.webhooks)) {
      const reported = reports
        .filter(({ pk, webhookId }) => pk === contactKey(contact.id).pk && webhookId === webhook)
        .map(({ body }) => reportBodySchema.parse(JSON.parse(body)).data);
      // An uncertain complaint is reported again once it is certain.
      const certain = reported.filter(({ reason, possible }) =>
        possible ? contact.complaint?.possible === true && reason === 'complaint' : true,
      );
      const reasons = certain.map(({ reason }) => reason);
      compare('receivers get a suppression once', reasons, suppressed, ledger);
    }
  }
}

const dueSchema = z.object({ sk: z.string(), gsi1pk: z.optional(z.string()) });

/** A lost wake-up of the queue costs a minute: the schedule finds each never-attempted delivery in the index. */
function checkDueDeliveries({ ledger, feed }: World): void {
  for (const item of feed.items()) {
    const { sk, gsi1pk } = dueSchema.parse(item);
    const isDue = gsi1pk?.startsWith(dueIndexPrefix) === true;
    if (sk.startsWith(deliverySortKeyPrefix) && !isDue) {
      ledger.violate('the schedule finds each delivery', sk);
    }
  }
}

const dueIndexPrefix = 'DUE#';

/** A lost queue message costs a minute: the schedule finds each send that workers are to send. */
function checkWaiting({ ledger, feed }: World): void {
  for (const change of feed.changes()) {
    if (change.key.sk !== sendSortKey || change.after === undefined) continue;
    const { status, dueAt, gsi1pk, waitingKey } = waitingSchema.parse(change.after);
    const isIndexed = gsi1pk?.startsWith(`${waitingIndex.name}#`) === true;
    if ((dueAt !== undefined) !== (waitingKey !== undefined)) {
      ledger.violate('a send has the key of its content while it waits, and no longer', status);
    }
    if ((dueAt !== undefined) !== isIndexed) {
      ledger.violate('the schedule finds each send that waits', `${status}, due at ${dueAt}`);
    }
  }
}

const waitingSchema = z.object({
  status: z.string(),
  dueAt: z.optional(z.int()),
  gsi1pk: z.optional(z.string()),
  waitingKey: z.optional(z.string()),
});

function checkReport(report: MailReport, { ledger, feed, organization }: World): void {
  const { taken, type, isReadable, recordings } = report;
  const name = `${type} ${taken.messageId}`;
  const send = ledger.sends.get(taken.feedbackId);
  const expiry = (send?.expiresAt ?? 0) * 1000;
  if (recordings.length === 0 && isReadable)
    ledger.violate('every event is recorded in the end', name);
  for (const { kind, at } of recordings) {
    if (kind === 'ignored' && at < expiry) ledger.violate('no event is ignored', name);
  }
  const isRecorded = recordings.some(({ kind }) => kind === 'recorded');
  if (isRecorded && !isSuppressed(report, feed, organization)) {
    ledger.violate('a bad address is suppressed', name);
  }
}

/** Usage is counted from the table's changes, each once. */
function checkUsage({ ledger, feed }: World): void {
  const counts = feed.changes().flatMap((change, index) => {
    const reading = readStreamRecord(toRecord(change, index));
    if (reading.kind === 'unreadable') ledger.violate('usage is readable', change.key.sk);
    return reading.kind === 'counts' ? [reading.entry.counts] : [];
  });
  const usage = sumUsage(counts);
  const tests = new Set(
    [...ledger.sends.values()].flatMap(({ id, test }) => (test ? sendKey(slotIdIn(id)).pk : [])),
  );
  // Test emails count nowhere.
  const changes = feed.changes().filter(({ key }) => !tests.has(key.pk));
  // Only its Send event shows that an email in doubt was sent: once its send has expired, nothing counts it.
  const forgotten = new Set(
    ledger.reports
      .filter(({ type, recordings }) => type === 'Send' && recordings.length > 0)
      .filter(({ recordings }) => recordings.every(({ kind }) => kind === 'ignored'))
      .map(({ taken: { messageId } }) => messageId),
  );
  const committed = new Set(changes.map(({ after }) => after?.['providerMessageId']));
  const taken = ledger.taken.filter(
    ({ testEvents, messageId }) =>
      testEvents === undefined && (!forgotten.has(messageId) || committed.has(messageId)),
  );
  // A process that was frozen for long may recreate a row that was deleted with its send.
  const inserted = changes
    .filter(({ before, after, at }) => !before && after && !isExpired(after, at))
    .map(({ key }) => key.sk);
  const written = (start: string) => inserted.filter((key) => key.startsWith(start)).length;
  const further = written(messageSortKeyPrefix);
  const inline = (name: string) =>
    changes.filter(
      ({ key, before, after, at }) =>
        key.sk === sendSortKey &&
        before?.[name] === undefined &&
        after?.[name] !== undefined &&
        !isExpired(after, at),
    ).length;

  const expected = {
    sends: taken.length - further,
    sent: taken.length,
    delivered: written('EVENT#delivered#') + inline('deliveredAt'),
    bounced: written('EVENT#bounced#'),
    complained: written('EVENT#complained#'),
    opened: written('EVENT#opened#') + inline('opens'),
  };
  for (const [name, count] of Object.entries(expected)) {
    const counted = countsSchema.parse(usage)[name];
    if (counted !== count) {
      ledger.violate('usage is counted once', `${counted} ${name} instead of ${count}`);
    }
  }
}

const countsSchema = z.record(z.string(), z.number());

const toRecord = ({ key, before, after, at }: TableChange, index: number) => ({
  dynamodb: {
    ApproximateCreationDateTime: at / 1_000,
    SequenceNumber: `${index}`,
    Keys: marshall(key),
    ...(before && { OldImage: marshall(before) }),
    ...(after && { NewImage: marshall(after) }),
  },
});
