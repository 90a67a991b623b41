import { servePostmark } from '#shared/postmark/serve-postmark';
import { openOutcomeCauses } from '#shared/sends/outcome-cause';
import { openSendListStore } from '#shared/sends/send-list-store';
import { openTimelineStore } from '#shared/sends/timeline-store';
import { endpoint } from './endpoint.ts';
import { listBounces } from './list-bounces.ts';

export const handler = servePostmark(
  endpoint,
  { sends: openSendListStore, timelines: openTimelineStore, causes: openOutcomeCauses },
  listBounces,
);
