import { serve } from '#shared/endpoints/serve';
import { busiestDomains } from '#shared/usage/domain-times';
import { openDomainTimesStore } from '#shared/usage/domain-times-store';
import { busiestTags } from '#shared/usage/tag-summary';
import { openTagUsageStore } from '#shared/usage/tag-usage-store';
import { openUsageStore } from '#shared/usage/usage-store';
import type { Figures } from '#shared/usage/usage-summary';
import { endpoint } from './endpoint.ts';
import { getUsage } from './get-usage.ts';

export const handler = serve(
  endpoint,
  { usage: openUsageStore, tagUsage: openTagUsageStore, domainTimes: openDomainTimesStore },
  async (request, capability) => toView(await getUsage(request, capability)),
);

const toView = ({
  from,
  to,
  total,
  previous,
  tags,
  domains,
  ...summary
}: Awaited<ReturnType<typeof getUsage>>) => ({
  from,
  to,
  ...('months' in summary
    ? { months: summary.months.map(({ month, ...counts }) => ({ month, ...toCounts(counts) })) }
    : { days: summary.days.map(({ day, ...counts }) => ({ day, ...toCounts(counts) })) }),
  total: toCounts(total),
  ...(previous && { previous: { ...previous, total: toCounts(previous.total) } }),
  tags: { month: tags.month, busiest: [...busiestTags(tags)], lacking: tags.lacking },
  receivingDomains: {
    month: domains.month,
    busiest: [...busiestDomains(domains)],
    lacking: domains.counted.lacking,
  },
});

function toCounts({ timeToDelivery, ...usage }: Figures) {
  const { sends, recipients, globalSends, attachments, attachmentBytes, ...rest } = usage;
  const { bouncedRecipients: _bounced, complainedRecipients: _complained, ...counted } = rest;
  const { softBounced, ...events } = counted;
  return {
    sends,
    recipients,
    global_endpoint_sends: globalSends,
    // The correction may be stored a day later than the soft bounce it corrects.
    events: { ...events, soft_bounced: Math.max(0, softBounced) },
    attachments,
    attachmentBytes,
    timeToDelivery: timeToDelivery ?? null,
  };
}
