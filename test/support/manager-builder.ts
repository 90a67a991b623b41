import type { Caller } from '#shared/access/admit-caller';
import type { ApiKey } from '#shared/access/api-key';
import { actorOf, type SignIn } from '#shared/access/sign-in';
import { newCursorSecret } from '#shared/table/cursor';
import { newOrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { webhookNow } from '../shared/webhooks/webhook-builder.ts';
import { buildApiKey } from './api-key-builder.ts';

const cursorSecret = newCursorSecret();

/** The caller that a key or a session of it admits. */
export function callerWith(apiKey: ApiKey, session?: SignIn): Caller {
  const organizationId = organizationIdOf(apiKey.id);
  return {
    organizationId,
    apiKey,
    actor: actorOf(apiKey, session),
    session,
    cursorOwner: { id: organizationId, secret: cursorSecret },
    ownLimits: undefined,
    subscribed: { webhooks: {} },
  };
}

/** An organization, and a key that may manage it. */
export function buildManager(organizationId = newOrganizationId()) {
  const { text, apiKey } = buildApiKey({ organizationId, scopes: ['manage_organization'] });
  const caller = callerWith(apiKey);
  return {
    caller,
    organizationId,
    actor: apiKey.id,
    cursorOwner: caller.cursorOwner,
    credential: text,
    limitsOfDeployment: {},
    now: () => webhookNow,
  };
}
