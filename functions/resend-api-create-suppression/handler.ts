import { serveResend } from '#shared/resend/serve-resend';
import { toSuppressionId } from '#shared/resend/suppressions';
import {
  createSuppression,
  openSuppressionCreation,
} from '#shared/suppressions/create-suppression';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(endpoint, openSuppressionCreation, async (request, creating) =>
  toSuppressionId(await createSuppression(request, creating)),
);
