import { serveStream } from '#shared/endpoints/serve-background';
import { openNoticeFiling } from '#shared/notices/notice-filing';
import { openNoticeStore } from '#shared/notices/notice-store';
import { countOf, percentOf } from '#shared/observability/metrics';
import { openDomainTimesStore } from '#shared/usage/domain-times-store';
import { openKeyDayStore } from '#shared/usage/key-day-store';
import { openOrganizationUseStore } from '#shared/usage/organization-use-store';
import { openTagUsageStore } from '#shared/usage/tag-usage-store';
import { sumUsage } from '#shared/usage/usage-counts';
import { openUsageStore } from '#shared/usage/usage-store';
import { countUsage, tableStreamEventSchema, type WindowResponse } from './count-usage.ts';
import { lambda } from './function.ts';

export const handler = serveStream(
  lambda,
  { event: tableStreamEventSchema, failure: 'usage not counted' },
  {
    usage: openUsageStore,
    tagUsage: openTagUsageStore,
    domainTimes: openDomainTimesStore,
    keyDays: openKeyDayStore,
    organizationUse: openOrganizationUseStore,
    notices: openNoticeFiling,
    noticeStore: openNoticeStore,
  },
  async (batch, counting, log): Promise<WindowResponse> => {
    log.bind({ shardId: batch.shardId });
    await countUsage(batch, {
      ...counting,
      reportUnreadable: (sequence) => {
        log.warn('usage record skipped', { sequence }, [countOf('UsageRecordSkipped')]);
      },
      reportUncounted: (error, { organizationId, month, entries }) => {
        const counts = sumUsage(entries.map((entry) => entry.counts));
        const skipped = countOf('UsageRecordSkipped');
        log.error('usage given up', error, { organizationId, month, counts }, [skipped]);
      },
      reportQuota: (organizationId, limit, percent) => {
        const used = percentOf('OrganizationQuotaUsed', percent);
        log.info('day nearly used', { organizationId, limit, percent }, [used]);
      },
      reportUnwatched: (error) => log.error('figures not looked at', error),
    });
    return { state: {} };
  },
);
