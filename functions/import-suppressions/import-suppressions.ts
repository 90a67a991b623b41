import { setTimeout } from 'node:timers/promises';
import * as z from 'zod/mini';
import { limitContacts } from '#shared/access/limit-day';
import { giveBackRequestQuota } from '#shared/access/request-quota-store';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { capability } from '#shared/aws/capability';
import { workBudgetMs } from '#shared/config/work-budget';
import { suppressionReasons } from '#shared/contacts/contact';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { ServiceError, secondsUntil } from '#shared/errors/service-error';
import { csvFile } from '#shared/http/response-body';
import { maxRows, rowsPerSecond } from '#shared/suppressions/import-row';
import type { NewSuppression } from '#shared/suppressions/suppression';
import {
  beginImport,
  endImport,
  importedAtOnce,
  storeImported,
} from '#shared/suppressions/suppression-import-store';
import { suppressionReason } from '#shared/suppressions/suppression-reference';
import type { TableAndClock } from '#shared/table/table-client';
import { inParallel } from '#shared/timing/in-parallel';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { readImport } from './read-import.ts';

type Sleep = (ms: number) => Promise<unknown>;

const waits = /* @__PURE__ */ capability({}, (): Sleep => setTimeout);

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/suppressions/import',
    access: { key: 'required', scope: 'manage_organization' },
    query: z.strictObject({
      reason: z.optional(z.enum(suppressionReasons)),
    }),
    body: csvFile,
    accepts: ['text/csv', 'application/octet-stream'],
    answers: {
      200: {
        body: z.object({
          imported: z.int(),
          unchanged: z.int(),
          refused: z.array(z.object({ line: z.int(), message: z.string() })),
          isComplete: z.boolean(),
        }),
        description: 'What happened to the rows.',
        example: {
          imported: 1,
          unchanged: 0,
          refused: [
            { line: 3, message: 'the address must be an email address such as name@example.com' },
          ],
          isComplete: true,
        },
      },
    },
    errors: ['import_in_progress', 'contact_limit_reached'],
    isLimited: true,
    uses: { sleep: waits },
    lambda: {
      stack: 'Recipients',
      tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
      memoryMegabytes: 1024,
    },
    words: {
      section: 'Suppressions',
      summary: 'Import suppressions from a file',
      description: `Takes exports from this service, SendGrid, Mailgun, Postmark and SES unchanged: CSV, up to ${maxRows} rows and 6 MB. The first line names the columns; those other than address, reason, time and diagnostic are ignored.

Only the rows that can’t be read are refused. An address that is already suppressed stays as it is, so it is safe to import a file again; that also continues an import that ended with \`"isComplete": false\`. An import sends no \`suppression.added\`, since you have the rows. An organization runs one import at a time, at ${rowsPerSecond} rows a second.`,
      fields: {
        reason: `For rows without a reason: SendGrid and Mailgun have a file for each. ${suppressionReason}`,
        imported: 'New suppressions.',
        unchanged: 'Rows already suppressed: the first cause stays.',
        refused: 'Rows that can’t be read.',
        line: 'The line at which the row begins, counted from 1.',
        message: 'What is wrong with it.',
        isComplete: '`false`: time ran out. Repeat the request with the same file.',
      },
      example: {
        query: { reason: 'bounce' },
        body: 'email,reason\nbob@example.com,bounce\nbob,bounce\n',
      },
    },
  },
  // A file with too many rows is refused whole; an unreadable row is refused alone.
  //
  // Order of effects: the lease on the organization's one import, with the audit entry; the suppressions, 50 at a time;
  // the end of the lease. Existing suppressions stay, so repeating a request that ended half-way completes it. An
  // import whose process died blocks others until its lease expires.
  async ({ caller, query: { reason }, body }, { table, now, limitsOfDeployment, sleep }) => {
    const { organizationId, actor } = caller;
    const startedAt = now();
    const { suppressions, repeated, refused } = readImport(body, reason, startedAt);
    const after = { rows: suppressions.length + repeated, refused: refused.length };
    const change = { action: 'suppressions.imported', target: organizationId, after };
    const entry = newAuditEntry(organizationId, actor, change, startedAt);
    const added = suppressions.length;
    await limitContacts(caller, added, startedAt, { table, limitsOfDeployment });
    const beginning = await beginImport(table, organizationId, entry, startedAt);
    if (beginning.kind === 'busy') {
      const givingBack = giveBackRequestQuota(table, organizationId, 'CONTACTS', added, startedAt);
      await givingBack.catch(() => {});
      const retryAfterSeconds = secondsUntil(beginning.until, now());
      throw new ServiceError('import_in_progress', undefined, { retryAfterSeconds });
    }
    try {
      const pacing = { table, now, sleep };
      const stored = await storeAll(organizationId, suppressions, startedAt, pacing);
      return { ...stored, unchanged: stored.unchanged + repeated, refused };
    } finally {
      // An unreleased lease expires, and the imported rows are stored anyway.
      await endImport(table, organizationId, entry).catch(() => {});
    }
  },
);

const concurrency = 4;

/** Stores groups at an import's pace until time is up. */
async function storeAll(
  organizationId: OrganizationId,
  suppressions: readonly NewSuppression[],
  startedAt: number,
  { table, now: readClock, sleep }: TableAndClock & { readonly sleep: Sleep },
) {
  const deadline = startedAt + workBudgetMs;
  let imported = 0;
  let unchanged = 0;
  let isComplete = true;
  await inParallel(groupsOf(suppressions), concurrency, async (group) => {
    // Existing rows cost no write, so they don't wait.
    const early = startedAt + (imported / rowsPerSecond) * 1_000 - readClock();
    if (early > 0) await sleep(early);
    const now = readClock();
    if (now >= deadline) {
      isComplete = false;
      return;
    }
    const stored = await storeImported(table, organizationId, group, now);
    imported += stored;
    unchanged += group.length - stored;
  });
  return { imported, unchanged, isComplete };
}

/** Each address once per group: a transaction writes an item only once. */
function groupsOf(suppressions: readonly NewSuppression[]): NewSuppression[][] {
  const byReason = Map.groupBy(suppressions, ({ reason }) => reason);
  return [...byReason.values()].flatMap((ofReason) =>
    Array.from({ length: Math.ceil(ofReason.length / importedAtOnce) }, (_, index) =>
      ofReason.slice(index * importedAtOnce, (index + 1) * importedAtOnce),
    ),
  );
}
