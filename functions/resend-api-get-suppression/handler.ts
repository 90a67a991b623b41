import { serveResend } from '#shared/resend/serve-resend';
import { requireSuppressions, toListedSuppression } from '#shared/resend/suppressions';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  { suppressionList: openSuppressionListStore },
  async ({ caller, path }, stores) => {
    const { named } = await requireSuppressions(path.id, caller.organizationId, stores);
    return { object: 'suppression' as const, ...toListedSuppression(named[0]) };
  },
);
