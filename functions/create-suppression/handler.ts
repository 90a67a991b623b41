import { serve } from '#shared/endpoints/serve';
import {
  createSuppression,
  openSuppressionCreation,
} from '#shared/suppressions/create-suppression';
import { toSuppressionView } from '#shared/suppressions/suppression-view';
import { endpoint } from './endpoint.ts';

export const handler = serve(endpoint, openSuppressionCreation, async (request, creation) =>
  toSuppressionView(await createSuppression(request, creation)),
);
