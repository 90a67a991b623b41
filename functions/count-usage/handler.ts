import { serveStream } from '#shared/endpoints/serve-background';
import { openNoticeFiling } from '#shared/notices/notice-filing';
import { openNoticeStore } from '#shared/notices/notice-store';
import { openDomainTimesStore } from '#shared/usage/domain-times-store';
import { openKeyDayStore } from '#shared/usage/key-day-store';
import { openOrganizationUseStore } from '#shared/usage/organization-use-store';
import { openTagUsageStore } from '#shared/usage/tag-usage-store';
import { openUsageStore } from '#shared/usage/usage-store';
import {
  countUsage,
  reportsTo,
  tableStreamEventSchema,
  type WindowResponse,
} from './count-usage.ts';
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
      ...reportsTo(log),
    });
    return { state: {} };
  },
);
