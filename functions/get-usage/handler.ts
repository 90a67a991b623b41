import { openAuthentication } from '#shared/access/authenticate';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openTable } from '#shared/table/table-client';
import { busiestTags } from '#shared/usage/tag-summary';
import { openTagUsageStore } from '#shared/usage/tag-usage-store';
import type { UsageCounts } from '#shared/usage/usage-counts';
import { openUsageStore } from '#shared/usage/usage-store';
import { endpoint } from './endpoint.ts';
import { getUsage } from './get-usage.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const reading = {
  ...openAuthentication(table),
  usage: openUsageStore(table),
  tagUsage: openTagUsageStore(table),
};

export const handler = serve(endpoint, reading, async (request, capability) =>
  toView(await getUsage(request, capability)),
);

const toView = ({ from, to, total, tags, ...summary }: Awaited<ReturnType<typeof getUsage>>) => ({
  from,
  to,
  ...('months' in summary
    ? { months: summary.months.map(({ month, ...counts }) => ({ month, ...toCounts(counts) })) }
    : { days: summary.days.map(({ day, ...counts }) => ({ day, ...toCounts(counts) })) }),
  total: toCounts(total),
  tags: { month: tags.month, busiest: [...busiestTags(tags)], lacking: tags.lacking },
});

function toCounts(usage: UsageCounts) {
  const { sends, recipients, globalSends, attachments, attachmentBytes, ...rest } = usage;
  const { bouncedRecipients: _bounced, complainedRecipients: _complained, ...events } = rest;
  return {
    sends,
    recipients,
    global_endpoint_sends: globalSends,
    events,
    attachments,
    attachmentBytes,
  };
}
