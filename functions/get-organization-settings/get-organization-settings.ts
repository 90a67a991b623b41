import { organizationOf } from '#shared/access/admit-caller';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleSettings } from '#shared/organizations/organization-reference';
import {
  organizationSettingsSchema,
  settingsOf,
} from '#shared/organizations/organization-settings';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/organization',
    access: { key: 'required', scope: ['settings_read', 'manage_organization'] },
    answers: {
      200: {
        body: organizationSettingsSchema,
        description: 'The settings.',
        example: exampleSettings,
      },
    },
    lambda: { stack: 'Account', tableActions: ['GetItem'] },
    words: {
      section: 'Organization',
      summary: 'Read the settings of the organization',
      description: 'Settings that were never set are absent.',
    },
  },
  async ({ caller }, { table }) => settingsOf(await organizationOf(table, caller)),
);
