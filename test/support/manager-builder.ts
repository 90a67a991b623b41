import type { ApiKey } from '#shared/access/api-key';
import type { Authentication, Caller } from '#shared/access/authenticate';
import { actorOf, type SignIn } from '#shared/access/sign-in';
import { newCursorSecret } from '#shared/table/cursor';
import { newOrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { webhookNow } from '../shared/webhooks/webhook-builder.ts';
import { buildApiKey, fakeApiKeys } from './api-key-builder.ts';
import { serviceErrorOf } from './service-error.ts';

const knowing = (...known: readonly ApiKey[]): Known => ({
  limitsOfDeployment: {},
  now: () => webhookNow,
  apiKeys: fakeApiKeys(known, cursorSecret),
});

type Known = Authentication & { readonly limitsOfDeployment: Record<string, number> };

const cursorSecret = newCursorSecret();

/** The caller that a key or a session of it admits. */
export function callerWith(apiKey: ApiKey, session?: SignIn): Caller {
  const organizationId = organizationIdOf(apiKey.id);
  return {
    organizationId,
    apiKey,
    actor: actorOf(apiKey.id, session),
    session,
    cursorOwner: { id: organizationId, secret: cursorSecret },
    ownLimits: undefined,
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
    ...knowing(apiKey),
  };
}

type Run = (credential: string | undefined, authentication: Known) => Promise<unknown>;

/** The codes that those get who may not manage an organization: see `allRefusals`. */
export async function refusalsOf(run: Run): Promise<Record<string, string>> {
  const organizationId = newOrganizationId();
  const stranger = buildApiKey({ organizationId, scopes: ['manage_organization'] });
  const withoutScopes = buildApiKey({ organizationId });
  const sender = buildApiKey({ organizationId, scopes: ['send_email', 'read_sends'] });
  const authentication = knowing(withoutScopes.apiKey, sender.apiKey);
  const codeFor = async (credential: string | undefined) =>
    (await serviceErrorOf(() => run(credential, authentication))).code;
  return {
    nobody: await codeFor(undefined),
    'a key unknown': await codeFor(stranger.text),
    'a key without scopes': await codeFor(withoutScopes.text),
    'a key with other scopes': await codeFor(sender.text),
  };
}

export const allRefusals = {
  nobody: 'invalid_api_key',
  'a key unknown': 'invalid_api_key',
  'a key without scopes': 'missing_scope',
  'a key with other scopes': 'missing_scope',
} as const;
