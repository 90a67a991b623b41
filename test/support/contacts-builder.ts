import type { ApiKey } from '#shared/access/api-key';
import type { DayQuotas } from '#shared/access/limit-day';
import type { Contact } from '#shared/contacts/contact';
import type { RequestSource } from '#shared/http/source-address';
import type { Organization } from '#shared/organizations/organization';
import type { Category } from '#shared/preferences/preferences';
import type { Send } from '#shared/sending/send';
import type { MailedContacts } from '#shared/sends/token-holder';
import type { Keyring } from '#shared/tokens/signed-token';
import { fakeApiKeys } from './api-key-builder.ts';
import { fakeCategoryStore } from './category-builder.ts';
import { buildKeyring } from './keyring-builder.ts';
import { buildOrganization, fakeOrganizations } from './organization-builder.ts';
import { unexpected } from './unexpected.ts';

/**
 * What the table holds. The test does not expect a read of what is left out, but for organizations: every
 * one is there.
 */
export type ContactsWorld = {
  readonly keyring?: Keyring;
  readonly apiKeys?: readonly ApiKey[];
  readonly organizations?: readonly Organization[];
  readonly contacts?: readonly Contact[];
  readonly categories?: readonly Category[];
  readonly sends?: readonly Send[];
  /** How many requests of this hour named the address and proved nothing, the present one included. */
  readonly bareRequests?: number;
  /** How many of them came from the same network: one, if any is expected. */
  readonly requestsOfSource?: number;
  /** How many addresses a caller with a key may still add today. Default: none is expected. */
  readonly roomOfDay?: number;
  /** Whether an address alone speaks, where its organization has not decided. */
  readonly preferencesByAddress?: boolean;
};

/** One write, for example `outbox.unsubscribe`, with its arguments. */
export type ContactsEffect = readonly [name: string, ...args: readonly unknown[]];

export const contactsNow = 1_750_000_000_000;

export const someSource: RequestSource = { sourceIp: '203.0.113.7', forwardedFor: undefined };

/** Fakes what preferences and unsubscriptions use, the links in emails too. `effects` lists the writes in their order. */
export function fakeContacts(
  world: ContactsWorld,
  overrides: {
    readonly store?: Partial<MailedContacts['store']>;
    readonly outbox?: Pick<MailedContacts['outbox'], 'storePreferences'>;
  } = {},
): { readonly contacts: MailedContacts & DayQuotas; readonly effects: readonly ContactsEffect[] } {
  const { keyring, apiKeys, organizations, categories, sends, bareRequests } = world;
  const effects: ContactsEffect[] = [];
  const recorded =
    <Args extends readonly unknown[]>(name: string, run?: (...args: Args) => Promise<void>) =>
    async (...args: Args): Promise<void> => {
      effects.push([name, ...args]);
      await run?.(...args);
    };
  const contacts: MailedContacts & DayQuotas = {
    now: () => contactsNow,
    keyring: async () => keyring ?? buildKeyring(),
    apiKeys: apiKeys
      ? fakeApiKeys(apiKeys)
      : { ...fakeApiKeys([]), get: unexpected('apiKeys.get') },
    organizations: fakeOrganizations({
      get: organizations
        ? async (id) => organizations.find((organization) => organization.id === id)
        : async (id) => buildOrganization({ id }),
    }),
    store: {
      get: world.contacts
        ? async (id) => world.contacts?.find((contact) => contact.id === id)
        : unexpected('store.get'),
      findIds: world.contacts
        ? async (identity) =>
            (world.contacts ?? []).filter(({ email }) => email === identity).map(({ id }) => id)
        : unexpected('store.findIds'),
      erase: unexpected('store.erase'),
      ...overrides.store,
      ensure: recorded('store.ensure', overrides.store?.ensure),
      findMissing: unexpected('store.findMissing'),
      ensureMissing: unexpected('store.ensureMissing'),
    },
    categories: fakeCategoryStore(
      categories && {
        list: async () => [...categories],
        get: async (_id, key) => categories.find((category) => category.key === key),
      },
    ),
    outbox: {
      unsubscribe: recorded('outbox.unsubscribe'),
      unsubscribeIfThere: recorded('outbox.unsubscribeIfThere'),
      storePreferences: async (...args) => {
        effects.push(['outbox.storePreferences', ...args]);
        return overrides.outbox?.storePreferences?.(...args) ?? true;
      },
    },
    preferencesByAddress: world.preferencesByAddress ?? true,
    proxiesInFront: 0,
    bareAddresses: {
      count:
        bareRequests === undefined
          ? unexpected('bareAddresses.count')
          : async (name, at) => {
              if (name.startsWith('source ')) return world.requestsOfSource ?? 1;
              effects.push(['bareAddresses.count', name, at]);
              return bareRequests;
            },
    },
    dayQuotas: {
      take:
        world.roomOfDay === undefined
          ? unexpected('dayQuotas.take')
          : async (_id, quota, amount) => {
              effects.push(['dayQuotas.take', quota, amount]);
              return amount <= (world.roomOfDay ?? 0);
            },
      giveBack: unexpected('dayQuotas.giveBack'),
      read: unexpected('dayQuotas.read'),
    },
    limitsOfDeployment: {},
    findSend: sends
      ? async (feedbackId) => sends.find((send) => send.feedbackId === feedbackId)
      : unexpected('findSend'),
  };
  return { contacts, effects };
}
