import * as z from 'zod/mini';
import { findPolicy, isBuiltInPolicy, type Organization, policySchema } from './organization.ts';

/** A policy as the API shows it. */
export const policyViewSchema = z.extend(policySchema, {
  key: z.string(),
  /** Whether it comes with the service. A policy of the organization's own may stand in its place. */
  builtIn: z.boolean(),
});
export type PolicyView = z.infer<typeof policyViewSchema>;

/** The policy of that key, `undefined` when the organization has none. */
export function policyViewOf(organization: Organization, key: string): PolicyView | undefined {
  const policy = findPolicy(organization, key);
  return policy && { ...policy, key, builtIn: isBuiltInPolicy(organization, key) };
}
