import type { Actor } from '#shared/audit/audit-entry';
import { ServiceError } from '#shared/errors/service-error';
import type { GivenLimits } from '#shared/organizations/limits-in-force';
import { type Organization, requireSameDigest } from '#shared/organizations/organization';
import { getOrganization } from '#shared/organizations/organization-store';
import type { CursorOwner } from '#shared/table/cursor';
import type { Table, TableAndClock } from '#shared/table/table-client';
import { type ApiKeyId, type OrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import {
  type ApiKey,
  authenticate,
  endedSession,
  holdsSecret,
  invalidApiKey,
  parseApiKey,
} from './api-key.ts';
import { getApiKey } from './api-key-store.ts';
import { noteKeyUse } from './note-key-use.ts';
import type { RequestContext } from './request-context.ts';
import { actorOf, findSignIn, openSessionsIn, type SignIn } from './sign-in.ts';

/** The presented credential, and the context that records the key's id once its secret matches (revoked keys too). */
export type Presented = {
  readonly credential: string | undefined;
  readonly context: Pick<RequestContext, 'apiKeyId' | 'keepsRefusedShapes'>;
};

/** The caller, its session if there is one, and its organization as the owner of lists. */
export type Caller = {
  readonly organizationId: OrganizationId;
  readonly apiKey: ApiKey;
  /** The audit's name for the caller. */
  readonly actor: Actor;
  readonly session: SignIn | undefined;
  readonly cursorOwner: CursorOwner;
  readonly ownLimits: GivenLimits | undefined;
  /** Read with the key: which events webhooks want, and how long deliveries are kept. */
  readonly subscribed: Pick<Organization, 'webhooks' | 'sendRetentionDays'>;
};

export type SignedIn = Caller & { readonly session: SignIn };

export type Manager = Pick<Caller, 'organizationId' | 'actor'>;

/** For changes that webhooks may report. */
export type SubscribedManager = Manager & Pick<Caller, 'subscribed'>;

/** @param takesTestKeys whether a test key is enough. */
export async function admitCaller(
  { credential, context }: Presented,
  { table, now }: TableAndClock,
  { takesTestKeys = false }: { readonly takesTestKeys?: boolean | undefined } = {},
): Promise<Caller> {
  const presented = parseApiKey(credential);
  const at = now();
  const found = await getApiKey(table, presented.id);
  if (found === undefined) throw invalidApiKey();
  if (holdsSecret(presented, found.apiKey)) {
    context.apiKeyId = presented.id;
    context.keepsRefusedShapes = found.keepRefusedShapes;
  }
  const apiKey = authenticate(presented, found.apiKey, at);
  if (apiKey.person?.entered) await requireOpen(apiKey.person.entered, table, at);
  const organizationId = organizationIdOf(apiKey.id);
  requireSameDigest({ id: organizationId, contactDigest: found.contactDigest });
  const { secretHash } = presented;
  const session = presented.isSession
    ? findSignIn(apiKey.signIns, { kind: 'session', secretHash }, at)
    : undefined;
  await noteKeyUse(table, apiKey, at, session);
  if (apiKey.test && !takesTestKeys) throw new ServiceError('test_key');
  const cursorOwner = { id: organizationId, secret: found.cursorSecret };
  const actor = actorOf(apiKey, session);
  const { limits: ownLimits, webhooks, sendRetentionDays } = found;
  const subscribed = { webhooks, sendRetentionDays };
  return { organizationId, apiKey, actor, session, cursorOwner, ownLimits, subscribed };
}

/** An operator's visit ends with the session from which they entered. */
async function requireOpen(
  { by, session }: { readonly by: ApiKeyId; readonly session: string },
  table: Table,
  now: number,
): Promise<void> {
  const operator = (await getApiKey(table, by))?.apiKey;
  if (!openSessionsIn(operator?.signIns, now).some(({ id }) => id === session)) {
    throw endedSession();
  }
}

export async function admitSession(
  presented: Presented,
  service: TableAndClock,
): Promise<SignedIn> {
  const { credential } = presented;
  if (credential === undefined || !parseApiKey(credential).isSession) throw endedSession();
  const { session, ...caller } = await admitCaller(presented, service);
  if (session === undefined) throw endedSession();
  return { ...caller, session };
}

/**
 * An organization's keys end with it: a caller admitted just before the deletion gets the same answer as the next one.
 */
export async function organizationOf(
  table: Table,
  { organizationId }: Pick<Caller, 'organizationId'>,
): Promise<Organization> {
  const organization = await getOrganization(table, organizationId);
  if (organization === undefined) throw invalidApiKey();
  return organization;
}
