import type { ProviderOutcome } from '#shared/email/email-provider';
import type { Organization } from '#shared/organizations/organization';
import { parseSendRequest } from '#shared/sending/request/send-request';
import type { SendEndpoint } from '#shared/sending/send';
import { sendEmail } from '#shared/sending/send-email';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildContact } from '../../support/contact-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { buildSendBody } from '../../support/send-body-builder.ts';
import {
  type Effect,
  fakeSending,
  type SendingOverrides,
  type SendingWorld,
  sendingNow,
} from '../../support/sending-builder.ts';
import { unexpected } from '../../support/unexpected.ts';

export type Scenario = {
  readonly endpoint?: SendEndpoint;
  readonly idempotencyKey?: string;
  readonly key?: Parameters<typeof buildApiKey>[0];
  readonly contacts?: SendingWorld['contacts'];
  readonly body?: Readonly<Record<string, unknown>>;
  readonly overrides?: SendingOverrides;
  readonly organization?: Partial<Organization>;
};

/** A send that succeeds unless the scenario says otherwise. */
export function prepare(scenario: Scenario = {}) {
  const organization = buildOrganization(scenario.organization);
  const { text, apiKey } = buildApiKey({ organizationId: organization.id, ...scenario.key });
  const { sending, effects } = fakeSending(
    { apiKey, organization, ...(scenario.contacts && { contacts: scenario.contacts }) },
    scenario.overrides,
  );
  const { log, lines } = recordLog();
  const request = parseSendRequest(buildSendBody(scenario.body), scenario.idempotencyKey);
  const run = () =>
    sendEmail(
      {
        endpoint: scenario.endpoint ?? 'send',
        credential: text,
        request,
        log,
        readBody: unexpected('readBody'),
        onKey: () => {},
        onRateLimit: () => {},
        onAttachments: () => {},
      },
      sending,
    );
  return { run, effects, lines, organization, request };
}

export const namesOf = (effects: readonly Effect[]) => effects.map(({ name }) => name);

export const argsOf = (effects: readonly Effect[], wanted: string) =>
  effects.filter(({ name }) => name === wanted).map(({ args }) => args);

export const providing = (outcome: ProviderOutcome): SendingOverrides => ({
  callProvider: async () => outcome,
});

/** A clock, and a provider that takes this long to answer. */
export function answeringAfter(durationMs: number, outcome: ProviderOutcome): SendingOverrides {
  let clock = sendingNow;
  return {
    now: () => clock,
    callProvider: async () => {
      clock += durationMs;
      return outcome;
    },
  };
}

export const unknown: ProviderOutcome = { kind: 'unknown', cause: new Error('socket hang up') };
export const unreachable: ProviderOutcome = {
  kind: 'unreachable',
  cause: new Error('connect ECONNREFUSED'),
};
export const refused: ProviderOutcome = { kind: 'rejected', reason: 'MessageRejected' };

export const failing = async (): Promise<never> => {
  throw new Error('ann@example.com');
};

export const bounced = (email: string) => buildContact({ email, bounce: { at: 1 } });
