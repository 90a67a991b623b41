import { openApiKeyStore } from '#shared/access/api-key-store';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseParameters } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import type { UsageCounts } from '#shared/usage/usage-counts';
import { openUsageStore } from '#shared/usage/usage-store';
import { endpoint, type UsageResponse } from './endpoint.ts';
import { getUsage } from './get-usage.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const stores = {
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  usage: openUsageStore(table),
};

export const handler = bodilessEndpoint(async ({ headers, query }) => {
  const { from, to, total, ...summary } = await getUsage(
    presentedCredential(headers),
    () => parseParameters(endpoint.query, query),
    stores,
  );
  const view = {
    from,
    to,
    ...('months' in summary
      ? { months: summary.months.map(({ month, ...counts }) => ({ month, ...toView(counts) })) }
      : { days: summary.days.map(({ day, ...counts }) => ({ day, ...toView(counts) })) }),
    total: toView(total),
  };
  return jsonResponse(endpoint.answers[200].body.parse(view));
});

function toView(usage: UsageCounts): UsageResponse['total'] {
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
