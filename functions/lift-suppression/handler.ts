import { serve } from '#shared/endpoints/serve';
import { openSuppressionLifting } from '#shared/suppressions/suppression-lifting';
import { endpoint } from './endpoint.ts';
import { liftSuppression } from './lift-suppression.ts';

export const handler = serve(endpoint, openSuppressionLifting, liftSuppression);
