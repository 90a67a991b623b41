import type * as z from 'zod/mini';
import type { Organization } from '#shared/organizations/organization';

/** Whether an organization's plan has attachments. */
export type Entitlement = {
  readonly allowed: boolean;
  /** What the entitlement service would show a person about it. */
  readonly preview?: z.core.util.JSONType | undefined;
  /** Why it could not be found out; then it is not allowed. */
  readonly failure?: unknown;
};

/** Answers for the moment `now`, in epoch milliseconds. Never rejects: what is not known is not allowed. */
export type EntitlementCheck = (organization: Organization, now: number) => Promise<Entitlement>;

/** The gate of a service without an entitlement service: the organization's own setting. */
export const checkOwnSetting: EntitlementCheck = async ({ attachmentsEnabled }) => ({
  allowed: attachmentsEnabled,
});
