import * as z from 'zod/mini';
import { type LimitName, limitNames } from '#shared/config/organization-limits';
import { type GivenLimits, limitsInForce } from './organization-limits.ts';

const limitView = z.object({
  /** `null`: there is none. */
  limit: z.nullable(z.int()),
  /** Whether it is the deployment's, and not the organization's own. */
  isDefault: z.boolean(),
});

const shape: Record<LimitName, typeof limitView> = {
  sendsPerSecond: limitView,
  recipientsPerDay: limitView,
  apiKeys: limitView,
  templates: limitView,
  webhooks: limitView,
  policies: limitView,
  categories: limitView,
  uploadBytesPerDay: limitView,
};

/** The limits of an organization as the operator sees them. */
export const limitsViewSchema = z.object(shape);

export function toLimitsView(
  own: GivenLimits | undefined,
  ofDeployment: GivenLimits,
): Record<string, z.infer<typeof limitView>> {
  const limits = limitsInForce(own, ofDeployment);
  return Object.fromEntries(
    limitNames.map((name) => [
      name,
      { limit: limits(name) ?? null, isDefault: own?.[name] === undefined },
    ]),
  );
}

/** What it uses of them. A rate is over before it is read. */
export const useViewSchema = z.object({
  /** Today, in UTC. */
  recipientsPerDay: z.int(),
  apiKeys: z.int(),
  templates: z.int(),
  webhooks: z.int(),
  policies: z.int(),
  categories: z.int(),
  /** Today, in UTC. */
  uploadBytesPerDay: z.int(),
});
export type OrganizationUse = z.infer<typeof useViewSchema>;
