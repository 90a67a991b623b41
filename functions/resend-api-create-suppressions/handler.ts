import { limitChanges } from '#shared/access/limit-day';
import { serveResend } from '#shared/resend/serve-resend';
import { toSuppressionId } from '#shared/resend/suppressions';
import {
  createSuppression,
  openSuppressionCreation,
} from '#shared/suppressions/create-suppression';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  openSuppressionCreation,
  async ({ caller, body: { emails } }, creating) => {
    const data = [];
    for (const [place, email] of emails.entries()) {
      // The request itself counted the first.
      if (place > 0) await limitChanges(caller, creating);
      data.push(toSuppressionId(await createSuppression({ caller, body: { email } }, creating)));
    }
    return { data };
  },
);
