import { describe, expect, it } from 'vitest';
import { settingsOf } from '#shared/organizations/organization-settings';
import { buildOrganization } from '../../support/organization-builder.ts';

describe('settingsOf', () => {
  it('shows the settings that an organization has, and none of its other fields', () => {
    const organization = buildOrganization({ senderName: 'Example' });

    const { id, name, paused, attachmentsEnabled, createdAt, updatedAt } = organization;
    expect(settingsOf(organization)).toEqual({
      ...{ id, name, paused, attachmentsEnabled },
      ...{ senderName: 'Example', keylessReading: false, createdAt, updatedAt },
      transactionalUnsubscribe: true,
    });
  });
});
