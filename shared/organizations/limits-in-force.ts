import * as z from 'zod/mini';
import { type LimitName, organizationLimits } from '#shared/config/organization-limits';
import type { ErrorCode } from '#shared/errors/errors';
import { ServiceError } from '#shared/errors/service-error';

/** Set by the operator, for the deployment or one organization. May contain names from later versions. */
export const givenLimitsSchema = z.record(z.string(), z.int());
export type GivenLimits = z.infer<typeof givenLimitsSchema>;

export const limitValue = (name: LimitName) =>
  z.int().check(z.gte(1), z.lte(organizationLimits[name].most));

/** The organization's limits, or else the deployment's, or else the service's. */
type LimitsInForce = (name: LimitName) => number | undefined;

export const limitsInForce =
  (own: GivenLimits | undefined, ofDeployment: GivenLimits): LimitsInForce =>
  (name) =>
    own?.[name] ?? ofDeployment[name] ?? organizationLimits[name].default;

export const dayUseSchema = z.object({
  day: z.string(),
  recipients: z.int(),
  /** Sends, delivered or not. */
  stored: z.int(),
});
/** A day's use (`YYYY-MM-DD`, UTC), as last recorded. */
export type DayUse = z.infer<typeof dayUseSchema>;

type CountedThing = 'apiKeys' | 'templates' | 'webhooks' | 'policies' | 'categories' | 'domains';

const countedThings = {
  apiKeys: { code: 'too_many_api_keys', words: 'API keys' },
  templates: { code: 'too_many_templates', words: 'templates' },
  webhooks: { code: 'too_many_webhooks', words: 'webhooks' },
  policies: { code: 'too_many_policies', words: 'policies' },
  categories: { code: 'too_many_categories', words: 'categories' },
  domains: { code: 'too_many_domains', words: 'domains' },
} as const satisfies Readonly<Record<CountedThing, { code: ErrorCode; words: string }>>;

export const tooMany = (name: CountedThing, limit: number): ServiceError =>
  new ServiceError(
    countedThings[name].code,
    `Your organization has reached its limit of ${limit} ${countedThings[name].words}. Delete one you don't need, or ask the operator for more.`,
  );

/**
 * Two requests at the same moment may exceed the limit by one, which does no harm.
 *
 * @throws ServiceError `too_many_…`
 */
export function requireBelowLimit(
  name: CountedThing,
  existing: number,
  limits: LimitsInForce,
): void {
  const limit = limits(name) ?? Infinity;
  if (existing >= limit) throw tooMany(name, limit);
}
