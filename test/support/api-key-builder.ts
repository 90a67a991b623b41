import { type ApiKey, createApiKey } from '#shared/access/api-key';
import type { ApiKeyStore } from '#shared/access/api-key-store';
import { contactDigestOf } from '#shared/organizations/organization';
import { newCursorSecret } from '#shared/table/cursor';
import { digest } from '#shared/tokens/base32';
import {
  newOrganizationId,
  type OrganizationId,
  organizationIdOf,
} from '#shared/tokens/resource-id';
import { unexpected } from './unexpected.ts';

type Settings = Partial<Omit<ApiKey, 'id' | 'secretHash'>> & {
  readonly organizationId?: OrganizationId;
};

/** A valid key without scopes: as its caller presents it, and as it is stored. */
export function buildApiKey(settings: Settings = {}): {
  readonly text: string;
  readonly apiKey: ApiKey;
} {
  const { organizationId = newOrganizationId(), ...overrides } = settings;
  const { text, apiKey } = createApiKey(organizationId, {
    name: 'test',
    scopes: [],
    createdAt: 1_700_000_000_000,
    ...(settings.test && { test: settings.test }),
  });
  return { text, apiKey: { ...apiKey, ...overrides } };
}

/** What the table holds of these keys, all of organizations with one cursor secret. Their use is not noted. */
export function fakeApiKeys(
  known: Iterable<ApiKey>,
  cursorSecret = newCursorSecret(),
): ApiKeyStore {
  return {
    get: async (id) => {
      const apiKey = [...known].find((one) => one.id === id);
      const organizationId = organizationIdOf(id);
      return apiKey && { apiKey, cursorSecret, ...contactDigestOf(organizationId), webhooks: {} };
    },
    noteUse: async () => {},
    readPage: unexpected('apiKeys.readPage'),
    count: unexpected('apiKeys.count'),
    findOtherManager: unexpected('apiKeys.findOtherManager'),
    put: unexpected('apiKeys.put'),
    create: unexpected('apiKeys.create'),
    add: unexpected('apiKeys.add'),
    change: unexpected('apiKeys.change'),
    replaceSignIns: unexpected('apiKeys.replaceSignIns'),
  };
}

/** A key's text that somebody puts together: what stands before the checksum, and the checksum of that. */
export const withChecksum = (text: string): string => text + digest(text, 8);
