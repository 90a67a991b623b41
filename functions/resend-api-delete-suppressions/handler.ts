import { limitChanges } from '#shared/access/limit-day';
import { deleted } from '#shared/resend/management';
import { serveResend } from '#shared/resend/serve-resend';
import { findSuppressions, namesIn, toSuppressionId } from '#shared/resend/suppressions';
import { liftFromContact } from '#shared/suppressions/lift-from-contact';
import { openSuppressionLifting } from '#shared/suppressions/suppression-lifting';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  openSuppressionLifting,
  async ({ caller, body }, removing) => {
    const data = [];
    for (const name of namesIn(body)) {
      const found = await findSuppressions(name, caller.organizationId, removing);
      if (found === undefined) continue;
      // The request itself counted the first.
      if (data.length > 0) await limitChanges(caller, removing);
      const { named, ...contact } = found;
      const reasons = named.map(({ reason }) => reason);
      await liftFromContact({ ...contact, reasons }, caller, removing);
      data.push(deleted('suppression', toSuppressionId(named[0]).id));
    }
    return { data };
  },
);
