import { openValidKeyStore } from '#shared/access/api-key-store';
import { toListedResendApiKey } from '#shared/resend/api-keys';
import { pageOf } from '#shared/resend/list-page';
import { serveResend } from '#shared/resend/serve-resend';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  openValidKeyStore,
  async ({ caller, query }, { listValid, now }) => {
    const valid = await listValid(caller.organizationId, now());
    return pageOf(valid.map(toListedResendApiKey), query);
  },
);
