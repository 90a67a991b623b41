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

/** How long a change is remembered. */
export const auditRetentionDays = 400;

/**
 * Who changes something: a key of the organization, a person signed in with one, the operator of the deployment, or
 * somebody who followed the link that was mailed to the address for notices.
 */
export type Actor =
  | ApiKeyId
  | { readonly key: ApiKeyId; readonly session: SessionId }
  | 'operator'
  | 'notice_email';

/** The values that a change is about. None of them is a secret or an address. */
const valuesSchema = z.record(z.string(), z.unknown());

/** One change of an organization's settings, keys, endpoints and the like. */
export const auditEntrySchema = z.object({
  id: auditEntryIdSchema,
  /** Epoch milliseconds. */
  at: z.int(),
  actor: z.union([apiKeyIdSchema, z.enum(['operator', 'notice_email'])]),
  /** The session of the console in which the actor's key was used, if it was. */
  session: z.optional(sessionIdSchema),
  /** What was changed and how: `api_key.created`, `organization.updated`. */
  action: z.string(),
  /** The id or key of what was changed. A person is named by the contact's id, which shows no address. */
  target: z.string(),
  before: z.optional(valuesSchema),
  after: z.optional(valuesSchema),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export type Change = Pick<AuditEntry, 'action' | 'target' | 'before' | 'after'>;

/** The entry of a change that happens now. */
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

/** Of two states of a thing, the values that differ. A value that one of them lacks is missing there. */
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
