import * as z from 'zod/mini';
import {
  findPolicy,
  isBuiltInPolicy,
  type Organization,
  policyKeysOf,
  policySchema,
} from './organization.ts';

/** A policy as the API shows it. */
export const policyViewSchema = z.extend(policySchema, {
  key: z.string(),
  /** Whether it comes with the service. The organization may replace it with a policy of its own. */
  builtIn: z.boolean(),
});
export type PolicyView = z.infer<typeof policyViewSchema>;

export function policyViewOf(organization: Organization, key: string): PolicyView | undefined {
  const policy = findPolicy(organization, key);
  return policy && { ...policy, key, builtIn: isBuiltInPolicy(organization, key) };
}

/** All policies that a send may name, the organization's own first. */
export const policyViewsOf = (organization: Organization): PolicyView[] =>
  policyKeysOf(organization).flatMap((key) => policyViewOf(organization, key) ?? []);
