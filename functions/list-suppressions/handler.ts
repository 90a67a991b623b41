import { serve } from '#shared/endpoints/serve';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { toSuppressionView } from '#shared/suppressions/suppression-view';
import { endpoint } from './endpoint.ts';
import { listSuppressions } from './list-suppressions.ts';

export const handler = serve(
  endpoint,
  { suppressions: openSuppressionListStore },
  async (request, reading) => {
    const { suppressions, nextCursor } = await listSuppressions(request, reading);
    return { data: suppressions.map(toSuppressionView), nextCursor };
  },
);
