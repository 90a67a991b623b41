import { onTestFinished, vi } from 'vitest';
import type { Organization } from '#shared/organizations/organization';
import { buildOrganization } from './organization-builder.ts';

/** The deployment's key for contact digests, until the test ends. */
export function useDigestKey(key: string | undefined): void {
  vi.stubEnv('CONTACT_DIGEST_KEY', key);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
}

export const otherDigestKey = 'b'.repeat(64);

/** Its contacts are stored under the deployment's key, which isn't `otherDigestKey`. */
export function keyedOrganization(): Organization {
  useDigestKey('a'.repeat(64));
  return buildOrganization();
}
