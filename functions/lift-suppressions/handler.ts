import { serve } from '#shared/endpoints/serve';
import { openSuppressionLifting } from '#shared/suppressions/suppression-lifting';
import { toSuppressionView } from '#shared/suppressions/suppression-view';
import { endpoint } from './endpoint.ts';
import { liftSuppressions } from './lift-suppressions.ts';

export const handler = serve(endpoint, openSuppressionLifting, async (request, lifting) => {
  const { examples, ...result } = await liftSuppressions(request, lifting);
  return { ...result, examples: examples.map(toSuppressionView) };
});
