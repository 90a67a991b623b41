import { type ApiKey, apiKeyStatusOf } from '#shared/access/api-key';
import { hasScope } from '#shared/access/scopes';
import type { IdentityStatus } from '#shared/identity/identity';

export const setupStepNames = [
  'identity',
  'dns',
  'production_access',
  'key',
  'first_sent',
  'first_delivered',
  'webhook',
] as const;
type SetupStepName = (typeof setupStepNames)[number];

export type SetupFacts = {
  readonly identity: IdentityStatus | undefined;
  readonly isSendingVerified: boolean;
  /** `undefined` if SES didn't answer. */
  readonly hasProductionAccess: boolean | undefined;
  readonly hasKey: boolean;
  readonly hasSent: boolean;
  readonly hasDelivered: boolean;
  readonly hasWebhook: boolean;
};

/**
 * The onboarding steps up to the first delivered email, in order; `null` if it isn't known whether one is done. That
 * email finishes the setup, whatever was skipped.
 */
export function setupOf(facts: SetupFacts) {
  const isDone = {
    identity: facts.identity !== undefined,
    dns: facts.identity === 'active' || facts.isSendingVerified,
    production_access: facts.hasProductionAccess ?? null,
    key: facts.hasKey,
    // The counters lag by up to a minute, and a delivery may be counted before its send.
    first_sent: facts.hasSent || facts.hasDelivered,
    first_delivered: facts.hasDelivered,
    webhook: facts.hasWebhook,
  } as const satisfies Record<SetupStepName, boolean | null>;
  return {
    isFinished: facts.hasDelivered,
    steps: setupStepNames.map((name) => ({
      name,
      isDone: isDone[name],
      isOptional: name === 'webhook',
    })),
  };
}

/** It can send, but if it leaked it couldn't manage the organization. */
export const isKeyOfProgram = (apiKey: ApiKey, now: number): boolean =>
  apiKeyStatusOf(apiKey, now) === 'active' &&
  hasScope(apiKey.scopes, 'send_email') &&
  !hasScope(apiKey.scopes, 'manage_organization');
