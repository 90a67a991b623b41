import { describe, expect, it } from 'vitest';
import { settingsOf } from '#shared/organizations/organization-settings';
import { endpoint } from '../../../functions/get-organization-settings/endpoint.ts';
import { getOrganizationSettings } from '../../../functions/get-organization-settings/get-organization-settings.ts';
import { allRefusals, buildManager, refusalsOf } from '../../support/manager-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { unexpected } from '../../support/unexpected.ts';

const manager = buildManager();
const organization = buildOrganization({ id: manager.organizationId, senderName: 'Example' });

describe('getOrganizationSettings', () => {
  it("answers the settings of the key's organization, and none that it has not", async () => {
    const organizations = {
      get: async (id: string) => (id === organization.id ? organization : undefined),
    };

    const answer = await getOrganizationSettings(manager.credential, { ...manager, organizations });

    const { id, name, paused, attachmentsEnabled, createdAt, updatedAt } = organization;
    expect(endpoint.answers[200].body.parse(settingsOf(answer))).toEqual({
      ...{ id, name, paused, attachmentsEnabled },
      ...{ senderName: 'Example', keylessReading: true, createdAt, updatedAt },
    });
  });

  it('refuses a key whose organization was deleted a moment ago', async () => {
    const organizations = { get: async () => undefined };
    const run = () => getOrganizationSettings(manager.credential, { ...manager, organizations });

    expect((await serviceErrorOf(run)).code).toBe('invalid_api_key');
  });

  it('tells nothing to who may not manage the organization', async () => {
    const organizations = { get: unexpected('organizations.get') };

    const refusals = await refusalsOf((credential, authentication) =>
      getOrganizationSettings(credential, { ...authentication, organizations }),
    );

    expect(refusals).toEqual(allRefusals);
  });
});
