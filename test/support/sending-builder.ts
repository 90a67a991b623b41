import type { ApiKey } from '#shared/access/api-key';
import { neverSlow } from '#shared/attachments/slow-fetches';
import type { Contact } from '#shared/contacts/contact';
import { openRefusals } from '#shared/email/refusals';
import type { Organization } from '#shared/organizations/organization';
import type { SendContext } from '#shared/sending/send-context-store';
import type { Sending } from '#shared/sending/sending';
import type { Template } from '#shared/templates/template';
import { organizationIdOf } from '#shared/tokens/resource-id';
import { buildKeyring } from './keyring-builder.ts';
import { buildOrganization } from './organization-builder.ts';
import { doubtWindowMs } from './send-builder.ts';
import { sentReadingOf } from './template-builder.ts';
import { unexpected } from './unexpected.ts';

/** One call of a member, for example `claims.claim`. */
export type Effect = { readonly name: string; readonly args: readonly unknown[] };

/** What the table holds of who sends, and to whom. */
export type SendingWorld = {
  readonly apiKey?: ApiKey | undefined;
  readonly organization?: Organization | undefined;
  readonly contacts?: readonly Contact[];
  readonly templates?: readonly Template[];
};

type AnyFunction = (...args: never) => unknown;

/** Members to be used instead; of a store, those of its functions that are named. */
export type SendingOverrides = {
  readonly [Member in keyof Sending]?: Sending[Member] extends AnyFunction
    ? Sending[Member]
    : Partial<Sending[Member]>;
};

/** The moment at which everything happens. */
export const sendingNow = 1_750_000_000_000;

/**
 * Fakes all that a send uses: a table in which every slot is free, and a provider that accepts. What a
 * send that goes well does not need throws, except for what records that it did not go well. `effects`
 * lists the calls in their order.
 */
export function fakeSending(
  world: SendingWorld = {},
  overrides: SendingOverrides = {},
): { readonly sending: Sending; readonly effects: readonly Effect[] } {
  const effects: Effect[] = [];
  const recorded =
    <Args extends readonly unknown[], Result>(name: string, run: (...args: Args) => Result) =>
    (...args: Args): Result => {
      effects.push({ name, args });
      return run(...args);
    };
  const fake = fakeMembers(world, overrides);
  const { contexts, templates, rateWindows, claims, settlements, contacts } = fake;
  const sending: Sending = {
    ...fake,
    noteKeyUse: recorded('noteKeyUse', fake.noteKeyUse),
    contexts: {
      read: recorded('contexts.read', contexts.read),
      readForService: recorded('contexts.readForService', contexts.readForService),
      readContacts: recorded('contexts.readContacts', contexts.readContacts),
    },
    templates: { read: recorded('templates.read', templates.read) },
    rateWindows: {
      count: recorded('rateWindows.count', rateWindows.count),
      countOfDay: recorded('rateWindows.countOfDay', rateWindows.countOfDay),
      countOfTests: recorded('rateWindows.countOfTests', rateWindows.countOfTests),
      countOfOrganization: recorded(
        'rateWindows.countOfOrganization',
        rateWindows.countOfOrganization,
      ),
    },
    claims: {
      // Without the judge: it is the same for every claim.
      claim: (wanted, judge, rowsOf) =>
        recorded('claims.claim', (send: typeof wanted) => claims.claim(send, judge, rowsOf))(
          wanted,
        ),
      get: recorded('claims.get', claims.get),
    },
    settlements: {
      commitAcceptance: recorded('settlements.commitAcceptance', settlements.commitAcceptance),
      recordFailure: recorded('settlements.recordFailure', settlements.recordFailure),
      recordRejection: recorded('settlements.recordRejection', settlements.recordRejection),
      recordProof: recorded('settlements.recordProof', settlements.recordProof),
    },
    contacts: { ...contacts, ensure: recorded('contacts.ensure', contacts.ensure) },
    checkEntitlement: recorded('checkEntitlement', fake.checkEntitlement),
    fetchUpload: recorded('fetchUpload', fake.fetchUpload),
    fetchFile: recorded('fetchFile', fake.fetchFile),
    keepContent: recorded('keepContent', fake.keepContent),
    callProvider: recorded('callProvider', fake.callProvider),
    callTestProvider: recorded('callTestProvider', fake.callTestProvider),
    // Without rows, nothing is woken.
    wakeQueue: (rows) =>
      rows.length === 0 ? fake.wakeQueue(rows) : recorded('wakeQueue', fake.wakeQueue)(rows),
    countThrottled: recorded('countThrottled', fake.countThrottled),
    countDoubt: recorded('countDoubt', fake.countDoubt),
    countRefused: recorded('countRefused', fake.countRefused),
  };
  return { sending, effects };
}

function fakeMembers(world: SendingWorld, overrides: SendingOverrides): Sending {
  const keyring = buildKeyring();
  const contactOf: SendContext['contactOf'] = ({ identity }) =>
    world.contacts?.find(({ email }) => email === identity);
  return {
    now: () => sendingNow,
    baseUrl: 'https://mail-service.example.com',
    keyring: async () => keyring,
    doubtWindowMs,
    sendRetentionDays: 90,
    usesTenants: false,
    checkEntitlement: async ({ attachmentsEnabled }) => ({ allowed: attachmentsEnabled }),
    fetchUpload: async () => ({ bytes: Buffer.from('uploaded'), contentType: 'text/plain' }),
    fetchFile: async () => ({
      kind: 'fetched',
      file: { bytes: Buffer.from('fetched'), contentType: 'image/png', filename: 'logo.png' },
    }),
    keepContent: async () => {},
    callProvider: async () => ({ kind: 'accepted', providerMessageId: 'message-1' }),
    callTestProvider: async () => ({ kind: 'accepted', providerMessageId: 'test-1' }),
    wakeQueue: async () => {},
    noteKeyUse: async () => {},
    countDoubt: () => {},
    countThrottled: () => {},
    countRefused: () => {},
    wakeSenders: async () => {},
    patienceMs: 3_600_000,
    ...overrides,
    contents: {
      put: unexpected('contents.put'),
      get: unexpected('contents.get'),
      remove: unexpected('contents.remove'),
      removeSome: unexpected('contents.removeSome'),
      ...overrides.contents,
    },
    refusals: { ...openRefusals(), ...overrides.refusals },
    slowFetches: { ...neverSlow, ...overrides.slowFetches },
    linkDomains: ['links.shop.example'],
    limitsOfDeployment: {},
    contexts: {
      read: async () => ({
        apiKey: world.apiKey,
        organization: 'organization' in world ? world.organization : buildOrganization(),
        contactOf,
      }),
      readForService: async () => ({
        apiKey: undefined,
        organization: 'organization' in world ? world.organization : buildOrganization(),
        contactOf,
      }),
      readContacts: async () => contactOf,
      ...overrides.contexts,
    },
    templates: {
      read: async (organizationId, { name }) => {
        const own = world.templates?.filter(({ id }) => organizationIdOf(id) === organizationId);
        return sentReadingOf(own?.find(({ id, alias }) => id === name || alias === name));
      },
      ...overrides.templates,
    },
    rateWindows: {
      count: async () => ({ count: 1, fits: true }),
      countOfDay: async () => 0,
      countOfTests: async () => 0,
      countOfOrganization: async () => 0,
      ...overrides.rateWindows,
    },
    claims: {
      claim: async (send) => ({ kind: 'claimed', send }),
      get: unexpected('claims.get'),
      ...overrides.claims,
    },
    settlements: {
      commitAcceptance: async (send, { providerMessageId, at }) => ({
        kind: 'settled',
        send: { ...send, status: 'sent', providerMessageId, sentAt: at },
      }),
      recordFailure: async () => 'failed',
      recordRejection: unexpected('settlements.recordRejection'),
      recordProof: unexpected('settlements.recordProof'),
      ...overrides.settlements,
    },
    dayQuotas: {
      take: async () => true,
      giveBack: unexpected('dayQuotas.giveBack'),
      ...overrides.dayQuotas,
    },
    contacts: {
      ensure: async () => {},
      ...overrides.contacts,
    },
    attachmentLimits: {
      maxCount: 5,
      maxTotalBytes: 10 * 1024 * 1024,
      ...overrides.attachmentLimits,
    },
    urlPolicy: { allowLoopbackHttp: false, ...overrides.urlPolicy },
  };
}
