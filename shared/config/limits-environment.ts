import * as z from 'zod/mini';
import { tableEnvironment } from './environment.ts';

const whole = z.int().check(z.positive());

/** Environment of the functions that hold organizations to their limits. */
export const limitsEnvironment = z.extend(tableEnvironment, {
  /** The deployment's own limits as JSON, by name. `shared/organizations/organization-limits.ts` has the others. */
  ORGANIZATION_LIMITS: z._default(
    z.pipe(
      z.pipe(
        z.string(),
        z.transform((text): unknown => JSON.parse(text)),
      ),
      z.record(z.string(), whole),
    ),
    {},
  ),
});
