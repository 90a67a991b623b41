import type { Contact } from '#shared/contacts/contact';
import type { ApiKey } from '#shared/organizations/api-key';
import type { Organization } from '#shared/organizations/organization';
import type { SendDependencies } from '#shared/sending/send-email';
import type { Template } from '#shared/templates/template';
import { buildKeyring } from './keyring-builder.ts';
import { buildOrganization } from './organization-builder.ts';

/** One call of a dependency. */
export type Effect = { readonly name: string; readonly args: readonly unknown[] };

type World = {
  readonly apiKey?: ApiKey | undefined;
  readonly organization?: Organization | undefined;
  readonly contacts?: readonly Contact[];
  readonly templates?: readonly Template[];
};

/** The moment at which everything happens. */
export const sendingNow = 1_750_000_000_000;

/**
 * Fakes of all that a send depends on: a table in which the claim is free, a provider that accepts.
 * `effects` lists the calls in their order.
 */
export function buildSendDependencies(
  world: World,
  overrides: Partial<SendDependencies> = {},
): { readonly dependencies: SendDependencies; readonly effects: readonly Effect[] } {
  const effects: Effect[] = [];
  const keyring = buildKeyring();
  const recorded =
    <Args extends readonly unknown[], Result>(name: string, run: (...args: Args) => Result) =>
    (...args: Args): Result => {
      effects.push({ name, args });
      return run(...args);
    };
  const fake: SendDependencies = {
    now: () => sendingNow,
    baseUrl: 'https://mail-service.example.com',
    keyring: async () => keyring,
    doubtWindowMs: 300_000,
    keyRetentionMs: 2_592_000_000,
    readContext: async () => ({
      apiKey: world.apiKey,
      organization: 'organization' in world ? world.organization : buildOrganization(),
      contactOf: ({ identity }) => world.contacts?.find(({ email }) => email === identity),
    }),
    readTemplate: async (id) => world.templates?.find((template) => template.id === id),
    countRequest: async () => 1,
    findIdempotencyRecord: async () => undefined,
    attachmentLimits: { maxCount: 5, maxTotalBytes: 10 * 1024 * 1024 },
    checkEntitlement: async ({ attachmentsEnabled }) => ({ allowed: attachmentsEnabled }),
    fetchUpload: async () => ({ bytes: Buffer.from('uploaded'), contentType: 'text/plain' }),
    claim: async ({ send }) => ({ kind: 'claimed', send }),
    provide: async () => ({ kind: 'accepted', providerMessageId: 'message-1' }),
    commitAcceptance: async () => 'settled',
    recordLateAcceptance: async () => 'settled',
    wakeQueue: async () => {},
    commitSuppression: async () => 'settled',
    commitFailure: async () => 'settled',
    ensureContact: async () => {},
    ...overrides,
  };
  const dependencies: SendDependencies = {
    ...fake,
    readContext: recorded('readContext', fake.readContext),
    readTemplate: recorded('readTemplate', fake.readTemplate),
    countRequest: recorded('countRequest', fake.countRequest),
    findIdempotencyRecord: recorded('findIdempotencyRecord', fake.findIdempotencyRecord),
    checkEntitlement: recorded('checkEntitlement', fake.checkEntitlement),
    claim: recorded('claim', fake.claim),
    fetchUpload: recorded('fetchUpload', fake.fetchUpload),
    provide: recorded('provide', fake.provide),
    commitAcceptance: recorded('commitAcceptance', fake.commitAcceptance),
    recordLateAcceptance: recorded('recordLateAcceptance', fake.recordLateAcceptance),
    wakeQueue: recorded('wakeQueue', fake.wakeQueue),
    commitSuppression: recorded('commitSuppression', fake.commitSuppression),
    commitFailure: recorded('commitFailure', fake.commitFailure),
    ensureContact: recorded('ensureContact', fake.ensureContact),
  };
  return { dependencies, effects };
}
