import { deleted } from '#shared/resend/management';
import { serveResend } from '#shared/resend/serve-resend';
import { requireSuppressions, toSuppressionId } from '#shared/resend/suppressions';
import { liftFromContact } from '#shared/suppressions/lift-from-contact';
import { openSuppressionLifting } from '#shared/suppressions/suppression-lifting';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  openSuppressionLifting,
  async ({ caller, path }, removing) => {
    const { named, ...found } = await requireSuppressions(path.id, caller.organizationId, removing);
    const reasons = named.map(({ reason }) => reason);
    await liftFromContact({ ...found, reasons }, caller, removing);
    return deleted('suppression', toSuppressionId(named[0]).id);
  },
);
