import { type ApiKey, createApiKey } from '#shared/access/api-key';
import { digest } from '#shared/tokens/base32';
import { newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';

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

/** A key's text that somebody puts together: what stands before the checksum, and the checksum of that. */
export const withChecksum = (text: string): string => text + digest(text, 8);
