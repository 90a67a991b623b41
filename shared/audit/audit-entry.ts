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
 * An organization's key, somebody signed in with one or with their address, the deployment's operator, or the person who
 * followed the link mailed to the address for notices. Anybody can ask for a sign-in link to an address. The issuer decides
 * who its people are (OpenID Connect).
 */
export type Actor =
  | ApiKeyId
  | { readonly key: ApiKeyId; readonly session?: SessionId; readonly isPerson?: true }
  | 'operator'
  | 'notice_email'
  | 'anybody'
  | 'issuer';

/** Must never contain a secret or an address. */
const valuesSchema = z.record(z.string(), z.unknown());

export const auditEntrySchema = z.object({
  id: auditEntryIdSchema,
  at: z.int(),
  actor: z.union([apiKeyIdSchema, z.enum(['operator', 'notice_email', 'anybody', 'issuer'])]),
  /** Absent unless the actor is the personal key of somebody who signed in with their address. */
  isPerson: z.optional(z.literal(true)),
  /** Absent if the key itself was used. */
  session: z.optional(sessionIdSchema),
  /** For example `api_key.created`, `organization.updated`. */
  action: z.string(),
  /** A person is named by contact id, which shows no address. */
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
  ...makerOf(actor),
  ...(typeof actor !== 'string' && actor.session && { session: actor.session }),
  ...change,
});

/** Who made something, as the audit names them. */
export const makerSchema = z.pick(auditEntrySchema, { actor: true, isPerson: true });
export type Maker = z.infer<typeof makerSchema>;

export const makerOf = (actor: Actor): Maker =>
  typeof actor === 'string'
    ? { actor }
    : { actor: actor.key, ...(actor.isPerson && { isPerson: actor.isPerson }) };

/** A value that one state lacks is absent there. */
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
