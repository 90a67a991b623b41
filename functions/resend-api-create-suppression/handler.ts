import { serveResend } from '#shared/resend/serve-resend';
import { toSuppressionId } from '#shared/resend/suppressions';
import {
  createSuppression,
  openSuppressionCreation,
} from '#shared/suppressions/create-suppression';
import { endpoint } from './endpoint.ts';

const creation = openSuppressionCreation();

export const handler = serveResend(endpoint, creation, async (request, creating) =>
  toSuppressionId(await createSuppression(request, creating)),
);
