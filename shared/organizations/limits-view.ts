import * as z from 'zod/mini';
import { eachLimit, type LimitName } from '#shared/config/organization-limits';
import { type GivenLimits, limitsInForce } from './organization-limits.ts';

const limitView = z.object({
  /** `null`: no limit. */
  limit: z.nullable(z.int()),
  /** It is the deployment's, not the organization's own. */
  isDefault: z.boolean(),
});

/** The limits of an organization as the operator sees them. */
export const limitsViewSchema = z.object(eachLimit(() => limitView));

export function toLimitsView(
  own: GivenLimits | undefined,
  ofDeployment: GivenLimits,
): Record<LimitName, z.infer<typeof limitView>> {
  const limits = limitsInForce(own, ofDeployment);
  return eachLimit((name) => ({
    limit: limits(name) ?? null,
    isDefault: own?.[name] === undefined,
  }));
}

/** What it uses of them. Rates aren't here: they are over before anyone reads them. */
export const useViewSchema = z.object({
  /** Today, in UTC. */
  recipientsPerDay: z.int(),
  apiKeys: z.int(),
  templates: z.int(),
  webhooks: z.int(),
  policies: z.int(),
  categories: z.int(),
  /** Today, in UTC, like the two that follow. */
  uploadBytesPerDay: z.int(),
  changesPerDay: z.int(),
  contactsPerDay: z.int(),
});
export type OrganizationUse = z.infer<typeof useViewSchema>;
