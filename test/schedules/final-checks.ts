import { marshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { messageSortKeyPrefix } from '#shared/table/send-keys';
import { readStreamRecord } from '#shared/usage/stream-record';
import { sumUsage } from '#shared/usage/usage-counts';
import { checkAnswers } from './answer-checks.ts';
import type { MailReport } from './ledger.ts';
import { isSuppressed } from './row-changes.ts';
import { checkSends } from './send-checks.ts';
import type { TableChange } from './table-feed.ts';
import type { World } from './world.ts';

/** Checks all that must hold when everything has happened. */
export async function checkWorld(world: World): Promise<void> {
  checkAnswers(world.ledger);
  await checkSends(world);
  for (const report of world.ledger.reports) checkReport(report, world);
  checkUsage(world);
}

function checkReport(report: MailReport, { ledger, feed, organization }: World): void {
  const { taken, type, recordings } = report;
  const name = `${type} ${taken.messageId}`;
  const send = ledger.sends.get(taken.feedbackId);
  const expiry = (send?.expiresAt ?? 0) * 1000;
  if (recordings.length === 0) ledger.violate('every event is recorded in the end', name);
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
  const inserted = feed.changes().filter(({ before, after }) => !before && after);
  const written = (start: string) => inserted.filter(({ key }) => key.sk.startsWith(start)).length;
  const further = written(messageSortKeyPrefix);

  const expected = {
    sends: ledger.taken.length - further,
    sent: ledger.taken.length,
    delivered: written('EVENT#delivered#'),
    bounced: written('EVENT#bounced#'),
    complained: written('EVENT#complained#'),
    opened: written('EVENT#opened#'),
  };
  for (const [name, count] of Object.entries(expected)) {
    const counted = countsSchema.parse(usage)[name];
    if (counted !== count) {
      ledger.violate('usage is counted once', `${counted} ${name} instead of ${count}`);
    }
  }
}

const countsSchema = z.record(z.string(), z.number());

const toRecord = ({ key, before, after }: TableChange, index: number) => ({
  dynamodb: {
    SequenceNumber: `${index}`,
    Keys: marshall(key),
    ...(before && { OldImage: marshall(before) }),
    ...(after && { NewImage: marshall(after) }),
  },
});
