import { exampleIds, exampleTime } from '#shared/openapi/example-values';

const example = {
  id: exampleIds.organization,
  name: 'Example Ltd',
  paused: false,
  attachmentsEnabled: false,
  createdAt: exampleTime,
  updatedAt: exampleTime,
} as const;

/** An organization in the examples of the reference. */
export const exampleOrganization = { ...example, linksDisabled: false } as const;

/** Its settings. */
export const exampleSettings = {
  ...example,
  senderName: 'Example Ltd',
  replyTo: 'help@example.com',
  keylessReading: true,
} as const;
