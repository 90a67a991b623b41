import { serve } from '#shared/endpoints/serve';
import { openSuppressionLifting } from '#shared/suppressions/suppression-lifting';
import { endpoint } from './endpoint.ts';
import { liftSuppression } from './lift-suppression.ts';

const lifting = openSuppressionLifting();

export const handler = serve(endpoint, lifting, liftSuppression);
