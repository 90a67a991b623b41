import { limitsEnvironment, parseEnvironment } from '#shared/config/environment';
import { openNoticeFiling } from '#shared/notices/notice-filing';
import { countOf } from '#shared/observability/metrics';
import { openRequestLog } from '#shared/observability/request-log';
import { openTable } from '#shared/table/table-client';
import { openDomainTimesStore } from '#shared/usage/domain-times-store';
import { openKeyDayStore } from '#shared/usage/key-day-store';
import { openOrganizationUseStore } from '#shared/usage/organization-use-store';
import { openTagUsageStore } from '#shared/usage/tag-usage-store';
import { sumUsage } from '#shared/usage/usage-counts';
import { openUsageStore } from '#shared/usage/usage-store';
import { countUsage } from './count-usage.ts';
import { tableStreamEventSchema, type WindowResponse } from './schema.ts';

const environment = parseEnvironment(limitsEnvironment);
const table = openTable(environment.TABLE_NAME);
const usage = openUsageStore(table);
const tagUsage = openTagUsageStore(table);
const domainTimes = openDomainTimesStore(table);
const keyDays = openKeyDayStore(table);
const organizationUse = openOrganizationUseStore(table);
const notices = openNoticeFiling(table);

/** Throws when anything could not be counted. Lambda then gives the same records again. */
export async function handler(
  event: unknown,
  context: { awsRequestId: string },
): Promise<WindowResponse> {
  const log = openRequestLog({ requestId: context.awsRequestId });
  const batch = tableStreamEventSchema.parse(event);
  log.bind({ shardId: batch.shardId });
  try {
    await countUsage(batch, {
      now: Date.now,
      usage,
      tagUsage,
      domainTimes,
      keyDays,
      organizationUse,
      limitsOfDeployment: environment.ORGANIZATION_LIMITS,
      notices,
      reportUnreadable: (sequence) => {
        log.warn('usage record skipped', { sequence }, [countOf('UsageRecordSkipped')]);
      },
      reportUncounted: (error, { organizationId, month, entries }) => {
        // Enough to add them by hand.
        const counts = sumUsage(entries.map((entry) => entry.counts));
        const skipped = countOf('UsageRecordSkipped');
        log.error('usage given up', error, { organizationId, month, counts }, [skipped]);
      },
      reportUnwatched: (error) => log.error('figures not looked at', error),
    });
  } catch (error) {
    log.error('usage not counted', error, { records: batch.Records.length });
    // Lambda logs what is thrown, and an error's message may quote what it choked on.
    throw new Error('usage not counted');
  }
  return { state: {} };
}
