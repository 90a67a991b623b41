import { serve } from '#shared/endpoints/serve';
import {
  createSuppression,
  openSuppressionCreation,
} from '#shared/suppressions/create-suppression';
import { toSuppressionView } from '#shared/suppressions/suppression-view';
import { endpoint } from './endpoint.ts';

const creation = openSuppressionCreation();

export const handler = serve(endpoint, creation, async (request) =>
  toSuppressionView(await createSuppression(request, creation)),
);
