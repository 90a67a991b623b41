import { exampleIds, exampleTime } from '#shared/openapi/example-values';

/** An organization in the examples of the reference. */
export const exampleOrganization = {
  id: exampleIds.organization,
  name: 'Example Ltd',
  paused: false,
  attachmentsEnabled: false,
  createdAt: exampleTime,
  updatedAt: exampleTime,
} as const;

/** Its settings. */
export const exampleSettings = {
  ...exampleOrganization,
  senderName: 'Example Ltd',
  replyTo: 'help@example.com',
  keylessReading: true,
} as const;
