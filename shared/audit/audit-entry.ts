import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import {
  type ApiKeyId,
  apiKeyIdSchema,
  auditEntryIdSchema,
  newAuditEntryId,
  type OrganizationId,
  type SessionId,
  sessionIdSchema,
} from '#shared/tokens/resource-id';

export const auditRetentionDays = 400;

/**
 * Who made a change: a key of the organization, a person signed in with one, the deployment's operator, or someone who
 * followed the link mailed to the address for notices.
 */
export type Actor =
  | ApiKeyId
  | { readonly key: ApiKeyId; readonly session: SessionId }
  | 'operator'
  | 'notice_email';

/** The values changed. Never a secret or an address. */
const valuesSchema = z.record(z.string(), z.unknown());

/** A change of an organization's settings, keys, webhooks and the like. */
export const auditEntrySchema = z.object({
  id: auditEntryIdSchema,
  /** Epoch milliseconds. */
  at: z.int(),
  actor: z.union([apiKeyIdSchema, z.enum(['operator', 'notice_email'])]),
  /** The console session in which the actor's key was used, if any. */
  session: z.optional(sessionIdSchema),
  /** For example `api_key.created`, `organization.updated`. */
  action: z.string(),
  /** The id or key of the changed thing. A person is named by contact id, which shows no address. */
  target: z.string(),
  before: z.optional(valuesSchema),
  after: z.optional(valuesSchema),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export type Change = Pick<AuditEntry, 'action' | 'target' | 'before' | 'after'>;

export const newAuditEntry = (
  organizationId: OrganizationId,
  actor: Actor,
  change: Change,
  at: number,
): AuditEntry => ({
  id: newAuditEntryId(organizationId),
  at,
  ...(typeof actor === 'string' ? { actor } : { actor: actor.key, session: actor.session }),
  ...change,
});

/** The values that differ between two states. A value that one state lacks is missing there. */
export function differenceOf(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Required<Pick<AuditEntry, 'before' | 'after'>> {
  const names = Object.keys({ ...before, ...after });
  const differing = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  const valuesIn = (state: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      differing.filter((name) => state[name] !== undefined).map((name) => [name, state[name]]),
    );
  return { before: valuesIn(before), after: valuesIn(after) };
}
